import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { AUDIENCE, appendNotifications } from './record.ts'

/** Lists the searches that people of an organization follow, as canonical queries. */
export async function listFollowedSearches(
  db: Database,
  organizationId: string,
): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select distinct subject
    from follow
    where organization_id = ${organizationId}
      and kind = 'search'
      and not is_muted
    order by subject
  `.execute(db)
  return rows.map(({ subject }) => subject)
}

/** New documents that a followed search finds. */
export interface SearchMatch {
  /** The canonical query. */
  search: string
  count: number
  /** The names of the first ones. */
  names: readonly string[]
  /** The principal that created all of them; null = several. */
  principal: string | null
}

/** Inserts the notifications of new results. `eventId` identifies the batch of events that had them. */
export async function insertSearchNotifications(
  db: Database,
  organizationId: string,
  eventId: string,
  matches: readonly SearchMatch[],
): Promise<void> {
  await sql`
    with occasion as (
      select 'search_match' as kind,
        'search/' || md5(match.search) || '/' || ${eventId}::text as occasion,
        'search' as subject_kind, match.search as subject_id, null::text as subject_name,
        match.principal, jsonb_build_object('count', match.count, 'names', match.names) as data,
        jsonb_build_array(${AUDIENCE.followers('search', sql`match.search`)}) as audience,
        null::text[] as visible_to, clock_timestamp() as occurred_at
      from jsonb_to_recordset(${JSON.stringify(matches)}::jsonb)
        as match (search text, count integer, names jsonb, principal text)
    )
    ${appendNotifications(sql`${organizationId}::uuid`)}
  `.execute(db)
}
