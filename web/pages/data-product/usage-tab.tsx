import { useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { Suspense } from 'react'
import { READERS_MAX, summariesQuery } from '../../documents/access/access-queries.ts'
import type { ListedAgreement } from '../../documents/access/access-words.ts'
import { useAgreements } from '../../documents/access/paged-agreements.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { cappedText, compactText, numberText } from '../../parts/number-text.ts'
import { Panel } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { dayText } from '../../parts/date-format.ts'
import { paths } from '../../paths.ts'
import { lazyPart } from '../../parts/lazy-part.ts'
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

/** The queries and readers of a data product by month, and its consumers, with or without queries. */
export function UsageTab({ id }: { id: string }) {
  return (
    <div className="grid gap-5">
      <ConsumersWithAccess id={id} />
      <Loaded
        query={useQuery(usageQuery(id))}
        empty={<NoUsage />}
        isEmpty={(usage) => usage.months.length === 0}
      >
        {(usage) => <Usage id={id} usage={usage} />}
      </Loaded>
    </div>
  )
}

function ConsumersWithAccess({ id }: { id: string }) {
  const { data } = useQuery(summariesQuery([id]))
  const readers = data?.[0]?.readers ?? 0
  if (readers === 0) return null
  return (
    <p className="text-muted">
      <Link href={paths.dataProduct(id, { view: 'access' })}>
        {cappedText(readers, READERS_MAX)} {readers === 1 ? 'consumer has' : 'consumers have'}{' '}
        access
      </Link>{' '}
      to this data product. Queries are counted below once they are reported.
    </p>
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

function Usage({ id, usage }: { id: string; usage: ProductUsage }) {
  const months = listUsageMonths(usage)
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
      <Consumers id={id} usage={usage} />
      <Panel title="Output ports" className="lg:col-span-2" flush>
        <Table
          label="Output ports"
          columns={PORT_COLUMNS}
          rows={usage.outputPorts}
          getKey={({ name }) => name ?? ''}
        />
      </Panel>
    </div>
  )
}

function Consumers({ id, usage }: { id: string; usage: ProductUsage }) {
  const { consumers, consumerCount } = usage
  return (
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
      {/* Most warehouses do not report the access. */}
      {consumers.some(({ accessId }) => accessId !== null) ? (
        <ConsumersByAccess id={id} consumers={consumers} />
      ) : (
        <ConsumerTable columns={CONSUMER_COLUMNS} consumers={consumers} />
      )}
    </Panel>
  )
}

interface ConsumersByAccessProps {
  id: string
  consumers: readonly UsageConsumer[]
}

function ConsumersByAccess({ id, consumers }: ConsumersByAccessProps) {
  const { data } = useAgreements({ list: 'product', product: id, view: 'active' })
  const agreements = data?.agreements ?? []
  const columns = CONSUMER_COLUMNS.toSpliced(1, 0, toAccessColumn(agreements))
  return <ConsumerTable columns={columns} consumers={consumers} />
}

interface ConsumerTableProps {
  columns: readonly Column<UsageConsumer>[]
  consumers: readonly UsageConsumer[]
}

function ConsumerTable({ columns, consumers }: ConsumerTableProps) {
  return (
    <Table
      label="Consumers"
      columns={columns}
      rows={consumers}
      getKey={({ user, role, accessId }) => JSON.stringify([user, role, accessId])}
    />
  )
}

function toAccessColumn(agreements: readonly ListedAgreement[]): Column<UsageConsumer> {
  const names = new Map(agreements.map(({ id, consumerName }) => [id, consumerName ?? id]))
  return {
    title: 'Access',
    cell: ({ accessId }) => {
      if (accessId === null) return <None />
      const name = names.get(accessId)
      if (name === undefined) return <code className="user-text">{accessId}</code>
      return <Link href={paths.access(accessId)}>{name}</Link>
    },
  }
}

const CONSUMER_COLUMNS: readonly Column<UsageConsumer>[] = [
  {
    title: 'Consumer',
    cell: (consumer) => <span className="user-text">{nameConsumer(consumer)}</span>,
  },
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
