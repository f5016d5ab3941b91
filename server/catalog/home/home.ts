import { z } from '@hono/zod-openapi'
import { activityGroup } from '../../ledger/activity/activity.ts'

/**
 * The home page shows a person their products, the changes of the week and the items that need attention: failed runs,
 * held deletes, incidents, expiring keys, missing contracts, requests of access.
 */

/** The maximum number of products on the page. */
export const PRODUCTS_MAX = 12

/** The maximum number of groups of changes of each kind on the page, and the number of days that they cover. */
export const GROUPS_MAX = 8
export const CHANGE_DAYS = 7

/** The maximum number of attention items of one kind. */
export const ATTENTION_MAX = 20

/** The numbers of days before and after its expiry in which a key is listed. */
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
      'access_requested',
      'drift_open',
      'incident',
    ]),
    severity: z.enum(['serious', 'warning', 'note']),
    title: z.string(),
    detail: z.string(),
    target: z.object({
      kind: z.enum([
        'data-product',
        'data-contract',
        'integration',
        'run',
        'api-keys',
        'search',
        'requests',
        'incidents',
      ]),
      id: z.string().nullable(),
      integrationExternalId: z.string().nullable(),
    }),
    at: instant.nullable(),
    count,
  })
  .openapi('Attention')

/** The home page of a person. */
export const home = z
  .object({
    counts: z.object({
      dataProducts: count,
      dataContracts: count,
      teams: count,
      assets: count,
      sourceSystems: count,
      integrations: count.openapi({ description: 'Those that the caller can see' }),
    }),
    products: z.array(homeProduct).openapi({ description: 'Last changed first' }),
    productsAreMine: z.boolean().openapi({
      description: "true = those of the caller's teams; false = the latest of all",
    }),
    starred: z
      .array(homeProduct)
      .openapi({ description: 'Those that the caller starred, the last one first' }),
    activity: z
      .object({ breaking: z.array(activityGroup), latest: z.array(activityGroup) })
      .openapi({ description: 'Of the last 7 days: the groups with breaking changes, and all' }),
    attention: z.array(attention).openapi({ description: 'The most serious first' }),
  })
  .openapi('Home')

/** The home page of a person. */
export type Home = z.infer<typeof home>

/** A product on the home page. */
export type HomeProduct = z.infer<typeof homeProduct>

/** An item that needs a person's attention. */
export type Attention = z.infer<typeof attention>

/** The number of data products above which a catalog needs no guidance. */
export const FIRST_PRODUCTS_MAX = 3

/** The first steps of setting up a catalog, each with whether it is done. */
export const firstSteps = z
  .object({
    team: z.boolean(),
    dataProduct: z.boolean(),
    apiKey: z.boolean(),
    integration: z.boolean().openapi({ description: 'One that the caller can see' }),
    isInUse: z.boolean().openapi({
      description: `The catalog has more than ${FIRST_PRODUCTS_MAX} data products`,
    }),
  })
  .openapi('FirstSteps')

/** The first steps, each with whether it is done. */
export type FirstSteps = z.infer<typeof firstSteps>
