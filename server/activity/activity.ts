import { z } from '@hono/zod-openapi'
import type { RawBuilder } from 'kysely'
import type { Instant } from '../kit/clock.ts'

/**
 * The activity of an organization: every change of a document and every ingestion run that changed
 * assets, grouped by who made it and in which minute. A pipeline that registers 200 teams is one
 * group, so that it hides nothing else.
 */

/** The kinds of things that change. Assets are those that clients send; the others come with runs. */
export const ACTIVITY_KINDS = [
  'data-product',
  'data-contract',
  'team',
  'asset',
  'ingestion-run',
] as const

/** The levels of changes that people filter by. */
export const ACTIVITY_LEVELS = ['breaking', 'additive', 'wording'] as const

/** Groups of one page at most. */
export const GROUPS_MAX = 50

/** Changes that come with their group; the others are listed on request. */
export const GROUP_CHANGES_MAX = 5

/** Changes of one page of a group at most. */
export const CHANGES_MAX = 200

/** Actors that the filter offers at most. */
export const ACTORS_MAX = 1000

const instant = z.string().openapi({ format: 'date-time' })
const count = z.int().min(0)

const activityChange = z
  .object({
    at: instant,
    kind: z.enum(ACTIVITY_KINDS),
    id: z.string(),
    name: z.string(),
    action: z.enum(['created', 'updated', 'deleted', 'ingested']),
    version: z.int().nullable(),
    level: z.enum(ACTIVITY_LEVELS).nullable().openapi({
      description: 'Deleting a data product or a data contract is breaking; null = no level',
    }),
    integrationExternalId: z.string().nullable().openapi({ description: 'Of a run' }),
    counts: z
      .object({ created: count, updated: count, deleted: count })
      .nullable()
      .openapi({ description: 'Of a run: its assets' }),
  })
  .openapi('ActivityChange')

/** One change. */
export type ActivityChange = z.infer<typeof activityChange>

/** What one actor changed in one minute. */
export const activityGroup = z
  .object({
    minute: instant.openapi({ description: 'The start of the minute' }),
    actor: z.string().openapi({ description: 'Such as `user:<uuid>`' }),
    actorName: z.string().nullable(),
    total: count,
    breaking: count.openapi({ description: 'How many of them are breaking' }),
    tallies: z
      .array(
        z.object({
          kind: activityChange.shape.kind,
          action: activityChange.shape.action,
          count,
        }),
      )
      .openapi({ description: 'The most frequent first' }),
    changes: z.array(activityChange).openapi({
      description: `The first ${GROUP_CHANGES_MAX}, breaking ones before others`,
    }),
  })
  .openapi('ActivityGroup')

/** What one actor changed in one minute. */
export type ActivityGroup = z.infer<typeof activityGroup>

const next = z.string().nullable().openapi({ description: 'Send it as `after`; null = the end' })

/** A page of groups, the newest first. */
export const activityPage = z
  .object({ groups: z.array(activityGroup), next })
  .openapi('ActivityPage')

/** A page of groups, the newest first. */
export type ActivityPage = z.infer<typeof activityPage>

/** A page of the changes of one group, breaking ones first. */
export const activityChangesPage = z
  .object({ changes: z.array(activityChange), next })
  .openapi('ActivityChangesPage')

/** A page of the changes of one group. */
export type ActivityChangesPage = z.infer<typeof activityChangesPage>

/** Which changes are listed; undefined = all. */
export interface ActivityFilters {
  kinds?: readonly ActivityChange['kind'][] | undefined
  levels?: readonly (typeof ACTIVITY_LEVELS)[number][] | undefined
  /** A principal. */
  actor?: string | undefined
  /** The first instant, or an expression of it. */
  since?: Instant | RawBuilder<Instant> | undefined
  /** The first instant that is too late. */
  until?: Instant | undefined
}

/** The position of a group in the list of all groups. */
export interface GroupKey {
  /** The start of the minute. */
  minute: Instant
  /** A principal. */
  actor: string
}

/** The position of a change in its group. */
export interface ChangeKey {
  rank: number
  kind: string
  id: string
  /** 0 = a run, which has none. */
  version: number
  action: string
}
