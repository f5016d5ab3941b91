import { type Schemas, api } from '../../api/client.ts'
import { SERIES_MAX, type ChartSeries, listMonths } from '../../parts/months.ts'

/** The usage of a data product. */
export type ProductUsage = Schemas['DataProductUsage']

/** A consumer of a data product. */
export type UsageConsumer = Schemas['UsageConsumer']

/** Returns the query for the usage of a data product. */
export function usageQuery(id: string) {
  return api.queryOptions('get', '/api/dataproducts/{id}/usage', { params: { path: { id } } })
}

/** Returns all counted months, also those without usage. */
export function listUsageMonths({ since, until }: Pick<ProductUsage, 'since' | 'until'>): string[] {
  return listMonths(since, until)
}

/** Returns the queries of each month: those of the largest consumers, and of all others together. */
export function toQuerySeries(usage: ProductUsage): ChartSeries[] {
  const months = listUsageMonths(usage)
  const totals = toValues(months, usage.months, ({ queries }) => queries)
  const shownCount = usage.consumerCount > SERIES_MAX ? SERIES_MAX - 1 : SERIES_MAX
  const shown = usage.consumers.slice(0, shownCount).map((consumer): ChartSeries => {
    return {
      name: nameConsumer(consumer),
      values: toValues(months, consumer.months, ({ queries }) => queries),
    }
  })
  const rest = totals.map((total, at) =>
    shown.reduce((left, { values }) => left - (values[at] ?? 0), total),
  )
  const hasRest = rest.some((count) => count > 0)
  return hasRest ? [...shown, { name: 'All others', values: rest }] : shown
}

/** Returns the readers of each month. */
export function toReaderSeries(usage: ProductUsage): ChartSeries[] {
  const values = toValues(listUsageMonths(usage), usage.months, ({ readers }) => readers)
  return [{ name: 'Readers', values }]
}

function toValues<Month extends { yearMonth: string }>(
  months: readonly string[],
  usage: readonly Month[],
  getValue: (month: Month) => number,
): number[] {
  const byMonth = new Map(usage.map((month) => [month.yearMonth, getValue(month)]))
  return months.map((month) => byMonth.get(month) ?? 0)
}

/** Returns the name of a consumer: the user, with the role, or as much as is known. */
export function nameConsumer({
  user,
  role,
  accessId,
}: Pick<UsageConsumer, 'user' | 'role' | 'accessId'>): string {
  const names = [user, role].filter((name) => name !== null)
  if (names.length === 0) return accessId === null ? 'Unknown' : `Access ${accessId}`
  return names.join(' · ')
}
