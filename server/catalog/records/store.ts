import { sql } from 'kysely'
import type { RecordName } from '../../../formats/record/kinds.ts'
import type { ResourceKey } from '../../documents/resource.ts'
import type { Database } from '../../platform/tables.ts'

/**
 * Finds another record of a kind with the same key of its id. The unique index on that key makes the insert of one of
 * two concurrent records fail.
 */
export async function findSimilarId(
  db: Database,
  { organizationId, kind, id }: ResourceKey & { kind: RecordName },
  idKey: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select external_id as id
    from catalog_record
    where organization_id = ${organizationId}
      and kind = ${kind}
      and id_key = ${idKey}
      and external_id <> ${id}
  `.execute(db)
  return rows[0]?.id
}
