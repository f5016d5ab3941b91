import { sql } from 'kysely'
import { appendIdentityPeople } from '../../ledger/activity/identity-record.ts'
import type { Database } from '../../platform/tables.ts'
import type { ProviderUse } from './provider.ts'
import type { ProviderChange } from './store.ts'

/** Reads what depends on each provider of an organization, by its id. */
export async function listProviderUses(
  db: Database,
  organizationId: string,
): Promise<Map<string, ProviderUse>> {
  const { rows } = await sql<ProviderUse & { id: string }>`
    select provider.id, links.*, (
      select count(*)::integer
      from session
      where session.organization_id = provider.organization_id
        and provider_id = provider.id
    ) as "sessionCount"
    from identity_provider as provider
    cross join lateral (
      select count(*)::integer as "linkCount", max(last_sign_in_at) as "lastSignInAt",
        count(*) filter (where user_account.managed_by = provider.organization_id)::integer as "managedCount"
      from provider_identity
      join user_account on user_account.id = user_id
      where organization_id = provider.organization_id
        and provider_id = provider.id
    ) as links
    where provider.organization_id = ${organizationId}
  `.execute(db)
  return new Map(rows.map(({ id, ...use }) => [id, use]))
}

/**
 * Removes the links of people to a provider and ends its sessions. The accounts that it managed belong to their people
 * again, unless the directory or another provider of the organization manages them too. Returns the number of links.
 */
export async function deleteLinks(transaction: Database, change: ProviderChange): Promise<number> {
  const { organizationId, id } = change
  const { rows } = await sql<{ count: number }>`
    with dropped as (
      delete from provider_identity
      where organization_id = ${organizationId}
        and provider_id = ${id}::uuid
      returning user_id
    ),
    released as (
      update user_account
      set managed_by = null
      from dropped
      where user_account.id = dropped.user_id
        and managed_by = ${organizationId}
        and not exists (
          select from directory_user
          where organization_id = ${organizationId}
            and directory_user.user_id = dropped.user_id
        )
        and not exists (
          select from provider_identity as other
          where other.organization_id = ${organizationId}
            and other.user_id = dropped.user_id
            and other.provider_id <> ${id}::uuid
        )
    ),
    ended as (
      delete from session
      where organization_id = ${organizationId}
        and provider_id = ${id}::uuid
    ),
    recorded as (${appendIdentityPeople(
      change,
      { kind: 'identity-provider', action: 'unlinked', details: { provider: id } },
      'dropped',
    )})
    select count(*)::integer as count
    from dropped
  `.execute(transaction)
  return rows[0]?.count ?? 0
}

/** Counts the people who are linked to a provider. */
export async function countLinks(
  db: Database,
  organizationId: string,
  id: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from provider_identity
    where organization_id = ${organizationId}
      and provider_id = ${id}::uuid
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns whether people may sign in to an organization only with a provider, and none but the given one is enabled. */
export async function isLastOfRule(
  transaction: Database,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from organization_sign_in
    where organization_id = ${organizationId}
      and rule = 'provider'
      and not exists (
        select from identity_provider
        where organization_id = ${organizationId}
          and enabled
          and id <> ${id}::uuid
      )
  `.execute(transaction)
  return rows.length > 0
}
