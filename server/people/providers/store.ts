import { sql } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendIdentityResources } from '../../ledger/activity/identity-record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { IdentityProvider, ProviderSettings } from './provider.ts'

/** A provider with its sealed secret; null = it has none. */
interface SealedProvider {
  provider: IdentityProvider
  sealed: Buffer | null
}

const COLUMNS = sql`
      provider.organization_id as "organizationId", provider.id, provider.name, provider.issuer,
      provider.client_id as "clientId", provider.client_authentication as "clientAuthentication",
      provider.subject_claim as "subjectClaim", provider.email_trust as "emailTrust", provider.domains,
      provider.join_rule as "joinRule", provider.groups_claim as "groupsClaim",
      provider.session_hours as "sessionHours", provider.signs_out as "signsOut", provider.authority,
      provider.origin, provider.enabled, provider.version, provider.created_at as "createdAt",
      provider.updated_at as "updatedAt", provider.updated_by as "updatedBy", secret.set_at as "secretSetAt"`

const WITH_SECRET = sql`
    from identity_provider as provider
    left join identity_provider_secret as secret on secret.organization_id = provider.organization_id
      and secret.provider_id = provider.id`

/** Lists the providers of an organization by name. */
export async function listProviders(
  db: Database,
  organizationId: string,
): Promise<IdentityProvider[]> {
  const { rows } = await sql<IdentityProvider>`
    select ${COLUMNS}
    ${WITH_SECRET}
    where provider.organization_id = ${organizationId}
    order by lower(provider.name), provider.id
  `.execute(db)
  return rows
}

/** Finds a provider of an organization. */
export async function findProvider(
  db: Database,
  organizationId: string,
  id: string,
): Promise<IdentityProvider | undefined> {
  const { rows } = await sql<IdentityProvider>`
    select ${COLUMNS}
    ${WITH_SECRET}
    where provider.organization_id = ${organizationId}
      and provider.id = ${id}::uuid
  `.execute(db)
  return rows[0]
}

/**
 * Finds a provider with its sealed secret by its id only, which is unique in the installation: a sign-in begins with the
 * id, before the organization is known.
 */
export async function findSealedProvider(
  db: Database,
  id: string,
): Promise<SealedProvider | undefined> {
  const { rows } = await sql<IdentityProvider & { sealed: Buffer | null }>`
    select ${COLUMNS}, secret.sealed
    ${WITH_SECRET}
    where provider.id = ${id}::uuid
  `.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { sealed, ...provider } = row
  return { provider, sealed }
}

/**
 * Serializes the changes of the providers, the mail domains and the sign-in rule of an organization, and those of its
 * members, until the end of the transaction. Returns false if the organization does not exist.
 */
export async function lockOrganization(
  transaction: Database,
  organizationId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select id
    from organization
    where id = ${organizationId}
    for no key update
  `.execute(transaction)
  return rows.length > 0
}

/** A change of a provider by an actor. */
export interface ProviderChange extends ActivityActor {
  organizationId: string
  id: string
}

/** Inserts a provider. */
export async function insertProvider(
  transaction: Database,
  clock: Clock,
  change: ProviderChange,
  settings: ProviderSettings,
  origin: IdentityProvider['origin'],
): Promise<void> {
  const { organizationId, id, principal } = change
  const given = settings
  await sql`
    with added as (
      insert into identity_provider (
        organization_id, id, name, issuer, client_id, client_authentication, subject_claim, email_trust, domains,
        join_rule, groups_claim, session_hours, signs_out, authority, origin, enabled, created_at, updated_at, updated_by
      )
      select ${organizationId}::uuid, ${id}::uuid, ${given.name}, ${given.issuer}, ${given.clientId},
        ${given.clientAuthentication}, ${given.subjectClaim}, ${given.emailTrust}, ${given.domains}::text[],
        ${given.joinRule}, ${given.groupsClaim}, ${given.sessionHours}::integer, ${given.signsOut}::boolean,
        ${given.authority}, ${origin}, ${given.enabled}::boolean, present.instant, present.instant, ${principal}
      from (select ${clock.now} as instant) as present
      returning id, name, updated_at
    )
    ${appendIdentityResources(
      change,
      {
        kind: 'identity-provider',
        action: 'created',
        at: sql`changed.updated_at`,
        details: toDetails(settings),
      },
      'added',
    )}
  `.execute(transaction)
}

/**
 * Replaces the settings of a provider if it still has a version. A change of nothing else than `enabled` is recorded as
 * enabled or disabled. Returns false if it has another version.
 */
export async function updateProvider(
  transaction: Database,
  clock: Clock,
  change: ProviderChange & { version: number },
  settings: ProviderSettings,
  action: 'updated' | 'enabled' | 'disabled',
): Promise<boolean> {
  const { organizationId, id, principal, version } = change
  const given = settings
  const { rows } = await sql`
    with changed as (
      update identity_provider
      set name = ${given.name}, issuer = ${given.issuer}, client_id = ${given.clientId},
        client_authentication = ${given.clientAuthentication}, subject_claim = ${given.subjectClaim},
        email_trust = ${given.emailTrust}, domains = ${given.domains}::text[], join_rule = ${given.joinRule},
        groups_claim = ${given.groupsClaim}, session_hours = ${given.sessionHours}::integer,
        signs_out = ${given.signsOut}::boolean, authority = ${given.authority},
        enabled = ${given.enabled}::boolean, version = version + 1, updated_at = ${clock.now},
        updated_by = ${principal}
      where organization_id = ${organizationId}
        and id = ${id}::uuid
        and version = ${version}
      returning id, name, updated_at
    ),
    recorded as (${appendIdentityResources(
      change,
      {
        kind: 'identity-provider',
        action,
        at: sql`changed.updated_at`,
        details: toDetails(settings),
      },
      'changed',
    )})
    select id
    from changed
  `.execute(transaction)
  return rows.length > 0
}

/** Deletes a provider with its secret, failures, sessions and started sign-ins. Returns whether it existed. */
export async function deleteProvider(
  transaction: Database,
  change: ProviderChange,
): Promise<boolean> {
  const { organizationId, id } = change
  const { rows } = await sql`
    with removed as (
      delete from identity_provider
      where organization_id = ${organizationId}
        and id = ${id}::uuid
      returning id, name, issuer
    ),
    recorded as (${appendIdentityResources(
      change,
      {
        kind: 'identity-provider',
        action: 'deleted',
        details: sql`jsonb_build_object('issuer', changed.issuer)`,
      },
      'removed',
    )})
    select id
    from removed
  `.execute(transaction)
  return rows.length > 0
}

/** Stores the sealed secret of a provider, in the place of a former one. */
export async function upsertSecret(
  transaction: Database,
  clock: Clock,
  change: ProviderChange,
  secret: { sealed: Buffer; keyId: string },
): Promise<void> {
  const { organizationId, id } = change
  await sql`
    with stored as (
      insert into identity_provider_secret (organization_id, provider_id, sealed, key_id, set_at)
      values (${organizationId}, ${id}, ${secret.sealed}, ${secret.keyId}, ${clock.now})
      on conflict (organization_id, provider_id) do update
      set sealed = excluded.sealed, key_id = excluded.key_id, set_at = excluded.set_at
      returning organization_id, provider_id
    ),
    renewed as (
      select provider.id, provider.name
      from stored
      join identity_provider as provider on provider.organization_id = stored.organization_id
        and provider.id = stored.provider_id
    )
    ${appendIdentityResources(change, { kind: 'identity-provider', action: 'secret-set' }, 'renewed')}
  `.execute(transaction)
}

/** Deletes the secret of a provider whose client has none any more. */
export async function deleteSecret(
  transaction: Database,
  { organizationId, id }: ProviderChange,
): Promise<void> {
  await sql`
    delete from identity_provider_secret
    where organization_id = ${organizationId}
      and provider_id = ${id}::uuid
  `.execute(transaction)
}

// Never a secret, and no text of unlimited length.
function toDetails({
  issuer,
  clientId,
  enabled,
  joinRule,
  emailTrust,
  domains,
}: ProviderSettings): object {
  return { issuer, clientId, enabled, joinRule, emailTrust, domains }
}

/** The row of a provider that follows the settings of the server. */
export interface EnvironmentRow {
  organizationId: string
  id: string
}

/** Lists the providers of all organizations that follow the settings of the server. */
export async function listEnvironmentProviders(db: Database): Promise<EnvironmentRow[]> {
  const { rows } = await sql<EnvironmentRow>`
    select organization_id as "organizationId", id
    from identity_provider
    where origin = 'environment'
    order by enabled desc, updated_at desc
  `.execute(db)
  return rows
}
