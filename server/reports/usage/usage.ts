import { z } from '@hono/zod-openapi'
import { COUNTED_MONTHS } from './span.ts'

/** The maximum number of consumers that the usage of a data product lists. */
export const CONSUMERS_MAX = 10

const counts = {
  queries: z.int().openapi({ description: 'The number of spans' }),
  rows: z.number().openapi({ description: 'The rows that the queries returned' }),
}

const readers = z
  .int()
  .openapi({ description: 'Distinct users; a consumer without a user counts by role or access' })

const month = z.string().openapi({ description: 'YYYY-MM in UTC' })

const usageMonth = z
  .object({ yearMonth: month, ...counts, readers })
  .openapi('UsageMonth', { description: 'The usage of a data product in a month' })

/** A consumer as the catalog names it. */
const namedConsumer = z.object({
  kind: z.enum(['user', 'team', 'data-product']),
  id: z.string(),
  name: z.string(),
})

/** A consumer as the catalog names it. */
export type NamedConsumer = z.infer<typeof namedConsumer>

const usageConsumer = z
  .object({
    user: z.string().nullable(),
    role: z.string().nullable(),
    accessId: z.string().nullable(),
    consumer: namedConsumer.nullable().openapi({
      description:
        'By the agreement, the e-mail address of a member, or the only agreement that grants the role; null = not matched',
    }),
    ...counts,
    lastUsedOn: z.string().openapi({ format: 'date' }),
    months: z.array(z.object({ yearMonth: month, ...counts })),
  })
  .openapi('UsageConsumer', { description: 'A consumer, by user, role and access' })

const usagePort = z
  .object({ name: z.string().nullable(), ...counts, readers })
  .openapi('UsagePort', { description: 'The usage of an output port' })

/** The usage of a data product, as the API returns it. */
export const productUsage = z
  .object({
    since: month.openapi({ description: 'The first month that is counted' }),
    until: month.openapi({ description: 'The current month' }),
    months: z
      .array(usageMonth)
      .max(COUNTED_MONTHS)
      .openapi({ description: 'The months with usage, oldest first' }),
    consumers: z
      .array(usageConsumer)
      .max(CONSUMERS_MAX)
      .openapi({ description: 'The consumers with the most queries, most first' }),
    consumerCount: z.int().openapi({ description: 'The number of all consumers' }),
    outputPorts: z.array(usagePort).openapi({ description: 'Most queries first' }),
  })
  .openapi('DataProductUsage')

/** The usage of a data product. */
export type ProductUsage = z.infer<typeof productUsage>

// What follows from the counts of days. Files of earlier versions do not have it.

/**
 * The SQL expression for the digest of a consumer, from the columns that name it. Names may be too long for an index, so
 * the digest identifies the consumer.
 */
export const CONSUMER_DIGEST = `md5(
        length(output_port) || ':' || output_port || length(user_name) || ':' || user_name
        || length(role) || ':' || role || access_id
      )`

/** The SQL statement that inserts the months of all counted days. There must be no months yet. */
export const INSERT_MONTHS = `
  insert into usage_month (
    organization_id, data_product_id, month, consumer_digest, output_port, user_name, role,
    access_id, query_count, row_count
  )
  select organization_id, data_product_id, date_trunc('month', day::timestamp)::date,
    consumer_digest, output_port, user_name, role, access_id,
    sum(query_count + archived_query_count), sum(row_count + archived_row_count)
  from usage_day
  where query_count + archived_query_count > 0
  group by 1, 2, 3, 4, 5, 6, 7, 8`
