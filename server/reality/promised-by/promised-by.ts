import { z } from '@hono/zod-openapi'

/** The maximum number of promises that the page of an asset shows. */
export const PROMISES_MAX = 100

const count = z.int().min(0)

/** A model of a contract on a server that an asset keeps. */
const assetPromise = z.object({
  dataContractId: z.string(),
  dataContractName: z.string(),
  ownerId: z.string().nullable(),
  server: z.string(),
  isProduction: z.boolean(),
  model: z.string(),
  origin: z.enum(['hand', 'port', 'location']).nullable(),
  comparedAt: z.string().nullable().openapi({ format: 'date-time' }),
  breaking: count.openapi({ description: 'Breaking differences that are not accepted' }),
  accepted: count,
  additive: count,
})

/** The promises that an asset keeps. */
export const assetPromises = z
  .object({
    promises: z.array(assetPromise),
    hasMore: z.boolean().openapi({ description: `Whether there are more than ${PROMISES_MAX}` }),
  })
  .openapi('AssetPromises')

/** A promise that an asset keeps. */
export type AssetPromise = z.infer<typeof assetPromise>
