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

const usageConsumer = z
  .object({
    user: z.string().nullable(),
    role: z.string().nullable(),
    accessId: z.string().nullable(),
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
