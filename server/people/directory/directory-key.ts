import { z } from '@hono/zod-openapi'

/**
 * A key with which the directory of a company provisions people and groups. An organization has two at most, so that one
 * can replace the other, and they do not count as API keys.
 */

/** The number of keys of an organization. */
export const DIRECTORY_KEYS_MAX = 2
/** The characters of a secret that pages show. */
export const SECRET_PREFIX_CHARACTERS = 8

const instant = z.string().openapi({ format: 'date-time' })

/** A key as owners see it. */
const directoryKey = z
  .object({
    id: z.uuid(),
    secretPrefix: z.string(),
    createdAt: instant,
    createdBy: z.string().openapi({ description: 'A principal' }),
    lastUsedAt: instant.nullable(),
  })
  .openapi('DirectoryKey')

/** A key as owners see it. */
export type DirectoryKey = z.infer<typeof directoryKey>

/** A new key, with its secret. */
export const createdDirectoryKey = z
  .object({ id: z.uuid(), key: z.string().openapi({ description: 'Shown only once' }) })
  .openapi('CreatedDirectoryKey')

/** A request of the directory that was refused. */
const directoryRefusal = z.object({
  id: z.uuid(),
  refusedAt: instant,
  method: z.string(),
  path: z.string(),
  status: z.int(),
  sentence: z.string(),
  requestId: z.string(),
})

/** A request of the directory that was refused. */
export type DirectoryRefusal = z.infer<typeof directoryRefusal>

/** The directory of an organization as its page shows it. */
export const directoryState = z
  .object({
    address: z.string().openapi({ description: 'The base address for the directory' }),
    keys: z.array(directoryKey),
    keysMax: z.int(),
    lastRequestAt: instant.nullable(),
    userCount: z.int().openapi({ description: 'Members with a record of the directory' }),
    suspendedCount: z.int(),
    groupCount: z.int(),
    refusals: z.array(directoryRefusal).openapi({ description: 'The last ones, newest first' }),
  })
  .openapi('DirectoryState')
