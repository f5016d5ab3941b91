import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { IdentityProvider } from './provider.ts'

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
