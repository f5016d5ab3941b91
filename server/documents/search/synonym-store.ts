import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendActivity } from '../../ledger/activity/record.ts'
import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { SynonymGroups } from './synonyms.ts'

/** Loads the synonyms that an organization has added. */
export async function loadSynonyms(db: Database, organizationId: string): Promise<SynonymGroups> {
  const row = await db
    .selectFrom('organization')
    .select(sql<SynonymGroups>`search_synonyms`.as('groups'))
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return row?.groups ?? []
}

/** Replaces the synonyms that an organization has added. */
export async function saveSynonyms(
  db: Database,
  organizationId: string,
  groups: SynonymGroups,
  actor: ActivityActor,
): Promise<void> {
  const entry = {
    kind: 'search-synonyms',
    action: 'updated',
    at: sql`clock_timestamp()`,
    subject: 'search-synonyms',
    name: 'Search synonyms',
    details: sql`jsonb_build_object(
      'before', jsonb_build_object('groups', jsonb_array_length(former.search_synonyms)),
      'after', jsonb_build_object('groups', jsonb_array_length(written.search_synonyms))
    )`,
  } as const
  // The fragment joins the former row, because a statement does not see its own changes.
  await sql`
    with written as (
      update organization
      set search_synonyms = ${JSON.stringify(groups)}::jsonb
      where id = ${organizationId}
      returning id, search_synonyms
    )
    ${appendActivity({ organizationId, ...actor }, entry, sql`from written join organization as former using (id)`)}
  `.execute(db)
}
