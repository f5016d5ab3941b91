import { z } from '@hono/zod-openapi'

/**
 * People follow data products, data contracts, teams and searches to be notified of their changes. Members of the
 * owning team and of the teams that consume the data follow by default: that is computed, never stored. People can mute
 * what they follow by default. The star of a data product in the API is the same as following it.
 */

/** The kinds of what people follow. */
const FOLLOWED_KINDS = ['data-product', 'data-contract', 'team', 'search'] as const

/** A kind of what people follow. */
export type FollowedKind = (typeof FOLLOWED_KINDS)[number]

/** The maximum number of subjects that a person follows or mutes in an organization. */
export const FOLLOWS_MAX = 1000

/** The maximum number of searches that a person follows, and that an organization can have followed in total. */
export const SEARCHES_MAX = { ofPerson: 20, ofOrganization: 500 }

/** The maximum length of the subject of a follow; a canonical query is the longest one. */
export const SUBJECT_CHARACTERS_MAX = 1000

const kind = z.enum(FOLLOWED_KINDS, `must be one of ${FOLLOWED_KINDS.join(', ')}`)
const subject = z
  .string()
  .max(SUBJECT_CHARACTERS_MAX)
  .openapi({ description: 'The id; of a search its query: `query=orders&tag=pii`' })

/** The parameters that name a subject. */
export const followQuery = z.object({ kind, id: subject })

/** Names what to follow or to mute. */
export const followForm = z
  .strictObject({ kind, id: subject, muted: z.boolean().default(false) })
  .openapi('FollowForm')

/** The follow of the caller. */
export const followState = z
  .object({
    count: z.int().min(0).openapi({
      description: 'The people who chose to follow it, and the caller if they follow it by default',
    }),
    state: z
      .enum(['following', 'muted', 'none'])
      .openapi({ description: 'What the caller has chosen' }),
    followsBecause: z
      .enum(['owner', 'consumer'])
      .nullable()
      .openapi({ description: 'Why the caller follows it by default; null = they do not' }),
  })
  .openapi('FollowState')

/** The follow of a caller, parsed. */
export type FollowState = z.infer<typeof followState>

const follow = z.object({
  kind,
  id: z.string(),
  name: z.string().nullable().openapi({ description: 'null = a search, or deleted' }),
  muted: z.boolean(),
  followedAt: z.string().openapi({ format: 'date-time' }),
})

/** A subject that a person follows or has muted. */
export type Follow = z.infer<typeof follow>

/** Everything that the caller follows or has muted. */
export const followList = z
  .array(follow)
  .openapi('FollowList', { description: 'The last one first, at most 1000' })

/** A subject in an organization. */
export interface FollowedSubject {
  organizationId: string
  kind: FollowedKind
  id: string
}
