import type { Schemas } from '../../api/client.ts'

/** A cost of a data product. */
export type Cost = Schemas['Cost']

const AMOUNT = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Formats the amount of a cost with its currency: `1,240.75 EUR`. */
export function formatAmount({ amount, currency }: Pick<Cost, 'amount' | 'currency'>): string {
  return `${AMOUNT.format(amount)} ${currency}`
}

/** Formats the month of a cost: `Mar 2026`; without a month, the cost is of every month. */
export function formatMonth({ yearMonth }: Pick<Cost, 'yearMonth'>): string {
  if (yearMonth === null || yearMonth === undefined) return 'Every month'
  return MONTH.format(new Date(`${yearMonth}-01T00:00:00Z`))
}

/** Sorts costs: those of every month first, then the newest month. */
export function sortCosts(costs: readonly Cost[]): Cost[] {
  const key = ({ yearMonth }: Cost): string => yearMonth ?? '9999-99'
  return costs.toSorted((a, b) => key(b).localeCompare(key(a)) || a.name.localeCompare(b.name))
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
export function toNewCost(draft: CostDraft, dataProductId: string): Cost {
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
