import { sql, type RawBuilder } from 'kysely'
import { readShort } from '../kit/short-reads.ts'
import type { Database } from '../tables.ts'
import type { AgreementConsumer, AgreementKey, AgreementProvider } from './agreement.ts'

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

/** The parties of an agreement. */
type Parties = Pick<AgreementKey, 'organizationId'> &
  Pick<AgreementProvider, 'productId' | 'providerTeam'> &
  AgreementConsumer

/**
 * Locks the parties of an agreement against their deletion until the end of the transaction: the data products with
 * their owners, the consuming team or person. It waits for deletions under way, and later ones see the agreement that
 * the transaction writes. Returns false if a party is gone, or a data product has another owner.
 */
export async function holdParties(db: Database, parties: Parties): Promise<boolean> {
  const { organizationId, productId, providerTeam } = parties
  const { rows } = await sql`
    select
    from (${holdProduct(organizationId, productId, providerTeam)}) as provider
    cross join (${holdConsumer(parties)}) as consumer
  `.execute(db)
  return rows.length > 0
}

function holdConsumer(parties: Parties): RawBuilder<unknown> {
  const { organizationId, consumerTeam, consumerUser, consumerProduct } = parties
  if (consumerProduct !== null) return holdProduct(organizationId, consumerProduct, consumerTeam)
  if (consumerUser !== null) {
    return sql`
      select user_id
      from organization_member
      where organization_id = ${organizationId}
        and user_id = ${consumerUser}::uuid
      for key share`
  }
  return sql`
      select id
      from team
      where organization_id = ${organizationId}
        and external_id = ${consumerTeam}
      for key share`
}

function holdProduct(
  organizationId: string,
  productId: string,
  owner: string | null,
): RawBuilder<unknown> {
  return sql`
      select product.external_id
      from data_product as product
      join team on team.organization_id = product.organization_id
        and team.id = product.owner_team_id
      where product.organization_id = ${organizationId}
        and product.external_id = ${productId}
        and team.external_id = ${owner}
      for share of product
      for key share of team`
}

// The first half of the key of an advisory lock, the same in all processes.
const REQUEST_LOCK = 7_276_231

/** Serializes the requests of a consumer for an output port until the end of the transaction. */
export async function lockRequests(
  db: Database,
  { organizationId, productId, port, ...consumer }: Parties & Pick<AgreementProvider, 'port'>,
): Promise<void> {
  const { consumerTeam, consumerUser, consumerProduct } = consumer
  const named = consumerProduct ?? consumerUser ?? consumerTeam
  const key = JSON.stringify([organizationId, productId, port, consumer.consumerType, named])
  await sql`select pg_advisory_xact_lock(${REQUEST_LOCK}, hashtext(${key}))`.execute(db)
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
