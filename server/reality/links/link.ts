import { z } from '@hono/zod-openapi'
import type { PromiseKey } from '../../ledger/promises/promise.ts'

/** The states of a link, in the order of the decision. */
const LINK_STATES = [
  'linked',
  'ambiguous',
  'other_address',
  'not_found',
  'not_read',
  'no_source',
  'unplaced',
  'excluded',
  'not_applicable',
] as const

/** The state of a link. */
export type LinkState = (typeof LINK_STATES)[number]

/** The origins of a link: chosen by a person, named by an output port, found where the server points. */
const LINK_ORIGINS = ['hand', 'port', 'location'] as const

/** The origin of a link. */
export type LinkOrigin = (typeof LINK_ORIGINS)[number]

/** A promise that a change affects. */
export interface AffectedPromise extends PromiseKey {
  isProduction: boolean
  state: LinkState
  /** Null = it is not linked. */
  assetId: string | null
  /** Null = it is new. */
  formerState: LinkState | null
  formerAssetId: string | null
}

const linkPart = z.object({
  part: z.string(),
  promised: z.string().nullable(),
  actual: z.string().nullable(),
  rule: z.string(),
})

/** The link of a promise. */
export const assetLink = z
  .object({
    state: z.enum(LINK_STATES).openapi({ description: '`linked`, or why no asset is' }),
    assetId: z.string().nullable(),
    origin: z.enum(LINK_ORIGINS).nullable(),
    explanation: z.array(linkPart),
    candidates: z.array(z.string()).openapi({ description: 'The ids of at most ten assets' }),
  })
  .openapi('AssetLink')

/** The link of a promise, parsed. */
export type Link = z.infer<typeof assetLink>
