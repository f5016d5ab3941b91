import { newDateFormat } from './date-format.ts'

const SHORT = newDateFormat({ month: 'short', timeZone: 'UTC' })
const LONG = newDateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Returns the months from one to another, both included: `2026-11`, `2026-12`. */
export function listMonths(since: string, until: string): string[] {
  const months: string[] = []
  for (let month = since; month <= until; month = addMonths(month, 1)) months.push(month)
  return months
}

/** Returns the month that is a number of months later: `2026-12` and 1 → `2027-01`. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7)
}

/** Formats a month: `Nov 2026`. */
export function monthText(month: string): string {
  return LONG.format(new Date(`${month}-01T00:00:00Z`))
}

/** Formats a month without its year: `Nov`. */
export function shortMonthText(month: string): string {
  return SHORT.format(new Date(`${month}-01T00:00:00Z`))
}

/** Values of one thing, one for each month. */
export interface ChartSeries {
  name: string
  values: readonly number[]
}

/** The maximum number of series in a chart, the last of which are all others: the number of its colors. */
export const SERIES_MAX = 6
