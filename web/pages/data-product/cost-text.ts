import { monthText } from '../../parts/months.ts'
import { moneyText, type ProductCost } from './cost-series.ts'

/** Returns the amount of a cost with its currency. */
export function describeAmount({ amount, currency }: ProductCost): string {
  return moneyText(currency.toUpperCase())(amount)
}

/** Returns the month of a cost; without a month, the cost recurs every month. */
export function describeMonth({ yearMonth }: Pick<ProductCost, 'yearMonth'>): string {
  return typeof yearMonth === 'string' ? monthText(yearMonth) : 'Every month'
}

function getMonthKey({ yearMonth }: ProductCost): string {
  return yearMonth ?? '9999-99'
}

/** Sorts costs: those of every month first, then the newest month. */
export function sortCosts(costs: readonly ProductCost[]): ProductCost[] {
  return costs.toSorted(
    (a, b) => getMonthKey(b).localeCompare(getMonthKey(a)) || a.name.localeCompare(b.name),
  )
}

/** A cost as its form has it; empty texts = absent. */
export interface CostDraft {
  name: string
  amount: string
  currency: string
  yearMonth: string
  category: string
  description: string
  estimated: boolean
}

/** Converts the form of a new cost. */
export function toNewCost(draft: CostDraft, dataProductId: string): ProductCost {
  const { name, amount, currency, estimated } = draft
  const optional = (['yearMonth', 'category', 'description'] as const).flatMap((field) =>
    draft[field] === '' ? [] : [[field, draft[field]] as const],
  )
  return {
    dataProductId,
    name,
    amount: Number(amount),
    currency,
    ...Object.fromEntries(optional),
    ...(estimated ? { estimated } : {}),
  }
}
