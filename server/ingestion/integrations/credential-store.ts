import { SYSTEM, type ActivityActor } from '../../ledger/activity/entry.ts'
import type { NewEntry } from '../../ledger/activity/record.ts'
import { appendIntegrations } from './activity-record.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'

/** An encrypted secret. */
interface SealedSecret {
  /** The name of the connector's field. */
  field: string
  sealed: Buffer
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
  actor: ActivityActor = SYSTEM,
): Promise<void> {
  await sql`
    with stored as (
    insert into credential (organization_id, integration_id, field, sealed, key_id, set_at)
    select ${of.organizationId}::uuid, ${of.integrationId}::uuid, secret.field, secret.sealed,
      ${of.keyId}, ${clock.now}
    from unnest(
      ${secrets.map(({ field }) => field)}::text[],
      ${secrets.map(({ sealed }) => sealed)}::bytea[]
    ) as secret (field, sealed)
    on conflict (organization_id, integration_id, field) do update
    set sealed = excluded.sealed, key_id = excluded.key_id, set_at = excluded.set_at
    returning field
    )
    ${recordFields({ ...of, ...actor }, { action: 'credentials-set', at: clock.now }, 'stored')}
  `.execute(db)
}

/** Deletes secrets of an integration, by the names of their fields. */
export async function deleteSecrets(
  db: Database,
  clock: Clock,
  of: ActivityActor & { organizationId: string; integrationId: string },
  fields: readonly string[],
): Promise<void> {
  await sql`
    with removed as (
      delete from credential
      where organization_id = ${of.organizationId}
        and integration_id = ${of.integrationId}
        and field = any(${fields}::text[])
      returning field
    )
    ${recordFields(of, { action: 'credentials-deleted', at: clock.now }, 'removed')}
  `.execute(db)
}

// An entry has the names of the fields, never their values.
function recordFields(
  { integrationId, ...origin }: ActivityActor & { organizationId: string; integrationId: string },
  { action, at }: Pick<NewEntry, 'action' | 'at'>,
  result: string,
): RawBuilder<unknown> {
  const { organizationId, principal, requestId } = origin
  const details = sql`jsonb_build_object('fields', changed.fields)`
  return appendIntegrations(
    { organizationId, principal, requestId },
    { action, at, details },
    sql`
    from (
      select jsonb_agg(field order by field) as fields
      from ${sql.table(result)}
    ) as changed
    join integration on integration.organization_id = ${organizationId}
      and integration.id = ${integrationId}
    where changed.fields is not null`,
  )
}
