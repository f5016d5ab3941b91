import { clip } from '../../../formats/text/value.ts'
import { api, type Schemas } from '../../api/client.ts'
import { SERIES_MAX, type ChartSeries, addMonths, listMonths } from '../../parts/months.ts'

/** A cost of a data product. */
export type ProductCost = Schemas['Cost']

/** The costs of a data product in one currency. */
export interface CurrencyCosts {
  currency: string
  /** A series for each category, those with the highest amounts first. */
  series: ChartSeries[]
  /** The sum of all months. */
  total: number
  /** The sum of the last month. */
  latest: number
}

const MONTHS = 13
const UNIT_CHARACTERS_MAX = 12
const NO_CATEGORY = 'No category'

/** Returns the query for the costs of a data product. */
export function costsQuery(id: string) {
  return api.queryOptions('get', '/api/costs', { params: { query: { dataProductId: id } } })
}

/** Returns the month of an instant and those before it that a chart shows. */
export function listCostMonths(nowMs: number): string[] {
  const month = new Date(nowMs).toISOString().slice(0, 7)
  return listMonths(addMonths(month, 1 - MONTHS), month)
}

/**
 * Sums costs by currency, category and month. Currencies are never added to each other. A cost without a month is a
 * cost of every month.
 */
export function sumByCurrency(
  costs: readonly ProductCost[],
  months: readonly string[],
): CurrencyCosts[] {
  const byCurrency = Map.groupBy(costs, ({ currency }) => currency.toUpperCase())
  return [...byCurrency]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, list]) => {
      const series = toSeries(list, months)
      const totals = months.map((_, at) => sum(series.map(({ values }) => values[at] ?? 0)))
      return { currency, series, total: sum(totals), latest: totals.at(-1) ?? 0 }
    })
}

function toSeries(costs: readonly ProductCost[], months: readonly string[]): ChartSeries[] {
  const byCategory = Map.groupBy(costs, ({ category }) => category?.trim() || NO_CATEGORY)
  const series = Array.from(byCategory, ([name, list]): ChartSeries => {
    return {
      name,
      values: months.map((month) => sum(list.filter(isInMonth(month)).map(getAmount))),
    }
  })
  const sorted = series.toSorted((a, b) => sum(b.values) - sum(a.values))
  if (sorted.length <= SERIES_MAX) return sorted
  const rest = sorted.slice(SERIES_MAX - 1)
  const values = months.map((_, at) => sum(rest.map((one) => one.values[at] ?? 0)))
  return [...sorted.slice(0, SERIES_MAX - 1), { name: 'Others', values }]
}

function isInMonth(month: string): (cost: ProductCost) => boolean {
  return ({ yearMonth = null }) => yearMonth === null || yearMonth === month
}

function getAmount({ amount }: ProductCost): number {
  return amount
}

// Cents are exact, the sums of decimals are not.
function sum(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((total, amount) => total + amount, 0) * 10_000) / 10_000
}

/** Formats an amount: `€1,234.50`; a currency without a code of ISO 4217 follows the number, cut if it is long. */
export function moneyText(currency: string, options: Intl.NumberFormatOptions = {}) {
  const isCode = /^[A-Z]{3}$/.test(currency)
  const format = new Intl.NumberFormat('en', {
    ...options,
    ...(isCode ? { style: 'currency', currency } : {}),
  })
  return (amount: number): string =>
    isCode
      ? format.format(amount)
      : `${format.format(amount)} ${clip(currency, UNIT_CHARACTERS_MAX)}`
}
