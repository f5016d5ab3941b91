import { useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { Suspense } from 'react'
import { ButtonLink } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { compactText, numberText } from '../../parts/number-text.ts'
import { Panel } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { dayText } from '../../parts/date-format.ts'
import { paths } from '../../paths.ts'
import { lazyPart } from '../../shell/chunks.ts'
import {
  listUsageMonths,
  nameConsumer,
  toQuerySeries,
  toReaderSeries,
  usageQuery,
  type ProductUsage,
  type UsageConsumer,
} from './usage-series.ts'

const MonthChart = lazyPart(() => import('../../parts/month-chart.tsx'), 'MonthChart')

/** The queries and readers of a data product by month, and its consumers. */
export function UsageTab({ id }: { id: string }) {
  return (
    <Loaded query={useQuery(usageQuery(id))}>
      {(usage) => (usage.months.length === 0 ? <NoUsage /> : <Usage usage={usage} />)}
    </Loaded>
  )
}

function NoUsage() {
  return (
    <Panel title="Usage">
      <Empty
        icon={Activity}
        title="No usage yet"
        action={<ButtonLink href={paths.guide('usage')}>Read how to send usage</ButtonLink>}
      >
        Send the queries of this data product as OpenTelemetry traces, and see here who uses it and
        how often.
      </Empty>
    </Panel>
  )
}

function Usage({ usage }: { usage: ProductUsage }) {
  const months = listUsageMonths(usage)
  const { consumers, consumerCount, outputPorts } = usage
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      <Panel title="Queries by month">
        <Suspense fallback={<Skeleton lines={6} />}>
          <MonthChart
            label="Queries by month and consumer"
            months={months}
            series={toQuerySeries(usage)}
            format={numberText}
            formatTick={compactText}
          />
        </Suspense>
      </Panel>
      <Panel title="Readers by month">
        <Suspense fallback={<Skeleton lines={6} />}>
          <MonthChart
            label="Readers by month"
            months={months}
            series={toReaderSeries(usage)}
            format={numberText}
            formatTick={compactText}
          />
        </Suspense>
      </Panel>
      <Panel
        title="Consumers"
        marks={
          consumerCount > consumers.length
            ? `${consumers.length} of ${numberText(consumerCount)}`
            : numberText(consumerCount)
        }
        className="lg:col-span-2"
        flush
      >
        <Table
          label="Consumers"
          // Most warehouses do not report the access.
          columns={CONSUMER_COLUMNS.filter(
            (column) => column !== ACCESS || consumers.some(({ accessId }) => accessId !== null),
          )}
          rows={consumers}
          getKey={(consumer) => JSON.stringify([consumer.user, consumer.role, consumer.accessId])}
        />
      </Panel>
      <Panel title="Output ports" className="lg:col-span-2" flush>
        <Table
          label="Output ports"
          columns={PORT_COLUMNS}
          rows={outputPorts}
          getKey={({ name }) => name ?? ''}
        />
      </Panel>
    </div>
  )
}

const ACCESS: Column<UsageConsumer> = {
  title: 'Access',
  cell: ({ accessId }) =>
    accessId === null ? <None /> : <code className="user-text">{accessId}</code>,
}

const CONSUMER_COLUMNS: readonly Column<UsageConsumer>[] = [
  {
    title: 'Consumer',
    cell: (consumer) => <span className="user-text">{nameConsumer(consumer)}</span>,
  },
  ACCESS,
  { title: 'Queries', align: 'right', cell: ({ queries }) => numberText(queries) },
  { title: 'Rows', align: 'right', cell: ({ rows }) => numberText(rows) },
  { title: 'Last used', cell: ({ lastUsedOn }) => dayText(lastUsedOn) },
]

const PORT_COLUMNS: readonly Column<ProductUsage['outputPorts'][number]>[] = [
  {
    title: 'Output port',
    cell: ({ name }) => (name === null ? <None /> : <span className="user-text">{name}</span>),
  },
  { title: 'Queries', align: 'right', cell: ({ queries }) => numberText(queries) },
  { title: 'Rows', align: 'right', cell: ({ rows }) => numberText(rows) },
  { title: 'Readers', align: 'right', cell: ({ readers }) => numberText(readers) },
]

function None() {
  return <span className="text-muted">Not reported</span>
}
