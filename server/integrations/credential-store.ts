import { sql } from 'kysely'
import type { Clock, Instant } from '../kit/clock.ts'
import type { Database } from '../tables.ts'

/** A secret, sealed. */
export interface SealedSecret {
  /** The name of the connector's field. */
  field: string
  sealed: Buffer
}

/** A sealed secret and where it belongs. */
export interface StoredSecret extends SealedSecret {
  organizationId: string
  integrationId: string
}

/** Lists which secrets of an integration are set, and since when; never the secrets. */
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

/** Lists the sealed secrets of an integration. */
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

/** Sets secrets of an integration, sealed with the key that is named. */
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

/** Removes secrets of an integration, by the names of their fields. */
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

/** Lists some secrets of any organization that are sealed with one key. */
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

/** Counts the secrets of any organization that are not sealed with one key. */
export async function countSealedOtherwise(db: Database, keyId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from credential
    where key_id <> ${keyId}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Replaces how a secret is sealed, unless it was set anew meanwhile. */
export async function updateSealed(
  db: Database,
  secret: StoredSecret,
  anew: { sealed: Buffer; keyId: string },
): Promise<void> {
  await db
    .updateTable('credential')
    .set({ sealed: anew.sealed, key_id: anew.keyId })
    .where('organization_id', '=', secret.organizationId)
    .where('integration_id', '=', secret.integrationId)
    .where('field', '=', secret.field)
    .where('sealed', '=', secret.sealed)
    .execute()
}
