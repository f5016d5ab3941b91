import { sql, type RawBuilder } from 'kysely'
import type { Instant } from '../../platform/kit/clock.ts'
import { CSV_LINE_END, toCsvLine } from '../../platform/kit/csv.ts'
import type { Database } from '../../platform/tables.ts'
import type { ActivityFilters } from './activity.ts'
import { selectName } from './person-record.ts'
import { newestEntries, selectSources } from './source.ts'
import type { Viewer } from './viewer.ts'

/** The position of an entry in the list of all entries, newest first. */
export interface EntryKey {
  at: Instant
  position: string
}

/** The formats of a page of entries: a line for each entry. */
export type LineFormat = 'json' | 'csv'

/** The characters between the lines of a format. */
export const LINE_ENDS: Readonly<Record<LineFormat, string>> = { json: '\n', csv: CSV_LINE_END }

/** A page of entries as text. */
interface EntryLines {
  /** The lines, joined by the line end of the format; empty = no entries. */
  text: string
  count: number
  /** The last entry; null = there are no entries. */
  last: EntryKey | null
}

/** The columns of a CSV export. */
export const CSV_COLUMNS = [
  'at',
  'actor',
  'actorName',
  'kind',
  'subject',
  'name',
  'action',
  'level',
  'team',
  'versionBefore',
  'versionAfter',
  'details',
  'requestId',
  'id',
] as const

// All indexes contain these columns, so that only the entries of the page are read from the table.
const KEY = sql`entry.kind, entry.at, entry.position`

/**
 * Lists the newest entries after a position, each as a line of text. PostgreSQL formats the lines, so that an export of
 * a million entries costs the process no more than copying them.
 */
export async function listLines(
  db: Database,
  viewer: Viewer,
  filters: ActivityFilters,
  { after, limit, format }: { after: EntryKey | undefined; limit: number; format: LineFormat },
): Promise<EntryLines> {
  const sources = selectSources(viewer, filters)
  if (sources.length === 0) return { text: '', count: 0, last: null }
  const newest = newestEntries(sources, KEY, {
    condition: isBetween(filters, after),
    limit,
  })
  const { rows } = await sql<EntryLines>`
    with place as materialized (
      select *
      from (${newest}) as newest
      order by at desc, position desc
      limit ${limit}
    ),
    page as materialized (
      select entry.*
      from place
      cross join lateral (
        select *
        from activity_entry
        where organization_id = ${viewer.organizationId}
          and kind = place.kind
          and at = place.at
          and position = place.position
        offset 0
      ) as entry
    ),
    named as (
      select page.*, ${ACTOR_NAME} as actor_name, ${selectName(viewer.organizationId, 'page')} as subject_name,
        to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as instant
      from page
    )
    select coalesce(string_agg(${LINES[format]}, ${LINE_ENDS[format]}::text order by at desc, position desc), '') as text,
      count(*)::integer as count,
      (
        select json_build_object(
          'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
          'position', position::text
        )
        from page
        order by at, position
        limit 1
      ) as last
    from named
  `.execute(db)
  const [page] = rows
  if (page === undefined) throw new Error('an aggregate without groups returned no row')
  return page
}

/**
 * Takes the id of a new transaction, which is higher than that of every open one. A snapshot does not have it: its `xmax`
 * only follows the last transaction that has ended.
 */
export async function takeTransactionId(db: Database): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select pg_current_xact_id()::text as id
  `.execute(db)
  return rows[0]?.id ?? ''
}

/** Returns whether all transactions with lower ids have ended. */
export async function isSettled(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql<{ isSettled: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot()) >= ${id}::xid8 as "isSettled"
  `.execute(db)
  return rows[0]?.isSettled === true
}

// Names of people are those of members only, because accounts are shared by all organizations.
const ACTOR_NAME = sql`case split_part(principal, ':', 1)
        when 'system' then 'Portbook'
        when 'directory' then 'Directory'
        when 'user' then (
          select user_account.name
          from organization_member
          join user_account on user_account.id = organization_member.user_id
          where organization_member.organization_id = page.organization_id
            and organization_member.user_id::text = substr(principal, 6)
        )
        when 'api-key' then (
          select display_name
          from api_key
          where api_key.organization_id = page.organization_id
            and api_key.id::text = substr(principal, 9)
        )
        when 'integration' then (
          select integration.name
          from integration
          where integration.organization_id = page.organization_id
            and integration.external_id = substr(principal, 13)
        )
      end`

const JSON_LINE = sql`json_build_object(
        'id', id, 'at', instant, 'actor', principal, 'actorName', actor_name, 'kind', kind,
        'subject', subject, 'name', subject_name, 'action', action, 'level', nullif(level, 'none'),
        'team', nullif(team, ''), 'versionBefore', version_before, 'versionAfter', version_after,
        'details', details, 'requestId', nullif(request_id, '')
      )::text`

const CSV_LINE = toCsvLine([
  sql`instant`,
  sql`principal`,
  sql`actor_name`,
  sql`kind`,
  sql`subject`,
  sql`subject_name`,
  sql`action`,
  sql`nullif(level, 'none')`,
  sql`nullif(team, '')`,
  sql`version_before::text`,
  sql`version_after::text`,
  sql`details::text`,
  sql`request_id`,
  sql`id::text`,
])

const LINES = { json: JSON_LINE, csv: CSV_LINE } satisfies Record<LineFormat, RawBuilder<unknown>>

function isBetween(
  { since, until }: ActivityFilters,
  after: EntryKey | undefined,
): RawBuilder<unknown> {
  const conditions = [
    sql`true`,
    since === undefined ? undefined : sql`entry.at >= ${since}::timestamptz`,
    until === undefined ? undefined : sql`entry.at < ${until}::timestamptz`,
    after &&
      sql`(entry.at, entry.position) < (${after.at}::timestamptz, ${after.position}::bigint)`,
  ].filter((condition) => condition !== undefined)
  return sql.join(conditions, sql` and `)
}
