import { sql } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendIdentityResources } from '../../ledger/activity/identity-record.ts'
import type { Database } from '../../platform/tables.ts'
import { DIRECTORY_KEYS_MAX, type DirectoryKey } from './directory-key.ts'

/** A key ready to insert. */
interface NewKey {
  id: string
  secretHash: Buffer
  secretPrefix: string
}

/**
 * Inserts a key, unless the organization has as many as it may have. The transaction must have locked the members, which
 * serializes concurrent inserts. Returns whether it was inserted.
 */
export async function insertKey(
  db: Database,
  organizationId: string,
  key: NewKey,
  actor: ActivityActor,
): Promise<boolean> {
  const origin = { organizationId, ...actor }
  const { rows } = await sql`
    with added as (
      insert into directory_key (organization_id, id, secret_hash, secret_prefix, created_by)
      select ${organizationId}::uuid, ${key.id}::uuid, ${key.secretHash}::bytea, ${key.secretPrefix},
        ${actor.principal}
      where (
        select count(*)
        from directory_key
        where organization_id = ${organizationId}
      ) < ${DIRECTORY_KEYS_MAX}
      returning id, secret_prefix as name
    ),
    entry as (${appendIdentityResources(origin, { kind: 'directory', action: 'key-created' }, 'added')}
    )
    select id
    from added
  `.execute(db)
  return rows.length > 0
}

/** Lists the keys of an organization, oldest first. */
export async function listKeys(db: Database, organizationId: string): Promise<DirectoryKey[]> {
  const { rows } = await sql<DirectoryKey>`
    select
      directory_key.id, secret_prefix as "secretPrefix", directory_key.created_at as "createdAt",
      created_by as "createdBy", last_used_at as "lastUsedAt"
    from directory_key
    where organization_id = ${organizationId}
    order by created_at, id
  `.execute(db)
  return rows
}

/** Deletes a key. Returns whether it existed. */
export async function deleteKey(
  db: Database,
  organizationId: string,
  id: string,
  actor: ActivityActor,
): Promise<boolean> {
  const { rows } = await sql`
    with removed as (
      delete from directory_key
      where organization_id = ${organizationId}
        and id = ${id}
      returning id, secret_prefix as name
    ),
    entry as (${appendIdentityResources({ organizationId, ...actor }, { kind: 'directory', action: 'key-deleted' }, 'removed')}
    )
    select id
    from removed
  `.execute(db)
  return rows.length > 0
}
