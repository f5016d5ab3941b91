import { z } from '@hono/zod-openapi'

/**
 * What people ask of an installation before they write to whoever runs it: which version it is, where
 * its data lies and whether the store answers.
 */

/** A store that takes longer to answer nothing is slow. */
export const SLOW_STORE_MS = 250

/** What an installation tells of itself. */
export const about = z
  .object({
    version: z.string(),
    nodeVersion: z.string(),
    store: z.object({
      version: z.string(),
      sizeBytes: z.int().nullable().openapi({ description: 'null = the store does not tell' }),
    }),
    baseUrl: z.string(),
    startedAt: z.string().openapi({ format: 'date-time', description: 'Of this process' }),
    workers: z.int().openapi({ description: 'Workers for ingestion in this process' }),
    health: z.object({
      store: z.enum(['ok', 'slow']),
      storeMs: z.number().openapi({ description: 'How long the store took to answer nothing' }),
    }),
    encryptionKeyId: z
      .string()
      .nullable()
      .openapi({ description: 'The name of the key that seals credentials, not the key' }),
    dpsUntil: z.string().openapi({ format: 'date', description: 'The last day that takes DPS' }),
    dcsUntil: z.string().openapi({ format: 'date', description: 'The last day that takes DCS' }),
    memoryBytes: z.int().openapi({ description: 'Memory that this process holds' }),
  })
  .openapi('About')

/** What an installation tells of itself. */
export type About = z.infer<typeof about>
