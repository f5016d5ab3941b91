import { sql, type RawBuilder } from 'kysely'
import type { PlainRecordKey, SealedDocument } from './model.ts'

/** Joins the sealed document of a record whose kind has a secret to `stored`. */
export const withSecret = sql`
    left join plain_record_secret as secret on secret.organization_id = stored.organization_id
      and secret.kind = stored.kind
      and secret.scope = stored.scope
      and secret.external_id = stored.external_id`

/** Stores the sealed document of the records of a result, which has been written by the same statement. */
export function storeSecret(
  { organizationId, kind, scope, id }: PlainRecordKey,
  secret: SealedDocument | undefined,
  result: string,
): RawBuilder<unknown> {
  if (secret === undefined) return sql``
  return sql`sealed as (
      insert into plain_record_secret (organization_id, kind, scope, external_id, sealed, key_id)
      select ${organizationId}::uuid, ${kind}, ${scope}, ${id}, ${secret.sealed}, ${secret.keyId}
      from ${sql.table(result)}
      on conflict (organization_id, kind, scope, external_id) do update
      set sealed = excluded.sealed, key_id = excluded.key_id
    ),`
}
