import { sql } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendIdentityResources } from '../../ledger/activity/identity-record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { MailDomain } from './domain.ts'

/** A change of a domain by an actor. */
interface DomainChange extends ActivityActor {
  organizationId: string
  domain: string
}

/** An organization with a domain. */
export interface DomainHolder {
  organizationId: string
  organizationName: string
  vanityUrl: string
  proof: MailDomain['proof']
}

const COLUMNS = sql`domain, challenge, verified_at as "verifiedAt", proof, created_at as "createdAt"`

/** Lists the domains of an organization by name. */
export async function listDomains(db: Database, organizationId: string): Promise<MailDomain[]> {
  const { rows } = await sql<MailDomain>`
    select ${COLUMNS}
    from organization_domain
    where organization_id = ${organizationId}
    order by domain
  `.execute(db)
  return rows
}

/** Finds a domain of an organization. */
export async function findDomain(
  db: Database,
  organizationId: string,
  domain: string,
): Promise<MailDomain | undefined> {
  const { rows } = await sql<MailDomain>`
    select ${COLUMNS}
    from organization_domain
    where organization_id = ${organizationId}
      and domain = ${domain}
  `.execute(db)
  return rows[0]
}

/** Lists the organizations that have added a domain, the one that has verified it first. */
export async function listHolders(db: Database, domain: string): Promise<DomainHolder[]> {
  const { rows } = await sql<DomainHolder>`
    select organization.id as "organizationId", organization.name as "organizationName",
      organization.vanity_url as "vanityUrl", proof
    from organization_domain
    join organization on organization.id = organization_id
    where domain = ${domain}
    order by verified_at is null, organization.vanity_url
  `.execute(db)
  return rows
}

/** Inserts a domain that is not verified. Returns false if the organization has it already. */
export async function insertDomain(
  transaction: Database,
  clock: Clock,
  change: DomainChange,
  challenge: string,
): Promise<boolean> {
  const { organizationId, domain, principal } = change
  const { rows } = await sql`
    with added as (
      insert into organization_domain (organization_id, domain, challenge, created_at, updated_by)
      values (${organizationId}, ${domain}, ${challenge}, ${clock.now}, ${principal})
      on conflict (organization_id, domain) do nothing
      returning domain as id, domain as name
    ),
    recorded as (${appendIdentityResources(change, { kind: 'sign-in-rule', action: 'domain-added' }, 'added')})
    select id
    from added
  `.execute(transaction)
  return rows.length > 0
}

/**
 * Serializes the verifications of a domain in all organizations until the end of the transaction, so that two at once
 * never wait for each other's rows.
 */
export async function lockDomain(transaction: Database, domain: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('mail-domain ' || ${domain}, 0))
  `.execute(transaction)
}

/**
 * Verifies a domain of an organization; a proof replaces a weaker one. Its caller holds the lock of the domain and has
 * withdrawn it from other organizations. Returns whether this changed anything.
 */
export async function verifyDomain(
  transaction: Database,
  clock: Clock,
  change: DomainChange,
  proof: NonNullable<MailDomain['proof']>,
): Promise<boolean> {
  const { organizationId, domain, principal } = change
  const { rows } = await sql`
    with verified as (
      update organization_domain
      set verified_at = ${clock.now}, proof = ${proof}, updated_by = ${principal}
      where organization_id = ${organizationId}
        and domain = ${domain}
        and (verified_at is null or proof = 'only-organization')
      returning domain as id, domain as name
    ),
    recorded as (${appendIdentityResources(
      change,
      { kind: 'sign-in-rule', action: 'domain-verified', details: { proof } },
      'verified',
    )})
    select id
    from verified
  `.execute(transaction)
  return rows.length > 0
}

/**
 * Withdraws the verification of a domain from an organization, which keeps it as a domain to verify. The actor of the
 * entry is the system: the proof belongs to another organization.
 */
export async function withdrawDomain(
  transaction: Database,
  { organizationId, domain }: Pick<DomainChange, 'organizationId' | 'domain'>,
  actor: ActivityActor,
): Promise<void> {
  await sql`
    with withdrawn as (
      update organization_domain
      set verified_at = null, proof = null, updated_by = ${actor.principal}
      where organization_id = ${organizationId}
        and domain = ${domain}
        and verified_at is not null
      returning domain as id, domain as name
    )
    ${appendIdentityResources(
      { organizationId, ...actor },
      {
        kind: 'sign-in-rule',
        action: 'domain-removed',
        details: { takenBy: 'another organization' },
      },
      'withdrawn',
    )}
  `.execute(transaction)
}

/** Deletes a domain. Returns whether the organization had it. */
export async function deleteDomain(db: Database, change: DomainChange): Promise<boolean> {
  const { organizationId, domain } = change
  const { rows } = await sql`
    with removed as (
      delete from organization_domain
      where organization_id = ${organizationId}
        and domain = ${domain}
      returning domain as id, domain as name
    ),
    recorded as (${appendIdentityResources(change, { kind: 'sign-in-rule', action: 'domain-removed' }, 'removed')})
    select id
    from removed
  `.execute(db)
  return rows.length > 0
}

/** Lists the providers of an organization that name a domain, by their names. */
export async function listProvidersOfDomain(
  db: Database,
  organizationId: string,
  domain: string,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name
    from identity_provider
    where organization_id = ${organizationId}
      and ${domain} = any (domains)
    order by lower(name)
  `.execute(db)
  return rows.map(({ name }) => name)
}

/** Returns whether an organization is the only one of the installation. */
export async function isOnlyOrganization(db: Database, organizationId: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from organization
    where id <> ${organizationId}
    limit 1
  `.execute(db)
  return rows.length === 0
}

/** Lists the first organizations of the installation, or that with an address. */
export async function listOrganizations(
  db: Database,
  address?: string,
): Promise<Omit<DomainHolder, 'proof'>[]> {
  const { rows } = await sql<Omit<DomainHolder, 'proof'>>`
    select id as "organizationId", name as "organizationName", vanity_url as "vanityUrl"
    from organization
    where vanity_url = coalesce(${address ?? null}::text, vanity_url)
    order by vanity_url
    limit 20
  `.execute(db)
  return rows
}
