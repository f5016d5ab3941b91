import { useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { Suspense } from 'react'
import { READERS_MAX, summariesQuery } from '../../documents/access/access-queries.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Link, NameLink } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { cappedText, compactText, numberText } from '../../parts/number-text.ts'
import { Panel } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { dayText } from '../../parts/date-format.ts'
import { pathOfUse, paths } from '../../paths.ts'
import { lazyPart } from '../../parts/lazy-part.ts'
import {
  describeReported,
  groupConsumers,
  listUsageMonths,
  toQuerySeries,
  toReaderSeries,
  usageQuery,
  type ConsumerGroup,
  type ProductUsage,
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
        {(usage) => <Usage usage={usage} />}
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

function Usage({ usage }: { usage: ProductUsage }) {
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
      <Panel title="Users by month">
        <Suspense fallback={<Skeleton lines={6} />}>
          <MonthChart
            label="Users by month"
            months={months}
            series={toReaderSeries(usage)}
            format={numberText}
            formatTick={compactText}
          />
        </Suspense>
      </Panel>
      <Consumers usage={usage} />
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

function Consumers({ usage }: { usage: ProductUsage }) {
  const { consumers, consumerCount } = usage
  return (
    <Panel
      title="Consumers"
      marks={
        consumerCount > consumers.length
          ? `The largest ${consumers.length} of ${numberText(consumerCount)} users and roles`
          : undefined
      }
      className="lg:col-span-2"
      flush
    >
      <Table
        label="Consumers"
        columns={CONSUMER_COLUMNS}
        rows={groupConsumers(consumers)}
        getKey={({ key }) => key}
      />
    </Panel>
  )
}

function ConsumerName({ group: { consumer, name, members } }: { group: ConsumerGroup }) {
  return (
    <div className="grid min-w-0 gap-0.5">
      {consumer === null ? (
        <span className="text-muted">{name}</span>
      ) : (
        <CatalogName {...consumer} />
      )}
      <span className="user-text line-clamp-3 text-sm text-muted">
        {[...new Set(members.map(describeReported))].join(', ')}
      </span>
    </div>
  )
}

function CatalogName({ kind, id, name }: NonNullable<ConsumerGroup['consumer']>) {
  const href = pathOfUse({ kind, id })
  return href === undefined ? (
    <span className="user-text font-medium">{name}</span>
  ) : (
    <NameLink href={href} name={name} lines={2} />
  )
}

function AccessLinks({ members }: ConsumerGroup) {
  const ids = [...new Set(members.flatMap(({ accessId }) => accessId ?? []))]
  if (ids.length === 0) return <None />
  return (
    <span className="flex flex-wrap gap-x-2">
      {ids.map((id, at) => (
        <Link key={id} href={paths.access(id)} className="inline-flex min-h-6 items-center">
          {ids.length === 1 ? 'Agreement' : `Agreement ${at + 1}`}
        </Link>
      ))}
    </span>
  )
}

const CONSUMER_COLUMNS: readonly Column<ConsumerGroup>[] = [
  { title: 'Consumer', cell: (group) => <ConsumerName group={group} /> },
  { title: 'Access', cell: (group) => <AccessLinks {...group} /> },
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
  { title: 'Users', align: 'right', cell: ({ readers }) => numberText(readers) },
]

function None() {
  return <span className="text-muted">Not reported</span>
}
