import { sql } from 'kysely'
import type { Clock, Instant } from '../kit/clock.ts'
import type { Database } from '../tables.ts'

/** An encrypted secret. */
export interface SealedSecret {
  /** The name of the connector's field. */
  field: string
  sealed: Buffer
}

/** An encrypted secret and its integration. */
export interface StoredSecret extends SealedSecret {
  organizationId: string
  integrationId: string
}

/** Lists the secrets of an integration that are set, with their times but without their values. */
export async function listSecretStates(
  db: Database,
  organizationId: string,
  integrationId: string,
): Promise<{ field: string; setAt: Instant }[]> {
  return await db
    .selectFrom('credential')
    .select(['field', 'set_at as setAt'])
    .where('organization_id', '=', organizationId)
    .where('integration_id', '=', integrationId)
    .execute()
}

/** Lists the encrypted secrets of an integration. */
export async function listSealed(
  db: Database,
  organizationId: string,
  integrationId: string,
): Promise<SealedSecret[]> {
  return await db
    .selectFrom('credential')
    .select(['field', 'sealed'])
    .where('organization_id', '=', organizationId)
    .where('integration_id', '=', integrationId)
    .execute()
}

/** Sets secrets of an integration, encrypted with the given key. */
export async function upsertSecrets(
  db: Database,
  clock: Clock,
  of: { organizationId: string; integrationId: string; keyId: string },
  secrets: readonly SealedSecret[],
): Promise<void> {
  await sql`
    insert into credential (organization_id, integration_id, field, sealed, key_id, set_at)
    select ${of.organizationId}::uuid, ${of.integrationId}::uuid, secret.field, secret.sealed,
      ${of.keyId}, ${clock.now}
    from unnest(
      ${secrets.map(({ field }) => field)}::text[],
      ${secrets.map(({ sealed }) => sealed)}::bytea[]
    ) as secret (field, sealed)
    on conflict (organization_id, integration_id, field) do update
    set sealed = excluded.sealed, key_id = excluded.key_id, set_at = excluded.set_at
  `.execute(db)
}

/** Deletes secrets of an integration, by the names of their fields. */
export async function deleteSecrets(
  db: Database,
  organizationId: string,
  integrationId: string,
  fields: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('credential')
    .where('organization_id', '=', organizationId)
    .where('integration_id', '=', integrationId)
    .where('field', 'in', fields)
    .execute()
}

/** Lists some secrets of any organization that are encrypted with the given key. */
export async function listSealedWith(
  db: Database,
  keyId: string,
  limit: number,
): Promise<StoredSecret[]> {
  return await db
    .selectFrom('credential')
    .select([
      'organization_id as organizationId',
      'integration_id as integrationId',
      'field',
      'sealed',
    ])
    .where('key_id', '=', keyId)
    .orderBy('organization_id')
    .orderBy('integration_id')
    .orderBy('field')
    .limit(limit)
    .execute()
}

/** Counts the secrets of all organizations that are not encrypted with the given key. */
export async function countSealedOtherwise(db: Database, keyId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from credential
    where key_id <> ${keyId}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Replaces the ciphertext of a secret, unless the secret was changed in the meantime. */
export async function updateSealed(
  db: Database,
  secret: StoredSecret,
  renewed: { sealed: Buffer; keyId: string },
): Promise<void> {
  await db
    .updateTable('credential')
    .set({ sealed: renewed.sealed, key_id: renewed.keyId })
    .where('organization_id', '=', secret.organizationId)
    .where('integration_id', '=', secret.integrationId)
    .where('field', '=', secret.field)
    .where('sealed', '=', secret.sealed)
    .execute()
}
