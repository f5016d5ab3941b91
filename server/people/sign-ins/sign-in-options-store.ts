import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'

/** The organization of a person who is about to sign in. */
interface OrganizationOptions {
  name: string
  rule: 'any' | 'provider'
  providers: { id: string; name: string }[]
}

/**
 * Finds the organizations in which a person may sign in, with their enabled providers: the one of a vanity address, else
 * the one that has verified a mail domain, and in any case the only one of the installation. No account is read, so that
 * neither the answer nor its time depends on one.
 */
export async function listOrganizationOptions(
  db: Database,
  { vanityUrl, domain }: { vanityUrl: string | undefined; domain: string | undefined },
): Promise<OrganizationOptions[]> {
  const { rows } = await sql<OrganizationOptions>`
    with chosen as (
      select id
      from organization
      where vanity_url = ${vanityUrl ?? null}
      union
      select organization_id
      from organization_domain
      where ${vanityUrl ?? null}::text is null
        and domain = ${domain ?? null}
        and verified_at is not null
      union
      select (array_agg(id))[1]
      from (select id from organization limit 2) as any_two
      having count(*) = 1
    )
    select organization.name, coalesce(organization_sign_in.rule, 'any') as rule,
      (
        select coalesce(json_agg(json_build_object('id', provider.id, 'name', provider.name)
          order by lower(provider.name), provider.id), '[]')
        from identity_provider as provider
        where provider.organization_id = organization.id
          and provider.enabled
      ) as providers
    from chosen
    join organization on organization.id = chosen.id
    left join organization_sign_in on organization_sign_in.organization_id = organization.id
    order by organization.name, organization.id
  `.execute(db)
  return rows
}

/** Returns whether the installation has several organizations, and any of them a provider. */
export async function findsByAddress(db: Database): Promise<boolean> {
  const { rows } = await sql<{ finds: boolean }>`
    select
      (select count(*) from (select from organization limit 2) as any_two) > 1
      and exists (select from identity_provider where enabled) as finds
  `.execute(db)
  return rows[0]?.finds === true
}
