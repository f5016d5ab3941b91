import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Loaded } from '../../parts/loaded.tsx'
import { monthText } from '../../parts/months.ts'
import { Skeleton } from '../../parts/notice.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { lazyPart } from '../../parts/lazy-part.ts'
import {
  costsQuery,
  listCostMonths,
  moneyText,
  sumByCurrency,
  type CurrencyCosts,
} from './cost-series.ts'
import { CostsPanel } from './costs-panel.tsx'

const MonthChart = lazyPart(() => import('../../parts/month-chart.tsx'), 'MonthChart')

interface CostsTabProps {
  id: string
  /** The id of the owning team. */
  owner: string | undefined
}

/** The costs of a data product by month and category, for each currency, and all of them in a table. */
export function CostsTab({ id, owner }: CostsTabProps) {
  const [months] = useState(() => listCostMonths(Date.now()))
  return (
    <Loaded query={useQuery(costsQuery(id))}>
      {(costs) => (
        <div className="grid gap-5">
          {sumByCurrency(costs, months).map((sums) => (
            <CurrencyPanel key={sums.currency} sums={sums} months={months} />
          ))}
          <CostsPanel productId={id} owner={owner} costs={costs} />
        </div>
      )}
    </Loaded>
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
