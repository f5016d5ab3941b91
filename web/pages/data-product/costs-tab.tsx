import { useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { OutsideLink } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { monthText } from '../../parts/months.ts'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Facts, Panel } from '../../parts/page.tsx'
import { Tag } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { paths } from '../../paths.ts'
import { lazyPart } from '../../shell/chunks.ts'
import {
  costsQuery,
  listCostMonths,
  moneyText,
  sumByCurrency,
  type CurrencyCosts,
  type ProductCost,
} from './cost-series.ts'

const STEP = 50

const MonthChart = lazyPart(() => import('../../parts/month-chart.tsx'), 'MonthChart')

/** The costs of a data product by month and category, for each currency, and all of them in a table. */
export function CostsTab({ id }: { id: string }) {
  return (
    <Loaded query={useQuery(costsQuery(id))}>
      {(costs) => (costs.length === 0 ? <NoCosts /> : <Costs costs={costs} />)}
    </Loaded>
  )
}

function NoCosts() {
  return (
    <Panel title="Costs">
      <Empty
        icon={ReceiptText}
        title="No costs yet"
        action={<ButtonLink href={paths.reference({ op: 'createCost' })}>Open the API</ButtonLink>}
      >
        Send what this data product costs each month, such as compute and storage, with{' '}
        <code>POST /api/costs</code>.
      </Empty>
    </Panel>
  )
}

function Costs({ costs }: { costs: readonly ProductCost[] }) {
  const [months] = useState(() => listCostMonths(Date.now()))
  return (
    <div className="grid gap-5">
      {sumByCurrency(costs, months).map((sums) => (
        <CurrencyPanel key={sums.currency} sums={sums} months={months} />
      ))}
      <AllCosts costs={costs} />
    </div>
  )
}

function AllCosts({ costs }: { costs: readonly ProductCost[] }) {
  const [max, setMax] = useState(STEP)
  const rest = costs.length - max
  return (
    <Panel title="All costs" marks={numberText(costs.length)} flush>
      <Table
        label="All costs"
        columns={COLUMNS}
        rows={sortByMonth(costs).slice(0, max)}
        getKey={({ id }) => id ?? ''}
      />
      {rest > 0 && (
        <p className="px-4 py-3">
          <Button onClick={() => setMax(max + STEP)}>Show {Math.min(rest, STEP)} more</Button>
          <span className="ml-3 text-muted">{numberText(rest)} are not shown yet.</span>
        </p>
      )}
    </Panel>
  )
}

function CurrencyPanel({ sums, months }: { sums: CurrencyCosts; months: readonly string[] }) {
  const { currency, series, total, latest } = sums
  const format = moneyText(currency)
  const [since = '', until = ''] = [months[0], months.at(-1)]
  return (
    <Panel title={`Costs in ${currency}`}>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_16rem]">
        <Suspense fallback={<Skeleton lines={6} />}>
          <MonthChart
            label={`Costs in ${currency} by month and category`}
            months={months}
            series={series}
            format={format}
            formatTick={moneyText(currency, { notation: 'compact', maximumFractionDigits: 1 })}
          />
        </Suspense>
        <Facts
          facts={[
            [monthText(until), <Amount key="latest">{format(latest)}</Amount>],
            [`Since ${monthText(since)}`, <Amount key="total">{format(total)}</Amount>],
          ]}
        />
      </div>
    </Panel>
  )
}

function Amount({ children }: { children: string }) {
  return <span className="figures font-medium">{children}</span>
}

// Costs of every month first, then the newest.
function sortByMonth(costs: readonly ProductCost[]): ProductCost[] {
  const everyMonth = costs.filter(({ yearMonth = null }) => yearMonth === null)
  const dated = costs.filter(({ yearMonth = null }) => yearMonth !== null)
  return [
    ...everyMonth,
    ...dated.toSorted((a, b) => (b.yearMonth ?? '').localeCompare(a.yearMonth ?? '')),
  ]
}

const COLUMNS: readonly Column<ProductCost>[] = [
  {
    title: 'Cost',
    cell: ({ name, description, link }) => (
      <div className="user-text">
        {typeof link === 'string' ? <OutsideLink href={link}>{name}</OutsideLink> : name}
        {typeof description === 'string' && <div className="text-sm text-muted">{description}</div>}
      </div>
    ),
  },
  {
    title: 'Category',
    cell: ({ category }) => <span className="user-text">{category ?? '–'}</span>,
  },
  {
    title: 'Month',
    cell: ({ yearMonth }) => (typeof yearMonth === 'string' ? monthText(yearMonth) : 'Every month'),
  },
  {
    title: 'Amount',
    align: 'right',
    cell: ({ amount, currency, estimated }) => (
      <span className="inline-flex flex-wrap items-center justify-end gap-2">
        {estimated === true && <Tag>estimated</Tag>}
        {moneyText(currency.toUpperCase())(amount)}
      </span>
    ),
  },
]
