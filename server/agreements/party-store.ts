import { sql } from 'kysely'
import { readShort } from '../kit/short-reads.ts'
import type { Database } from '../tables.ts'

// The products, teams, people and contracts that agreements name.

/** A data product with the document that has its ports. */
export interface ProvidingProduct {
  id: string
  name: string
  /** External id of the owning team. */
  team: string
  /** JSON text. */
  document: string
}

/** Finds a data product and its ports. */
export async function findProvidingProduct(
  db: Database,
  organizationId: string,
  productId: string,
): Promise<ProvidingProduct | undefined> {
  const rows = await readShort(
    db,
    sql<ProvidingProduct>`
    select
      product.external_id as id, product.name, team.external_id as team,
      coalesce(product.document_json, product.document) as document
    from data_product as product
    join team on team.organization_id = product.organization_id
      and team.id = product.owner_team_id
    where product.organization_id = ${organizationId}
      and product.external_id = ${productId}
  `,
  )
  return rows[0]
}

/** Returns the version of a contract in its own words; null if it has none or does not exist. */
export async function findContractVersion(
  db: Database,
  organizationId: string,
  contractId: string,
): Promise<string | null> {
  const rows = await readShort(
    db,
    sql<{ version: string | null }>`
    select contract_version as version
    from data_contract
    where organization_id = ${organizationId}
      and external_id = ${contractId}
  `,
  )
  return rows[0]?.version ?? null
}

/** Returns whether a team exists. */
export async function hasTeam(
  db: Database,
  organizationId: string,
  teamId: string,
): Promise<boolean> {
  const rows = await readShort(
    db,
    sql`
    select external_id
    from team
    where organization_id = ${organizationId}
      and external_id = ${teamId}
  `,
  )
  return rows.length > 0
}

/** Finds the user id of a member by the user id or the address in lower case. */
export async function findMemberId(
  db: Database,
  organizationId: string,
  named: { userId: string | null; emailKey: string },
): Promise<string | undefined> {
  const rows = await readShort(
    db,
    sql<{ id: string }>`
    select member.user_id as id
    from organization_member as member
    join user_account as account on account.id = member.user_id
    where member.organization_id = ${organizationId}
      and (member.user_id = ${named.userId}::uuid or account.email_key = ${named.emailKey})
  `,
  )
  return rows[0]?.id
}

/** Finds the person that an API key belongs to; undefined for keys of teams and organizations. */
export async function findKeyUser(
  db: Database,
  organizationId: string,
  keyId: string,
): Promise<string | undefined> {
  const rows = await readShort(
    db,
    sql<{ userId: string | null }>`
    select user_id as "userId"
    from api_key
    where organization_id = ${organizationId}
      and id = ${keyId}::uuid
  `,
  )
  return rows[0]?.userId ?? undefined
}
