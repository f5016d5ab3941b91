import { sql, type RawBuilder } from 'kysely'
import type { Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import {
  GROUP_CHANGES_MAX,
  type ActivityChange,
  type ActivityFilters,
  type ActivityGroup,
  type ChangeKey,
  type GroupKey,
  ACTORS_MAX,
} from './activity.ts'
import { selectName } from './person-record.ts'
import { entriesBetween, latestBefore, selectSources } from './source.ts'
import type { Viewer } from './viewer.ts'

/** A change with its position in its group. */
type ChangeRow = ActivityChange & { rank: number; position: string }

/** One of the first changes of a group, with the facts of the group. */
export type GroupRow = ChangeRow & {
  minute: Instant
  actor: string
  total: number
  breaking: number
  tallies: ActivityGroup['tallies']
  /** Whether the page ends early because of its many changes, so further groups follow. */
  isCut: boolean
}

const RANK = sql`case
    when level = 'breaking' then 0
    when action = 'deleted' then 1
    when level = 'additive' then 2
    when level = 'wording' then 3
    else 4
  end`

const POSITION_COLUMNS = ['rank', 'kind', 'id', 'position']
const POSITION = sql.join(POSITION_COLUMNS.map((name) => sql.ref(name)))
const COLUMNS = sql`entry.at, entry.kind, entry.subject as id, entry.position, entry.action,
          entry.level, entry.principal as actor, entry.name, entry.team, entry.version_before,
          entry.version_after, entry.details`
const CHANGE_POSITION = sql.join(POSITION_COLUMNS.map((name) => sql.ref(`change.${name}`)))

// A page ends with the minute in which it reaches this number of changes.
const PAGE_CHANGES_MAX = 10_000

/**
 * Lists the first changes of the newest groups, group by group. It steps backwards through the minutes with changes,
 * each with an index lookup, so its duration does not depend on the length of the history or the size of the groups.
 */
export async function listGroups(
  db: Database,
  viewer: Viewer,
  filters: ActivityFilters,
  page: { after: GroupKey | undefined; limit: number },
): Promise<GroupRow[]> {
  const sources = selectSources(viewer, filters)
  if (sources.length === 0) return []
  const { after, limit } = page
  const until = sql`${filters.until ?? 'infinity'}::timestamptz`
  const { start, isAfter } = resumeAfter(after, until)
  const inMinute = entriesBetween(sources, COLUMNS, [
    sql`greatest(minute.instant, ${filters.since ?? '-infinity'}::timestamptz)`,
    sql`least(minute.instant + interval '1 minute', ${until})`,
  ])
  const { rows } = await sql<GroupRow>`
    with recursive minute (instant, ordinal, changes_before) as (
      select ${latestBefore(sources, filters, start)}, 1, 0::bigint
      union all
      select ${latestBefore(sources, filters, sql`minute.instant`)}, ordinal + 1,
        changes_before + (
          select count(*)
          from (
            select
            from (${inMinute}) as change
            where ${isAfter}
            limit ${PAGE_CHANGES_MAX + 1}
          ) as counted
        )
      from minute
      where instant is not null
        and ordinal <= ${limit + 1}
        and changes_before <= ${PAGE_CHANGES_MAX}
    ),
    change as materialized (
      select minute.instant as minute, change.*, ${RANK} as rank
      from minute
      cross join lateral (${inMinute}) as change
      where minute.instant is not null
        and changes_before <= ${PAGE_CHANGES_MAX}
        and ${isAfter}
    ),
    ${selectGroups(limit)}
    select page.minute, page.actor, page.total, page.breaking, page.tallies, change.rank,
      change.position,
      exists (
        select from minute where instant is not null and changes_before > ${PAGE_CHANGES_MAX}
      ) as "isCut",
      ${describeChange(viewer.organizationId)}
    from page
    join first_change as change on change.first_minute = page.minute
      and change.first_actor = page.actor
    order by page.minute desc, page.actor, ${CHANGE_POSITION}
  `.execute(db)
  return rows
}

// Returns the start of a page: the instant before which its first minute is, and the condition on its changes.
function resumeAfter(
  after: GroupKey | undefined,
  until: RawBuilder<unknown>,
): { start: RawBuilder<unknown>; isAfter: RawBuilder<unknown> } {
  if (after === undefined) return { start: until, isAfter: sql`true` }
  return {
    start: sql`least(${until}, ${after.minute}::timestamptz + interval '1 minute')`,
    isAfter: sql`(minute.instant < ${after.minute}::timestamptz or actor > ${after.actor})`,
  }
}

// Selects the groups of the changes in `change`, with the count of each kind of change and the first changes of each
// group. A limit per group keeps only a few rows while sorting; a window function would sort all changes of a bulk
// load.
function selectGroups(limit: number): RawBuilder<unknown> {
  return sql`
    tally as materialized (
      select minute, actor, kind, action, count(*)::integer as count,
        (count(*) filter (where level = 'breaking'))::integer as breaking
      from change
      group by minute, actor, kind, action
    ),
    page as materialized (
      select minute, actor, sum(count)::integer as total, sum(breaking)::integer as breaking,
        json_agg(
          json_build_object('kind', kind, 'action', action, 'count', count)
          order by count desc, kind, action
        ) as tallies
      from tally
      group by minute, actor
      order by minute desc, actor
      limit ${limit + 1}
    ),
    first_change as (
      select page.minute as first_minute, page.actor as first_actor, first.*
      from page
      cross join lateral (
        select *
        from change
        where change.minute = page.minute
          and change.actor = page.actor
        order by ${POSITION}
        limit ${GROUP_CHANGES_MAX}
      ) as first
    )`
}

/** Lists the changes of a group after a change, breaking ones first. */
export async function listGroupChanges(
  db: Database,
  viewer: Viewer,
  filters: ActivityFilters,
  page: { group: GroupKey; after: ChangeKey | undefined; limit: number },
): Promise<ChangeRow[]> {
  const { group, after, limit } = page
  const sources = selectSources(viewer, { ...filters, actor: group.actor })
  if (sources.length === 0) return []
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`(${POSITION}) > (
          ${after.rank}::integer, ${after.kind}::text, ${after.id}::text, ${after.position}::bigint
        )`
  const { rows } = await sql<ChangeRow>`
    with change as materialized (
      select *
      from (
        select happened.*, ${RANK} as rank
        from (
          ${entriesBetween(sources, COLUMNS, [
            sql`greatest(${group.minute}::timestamptz, ${filters.since ?? '-infinity'}::timestamptz)`,
            sql`least(
              ${group.minute}::timestamptz + interval '1 minute',
              ${filters.until ?? 'infinity'}::timestamptz
            )`,
          ])}
        ) as happened
      ) as ranked
      where ${isAfter}
      order by ${POSITION}
      limit ${limit}
    )
    select change.rank, change.position, ${describeChange(viewer.organizationId)}
    from change
    order by ${CHANGE_POSITION}
  `.execute(db)
  return rows
}

const describeChange = (
  organizationId: string,
): RawBuilder<unknown> => sql`change.at, change.kind, change.id,
      ${selectName(organizationId, 'change', 'id')} as name, change.action,
      coalesce(change.version_after, change.version_before) as version,
      change.version_before as "versionBefore", nullif(change.level, 'none') as level,
      nullif(change.team, '') as team, change.details ->> 'integration' as "integrationExternalId",
      change.details,
      case when change.kind = 'ingestion-run' then
        json_build_object(
          'created', coalesce((change.details -> 'created')::integer, 0),
          'updated', coalesce((change.details -> 'updated')::integer, 0),
          'deleted', coalesce((change.details -> 'deleted')::integer, 0)
        )
      end as counts`

/** Lists the possible actors: members, then the API keys that fulfil a condition, by name. */
export async function listActors(
  db: Database,
  organizationId: string,
  canSeeKey: RawBuilder<unknown>,
): Promise<{ principal: string; name: string }[]> {
  const { rows } = await sql<{ principal: string; name: string }>`
    select principal, name
    from (
      select 1 as ordinal, 'user:' || user_account.id as principal, user_account.name
      from organization_member
      join user_account on user_account.id = organization_member.user_id
      where organization_member.organization_id = ${organizationId}
      union all
      select 2, 'api-key:' || id, display_name
      from api_key
      where organization_id = ${organizationId}
        and ${canSeeKey}
    ) as actor
    order by ordinal, lower(name), principal
    limit ${ACTORS_MAX}
  `.execute(db)
  return rows
}
