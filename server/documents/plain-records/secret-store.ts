import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { PlainRecordKey, SealedDocument } from './model.ts'
import { storeSecret, withSecret } from './secret-record.ts'

/**
 * Lists some records of kinds with secrets, of all organizations, that are stored with them in the clear. Each start of a
 * process asks: an older one may still write such records. It reads the records of these kinds by their key, and no
 * others, of which there may be many.
 */
export async function listUnsealed(
  db: Database,
  kinds: readonly string[],
  limit: number,
): Promise<(PlainRecordKey & { document: string })[]> {
  const { rows } = await sql<PlainRecordKey & { document: string }>`
    select stored.organization_id as "organizationId", stored.kind, stored.scope, stored.external_id as id,
      stored.document
    from organization
    cross join unnest(${kinds}::text[]) as guarded (kind)
    cross join lateral (
      select *
      from plain_record
      where organization_id = organization.id
        and kind = guarded.kind
      offset 0
    ) as stored
    ${withSecret}
    where secret.sealed is null
    limit ${limit}
  `.execute(db)
  return rows
}

/** Replaces a document in the clear by a masked and a sealed one, unless it was changed in the meantime. */
export async function sealDocument(
  db: Database,
  key: PlainRecordKey,
  before: string,
  { document, secret }: { document: string; secret: SealedDocument },
): Promise<void> {
  const { organizationId, kind, scope, id } = key
  await sql`
    with masked as (
      update plain_record
      set document = ${document}
      where organization_id = ${organizationId}
        and kind = ${kind}
        and scope = ${scope}
        and external_id = ${id}
        and document = ${before}
      returning external_id
    ),
    ${storeSecret(key, secret, 'masked')}
    result as (select)
    select
    from result
  `.execute(db)
}
