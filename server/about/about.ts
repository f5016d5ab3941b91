import { z } from '@hono/zod-openapi'

/**
 * The support information of an installation: its version, the location of its data and the state of its
 * database.
 */

/** The response time to an empty query above which the database is reported as slow. */
export const SLOW_STORE_MS = 250

/** The information about an installation. */
export const about = z
  .object({
    version: z.string(),
    nodeVersion: z.string(),
    store: z.object({
      version: z.string(),
      sizeBytes: z.int().nullable().openapi({ description: 'null = not available' }),
    }),
    baseUrl: z.string(),
    startedAt: z
      .string()
      .openapi({ format: 'date-time', description: 'The start of this process' }),
    workers: z.int().openapi({ description: 'Workers for ingestion in this process' }),
    health: z.object({
      store: z.enum(['ok', 'slow']),
      storeMs: z
        .number()
        .openapi({ description: 'The response time of the database to an empty query' }),
    }),
    encryptionKeyId: z
      .string()
      .nullable()
      .openapi({ description: 'The ID of the key that seals credentials, not the key' }),
    dpsUntil: z
      .string()
      .openapi({ format: 'date', description: 'The last day on which DPS is accepted' }),
    dcsUntil: z
      .string()
      .openapi({ format: 'date', description: 'The last day on which DCS is accepted' }),
    mail: z
      .object({ server: z.string(), from: z.string() })
      .nullable()
      .openapi({ description: 'The mail server and the sender; null = no e-mail is sent' }),
    refusedConnections: z
      .object({
        client: z.string().openapi({ description: 'The client of the latest one' }),
        at: z.string().openapi({ format: 'date-time', description: 'The time of the latest one' }),
        count: z.int().openapi({ description: 'Since the start of this process, of all clients' }),
        setting: z
          .string()
          .openapi({ description: 'The setting to check: a proxy has to be listed in it' }),
      })
      .nullable()
      .openapi({
        description:
          'Connections that were refused because their client has too many; null = none, the caller is not an owner, or there are several organizations: the log shows them then',
      }),
    memoryBytes: z.int().openapi({ description: 'The memory of this process' }),
  })
  .openapi('About')

/** The result of a test message. */
export const testMailResult = z
  .object({
    to: z.string(),
    problem: z
      .string()
      .nullable()
      .openapi({ description: 'Why it was not accepted; null = the mail server accepted it' }),
  })
  .openapi('TestMailResult')

/** The information about an installation. */
export type About = z.infer<typeof about>
