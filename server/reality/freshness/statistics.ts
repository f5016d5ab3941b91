import { z } from '@hono/zod-openapi'
import { EVIDENCE, FRESHNESS_STATES, UNKNOWN_REASONS } from './freshness.ts'

// The answers about the size, the changes and the freshness of data.

const instant = z.string().openapi({ format: 'date-time' }).nullable()
const count = z.int().nullable()

const VALUES = { rowCount: count, sizeBytes: count, changedAt: instant }

/** The values of an asset over time. */
export const assetStatistics = z
  .object({
    current: z
      .object({
        ...VALUES,
        changedMeans: z.enum(['data', 'any', 'definition']).nullable().openapi({
          description: 'What `changedAt` is the time of: rows, the definition, or either of them',
        }),
        countedAfter: instant.openapi({
          description: 'The source counted changed rows between this reading and `countedAt`',
        }),
        countedAt: instant,
        measuredAt: z.string().openapi({ format: 'date-time' }),
      })
      .nullable()
      .openapi({ description: 'The values of the last run; null if the source reports none' }),
    days: z.array(z.object({ day: z.string().openapi({ format: 'date' }), ...VALUES })).openapi({
      description:
        'The last values of each day in UTC on which one changed, oldest first; after 92 days the last of each week',
    }),
  })
  .openapi('AssetStatistics')

/** The freshness of the models of a contract. */
export const contractFreshness = z
  .array(
    z.object({
      server: z.string(),
      model: z.string(),
      isProduction: z.boolean(),
      assetId: z.string().nullable(),
      state: z.enum(FRESHNESS_STATES),
      reason: z.enum(UNKNOWN_REASONS).nullable().openapi({ description: 'Why it is unknown' }),
      promised: z.object({
        property: z.string(),
        text: z.string(),
        pointer: z.string().openapi({ description: 'The place in the document' }),
        unreadable: z.string().nullable().openapi({ description: 'Why it cannot be judged' }),
      }),
      evidence: z.enum(EVIDENCE).nullable().openapi({
        description: 'The kind of the best evidence; `any` = data or definition changed',
      }),
      evidenceAt: instant,
      lateAt: instant.openapi({ description: 'The data are late from then on' }),
    }),
  )
  .openapi('DataContractFreshness')

/** The size and the last changes of an asset, and its values by day. */
export type AssetStatistics = z.infer<typeof assetStatistics>

/** The freshness of each model that a contract promises, by server and model. */
export type ContractFreshness = z.infer<typeof contractFreshness>
