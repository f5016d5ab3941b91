import { z } from '@hono/zod-openapi'
import type { RawBuilder } from 'kysely'
import type { Instant } from '../../platform/kit/clock.ts'
import { ENTRY_KINDS, type EntryKind } from './entry.ts'
import { asOfParameter } from '../history/revision.ts'

/**
 * The activity of an organization as its page shows it: entries grouped by actor and minute. A pipeline that registers
 * 200 teams makes one group, so it does not hide other changes.
 */

/** The kinds that the page lists only on request: there are too many of them, and most are routine. */
export const QUIET_KINDS: readonly EntryKind[] = ['account', 'ingestion-attempt', 'ingested-asset']

/** The kinds that the page lists if none is chosen. */
export const USUAL_KINDS = ENTRY_KINDS.filter((kind) => !QUIET_KINDS.includes(kind))

/** The levels by which changes can be filtered. */
export const ACTIVITY_LEVELS = ['breaking', 'additive', 'wording'] as const

/** The maximum number of groups of a page. */
export const GROUPS_MAX = 50

/** The number of changes that are returned with their group; the others are listed on request. */
export const GROUP_CHANGES_MAX = 5

/** The maximum number of changes of a page of a group. */
export const CHANGES_MAX = 200

/** The maximum number of actors in the filter. */
export const ACTORS_MAX = 1000

const instant = z.string().openapi({ format: 'date-time' })
const count = z.int().min(0)

const activityChange = z
  .object({
    at: instant,
    kind: z.enum(ENTRY_KINDS),
    id: z.string(),
    name: z.string(),
    action: z.string().openapi({ description: 'A participle: `created`, `role-changed`' }),
    version: z.int().nullable(),
    versionBefore: z.int().nullable(),
    level: z.enum(ACTIVITY_LEVELS).nullable().openapi({
      description: 'Deleting a data product or a data contract is breaking; null = no level',
    }),
    team: z.string().nullable().openapi({ description: 'The external id of the owning team' }),
    integrationExternalId: z.string().nullable().openapi({ description: 'Only for runs' }),
    details: z.record(z.string(), z.unknown()).nullable().openapi({
      description: 'Further facts, such as the values before and after',
    }),
    counts: z
      .object({ created: count, updated: count, deleted: count })
      .nullable()
      .openapi({ description: 'Only for runs: the numbers of changed assets' }),
  })
  .openapi('ActivityChange')

/** A change. */
export type ActivityChange = z.infer<typeof activityChange>

/** The changes of an actor in a minute. */
export const activityGroup = z
  .object({
    minute: instant.openapi({ description: 'The start of the minute' }),
    actor: z.string().openapi({ description: 'A principal, such as `user:<uuid>`' }),
    actorName: z.string().nullable(),
    total: count,
    breaking: count.openapi({ description: 'The number of breaking changes' }),
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

/** The changes of an actor in a minute. */
export type ActivityGroup = z.infer<typeof activityGroup>

const next = z.string().nullable().openapi({ description: 'Send it as `after`; null = the end' })

/** A page of groups, newest first. */
export const activityPage = z
  .object({ groups: z.array(activityGroup), next })
  .openapi('ActivityPage')

/** A page of groups, newest first. */
export type ActivityPage = z.infer<typeof activityPage>

/** A page of the changes of a group, breaking ones first. */
export const activityChangesPage = z
  .object({ changes: z.array(activityChange), next })
  .openapi('ActivityChangesPage')

/** A page of the changes of a group. */
export type ActivityChangesPage = z.infer<typeof activityChangesPage>

/** The filters of a list of changes; undefined = all. */
export interface ActivityFilters {
  kinds?: readonly EntryKind[] | undefined
  levels?: readonly (typeof ACTIVITY_LEVELS)[number][] | undefined
  /** A principal. */
  actor?: string | undefined
  /** The external id of the team that owned the resource when the entry was made. */
  team?: string | undefined
  /** The id of the resource. */
  subject?: string | undefined
  /** The request that made them. With the actor of the viewer, entries of every kind are visible. */
  requestId?: string | undefined
  /** The first instant, or an SQL expression of it. */
  since?: Instant | RawBuilder<Instant> | undefined
  /** The instant before which changes are listed. */
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
  /** The position of its entry, for several changes of one resource. */
  position: string
}

// The parameters that the page and the API share.

const ID_CHARACTERS_MAX = 300

const oneOrMore = <T extends string>(values: readonly T[], description: string) =>
  z
    .union([
      z.enum(values).transform((value) => [value]),
      z.array(z.enum(values)).max(values.length),
    ])
    .optional()
    .openapi({ type: 'array', items: { type: 'string', enum: [...values] }, description })

/** Reads the maximum number of elements of a page. */
export const limitParameter = (usual: number, most: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .transform((text) => Math.min(Number(text), most))
    .default(usual)

/** Reads a principal, such as `user:<uuid>`. */
export const actorParameter = z.string().max(ID_CHARACTERS_MAX)

/** The filters of entries, without the actor. */
export const filterParameters = {
  kind: oneOrMore(ENTRY_KINDS, 'Of one of these kinds'),
  level: oneOrMore(ACTIVITY_LEVELS, 'Of one of these levels'),
  team: z
    .string()
    .max(ID_CHARACTERS_MAX)
    .optional()
    .openapi({ description: 'Of a resource that this team owned when the entry was made' }),
  since: asOfParameter.openapi({ description: 'From this instant on' }),
  until: asOfParameter.openapi({ description: 'Before this instant' }),
}

/** Reads the id of a resource. */
export const subjectParameter = z.string().max(ID_CHARACTERS_MAX)
