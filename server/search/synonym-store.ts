import { sql } from 'kysely'
import type { Database } from '../tables.ts'
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
): Promise<void> {
  await db
    .updateTable('organization')
    .set({ search_synonyms: sql`${JSON.stringify(groups)}::jsonb` })
    .where('id', '=', organizationId)
    .execute()
}
