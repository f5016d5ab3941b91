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

/**
 * Returns the queries of each month: those of the five largest consumers, those that match nothing in the catalog, and
 * those of all others.
 */
export function toQuerySeries(usage: ProductUsage): ChartSeries[] {
  const months = listUsageMonths(usage)
  const totals = toValues(months, usage.months, ({ queries }) => queries)
  const named = groupConsumers(usage.consumers).map(({ name, members }): ChartSeries => ({
    name,
    values: addValues(members.map((one) => toValues(months, one.months, (month) => month.queries))),
  }))
  const shown = named.slice(0, SERIES_MAX - 1)
  const rest = totals.map((total, at) =>
    shown.reduce((left, { values }) => left - (values[at] ?? 0), total),
  )
  const hasRest = rest.some((count) => count > 0)
  return hasRest ? [...shown, { name: 'Others', values: rest }] : shown
}

/** Consumers that are one in the catalog, or all that match nothing in it. */
export interface ConsumerGroup {
  key: string
  name: string
  /** Null = they match nothing in the catalog. */
  consumer: UsageConsumer['consumer']
  members: readonly UsageConsumer[]
  queries: number
  rows: number
  lastUsedOn: string
}

/** The name of the consumers that match nothing in the catalog. */
export const NOT_MATCHED = 'Not matched to an agreement'

/** Groups the users, roles and accesses of a product by the person, team or data product that they are. */
export function groupConsumers(consumers: readonly UsageConsumer[]): ConsumerGroup[] {
  const byKey = Map.groupBy(consumers, ({ consumer }) =>
    consumer === null ? '' : `${consumer.kind} ${consumer.id}`,
  )
  const groups = Array.from(byKey, ([key, members]): ConsumerGroup => {
    const consumer = members[0]?.consumer ?? null
    return {
      key,
      name: consumer?.name ?? NOT_MATCHED,
      consumer,
      members,
      queries: members.reduce((sum, { queries }) => sum + queries, 0),
      rows: members.reduce((sum, { rows }) => sum + rows, 0),
      lastUsedOn:
        members
          .map(({ lastUsedOn }) => lastUsedOn)
          .toSorted()
          .at(-1) ?? '',
    }
  })
  return groups.toSorted((a, b) => b.queries - a.queries)
}

function addValues(lists: readonly (readonly number[])[]): number[] {
  return (lists[0] ?? []).map((_, at) => lists.reduce((sum, list) => sum + (list[at] ?? 0), 0))
}

/** Returns the users of each month, and roles without a user. Elsewhere, readers are consumers: a team counts once. */
export function toReaderSeries(usage: ProductUsage): ChartSeries[] {
  const values = toValues(listUsageMonths(usage), usage.months, ({ readers }) => readers)
  return [{ name: 'Users', values }]
}

function toValues<Month extends { yearMonth: string }>(
  months: readonly string[],
  usage: readonly Month[],
  getValue: (month: Month) => number,
): number[] {
  const byMonth = new Map(usage.map((month) => [month.yearMonth, getValue(month)]))
  return months.map((month) => byMonth.get(month) ?? 0)
}

/** Returns the name of a consumer as it was reported: the user with the role, or as much as is known. */
export function describeReported({ user, role }: Pick<UsageConsumer, 'user' | 'role'>): string {
  const names = [user, role].filter((name) => name !== null)
  return names.length === 0 ? 'no user or role reported' : names.join(' · ')
}
