import { sql, type RawBuilder } from 'kysely'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { ActivityFilters } from './activity.ts'
import { DETAILED_KIND, ENTRY_KINDS, getAudience, type Audience, type EntryKind } from './entry.ts'
import type { Viewer } from './viewer.ts'

// A viewer reads each kind of entry by its part of an index, because the kind decides which entries the viewer can see:
// all, those of certain teams, or those that concern the viewer. A page therefore never skips entries that it must not
// show, and its duration does not depend on their number.

/** A set of parts of an index, and the condition of an entry of a part. The parts have the columns of `part`. */
interface Source {
  /** An item of a from clause, named `part`. */
  parts: RawBuilder<unknown>
  /** The conditions on `entry`, without those on the time. */
  matches: RawBuilder<unknown>
}

/** Returns the instant a number of days ago, as an SQL expression that is computed once per statement. */
export function daysAgo(clock: Clock, days: number): RawBuilder<Instant> {
  return sql<Instant>`(select ${clock.now} - make_interval(days => ${days}))`
}

/** Returns the instant a number of minutes ago, as `daysAgo` does. */
export function minutesAgo(clock: Clock, minutes: number): RawBuilder<Instant> {
  return sql<Instant>`(select ${clock.now} - make_interval(mins => ${minutes}))`
}

/** Returns the later of two instants; undefined = no first one. */
export function latest(
  first: ActivityFilters['since'],
  second: RawBuilder<Instant>,
): RawBuilder<Instant> {
  return first === undefined ? second : sql<Instant>`greatest(${first}::timestamptz, ${second})`
}

/** Returns the sources of the entries that a viewer can see and that match the filters. */
export function selectSources(viewer: Viewer, filters: ActivityFilters): Source[] {
  const { kinds = listUsualKinds(filters), levels, actor, team, subject, requestId } = filters
  const shared = sql.join(
    [
      sql`entry.organization_id = ${viewer.organizationId}::uuid and entry.kind = part.kind`,
      actor === undefined ? undefined : sql`entry.principal = ${actor}`,
      team === undefined ? undefined : sql`entry.team = ${team}`,
      subject === undefined ? undefined : sql`entry.subject = ${subject}`,
      requestId === undefined ? undefined : sql`entry.request_id = ${requestId}`,
      // The second condition lets PostgreSQL use the index of levels.
      levels && sql`entry.level = part.level and entry.level <> 'none'`,
    ].filter((condition) => condition !== undefined),
    sql` and `,
  )
  // The indexes of actors and teams do not contain the assets of runs.
  const sets = [
    { kinds: kinds.filter((kind) => kind !== DETAILED_KIND), condition: NOT_DETAILED },
    { kinds: kinds.filter((kind) => kind === DETAILED_KIND), condition: sql`true` },
  ]
  return sets.flatMap(({ kinds: names, condition }) =>
    splitByAudience(viewer, names).map(({ parts, visible }) => ({
      parts: withLevels(parts, levels),
      matches: sql`${shared} and ${condition} and ${visible}`,
    })),
  )
}

const NOT_DETAILED = sql`entry.kind <> ${sql.lit(DETAILED_KIND)}`

function listUsualKinds({ subject }: ActivityFilters): readonly EntryKind[] {
  if (subject !== undefined) return ENTRY_KINDS
  return ENTRY_KINDS.filter((kind) => kind !== DETAILED_KIND)
}

interface Parts {
  parts: RawBuilder<unknown>
  visible: RawBuilder<unknown>
}

function splitByAudience({ isOwner, teams, userId }: Viewer, kinds: readonly EntryKind[]): Parts[] {
  const of = (audience: Audience): EntryKind[] =>
    kinds.filter((kind) => !isOwner && getAudience(kind) === audience)
  const open = isOwner ? [...kinds] : of('everyone')
  // An entry without a team is visible to everyone.
  const ofTeams = of('team').flatMap((kind) => ['', ...teams].map((team) => ({ kind, team })))
  const personal = userId === '' ? [] : of('person')
  const all = [
    { names: open, parts: sql`unnest(${open}::text[]) as part (kind)`, visible: sql`true` },
    {
      names: ofTeams,
      parts: sql`unnest(
          ${ofTeams.map(({ kind }) => kind)}::text[], ${ofTeams.map(({ team }) => team)}::text[]
        ) as part (kind, team)`,
      visible: sql`entry.team = part.team`,
    },
    {
      names: personal,
      parts: sql`unnest(${personal}::text[]) as part (kind)`,
      visible: sql`entry.person = ${userId}::uuid`,
    },
  ]
  return all.filter(({ names }) => names.length > 0)
}

function withLevels(
  parts: RawBuilder<unknown>,
  levels: ActivityFilters['levels'],
): RawBuilder<unknown> {
  if (levels === undefined) return parts
  return sql`(
      select part.*, level.level
      from ${parts}
      cross join unnest(${levels}::text[]) as level (level)
    ) as part`
}

/** Returns the minute of the last entry before an instant, as an SQL expression; null = none. */
export function latestBefore(
  sources: readonly Source[],
  { since }: ActivityFilters,
  end: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const ofEach = sources.map(
    ({ parts, matches }) => sql`(
        select max(newest.at)
        from ${parts}
        cross join lateral (
          select at
          from activity_entry as entry
          where ${matches}
            and entry.at < ${end}
            ${since === undefined ? sql`` : sql`and entry.at >= ${since}::timestamptz`}
          order by at desc
          limit 1
        ) as newest
      )`,
  )
  return sql`date_trunc('minute', greatest(${sql.join(ofEach)}), 'UTC')`
}

/** Returns a query of the entries between two instants, excluding the second. */
export function entriesBetween(
  sources: readonly Source[],
  columns: RawBuilder<unknown>,
  [start, end]: readonly [RawBuilder<unknown>, RawBuilder<unknown>],
): RawBuilder<unknown> {
  const ofEach = sources.map(
    ({ parts, matches }) => sql`
        select ${columns}
        from ${parts}
        join activity_entry as entry on ${matches}
          and entry.at >= ${start}
          and entry.at < ${end}`,
  )
  return sql.join(ofEach, sql` union all `)
}

/** Returns a query of the newest entries that satisfy a condition, in no order: at most `limit` of each part. */
export function newestEntries(
  sources: readonly Source[],
  columns: RawBuilder<unknown>,
  { condition, limit }: { condition: RawBuilder<unknown>; limit: number },
): RawBuilder<unknown> {
  const ofEach = sources.map(
    ({ parts, matches }) => sql`
        select newest.*
        from ${parts}
        cross join lateral (
          select ${columns}
          from activity_entry as entry
          where ${matches}
            and ${condition}
          order by entry.at desc, entry.position desc
          limit ${limit}
        ) as newest`,
  )
  return sql.join(ofEach, sql` union all `)
}
