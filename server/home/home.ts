import { z } from '@hono/zod-openapi'
import { activityGroup } from '../activity/activity.ts'

/**
 * The first page tells a person what is theirs, what changed this week and what waits for them: a run
 * that failed, deletes that are held back, a key that expires, a contract that is missing.
 */

/** Products on the page at most. */
export const PRODUCTS_MAX = 12

/** Groups of changes on the page at most, of each kind, and how far they reach back. */
export const GROUPS_MAX = 8
export const CHANGE_DAYS = 7

/** Rows of one kind that wait for the person, at most. */
export const ATTENTION_MAX = 20

/** Days before its expiry in which a key is listed, and days after it. */
export const EXPIRY_DAYS = 14
export const EXPIRED_DAYS = 14

const instant = z.string().openapi({ format: 'date-time' })
const count = z.int().min(0)

const homeProduct = z
  .object({
    id: z.string(),
    name: z.string(),
    status: z.string().nullable(),
    ownerId: z.string(),
    ownerName: z.string(),
    description: z.string().nullable(),
    format: z.string(),
    updatedAt: instant,
  })
  .openapi('HomeProduct')

const attention = z
  .object({
    kind: z.enum([
      'run_failed',
      'deletes_held',
      'integration_paused',
      'key_expiring',
      'contract_missing',
      'contract_unowned',
      'format_ending',
    ]),
    severity: z.enum(['serious', 'warning', 'note']),
    title: z.string(),
    detail: z.string(),
    target: z.object({
      kind: z.enum(['data-product', 'data-contract', 'integration', 'run', 'api-keys', 'search']),
      id: z.string().nullable(),
      integrationExternalId: z.string().nullable(),
    }),
    at: instant.nullable(),
    count,
  })
  .openapi('Attention')

/** The first page, for one person. */
export const home = z
  .object({
    counts: z.object({
      dataProducts: count,
      dataContracts: count,
      teams: count,
      assets: count,
      integrations: count.openapi({ description: 'Those that the caller sees' }),
    }),
    products: z.array(homeProduct).openapi({ description: 'The last changed first' }),
    productsAreMine: z.boolean().openapi({
      description: "true = those of the caller's teams; false = the latest of all",
    }),
    activity: z
      .object({ breaking: z.array(activityGroup), latest: z.array(activityGroup) })
      .openapi({ description: 'Of the last 7 days: the groups with breaking changes, and all' }),
    attention: z.array(attention).openapi({ description: 'The most serious first' }),
  })
  .openapi('Home')

/** The first page, for one person. */
export type Home = z.infer<typeof home>

/** A product on the first page. */
export type HomeProduct = z.infer<typeof homeProduct>

/** What waits for a person. */
export type Attention = z.infer<typeof attention>

/** Catalogs with more data products need no guidance. */
export const FIRST_PRODUCTS_MAX = 3

/** The first steps from an empty catalog to one in use, each with whether it is done. */
export const firstSteps = z
  .object({
    team: z.boolean(),
    dataProduct: z.boolean(),
    apiKey: z.boolean(),
    integration: z.boolean().openapi({ description: 'One that the caller sees' }),
    isInUse: z.boolean().openapi({
      description: `The catalog has more than ${FIRST_PRODUCTS_MAX} data products`,
    }),
  })
  .openapi('FirstSteps')

/** The first steps, each with whether it is done. */
export type FirstSteps = z.infer<typeof firstSteps>
