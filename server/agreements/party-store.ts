import { sql, type RawBuilder } from 'kysely'
import type { Instant } from '../platform/kit/clock.ts'
import { readShort } from '../platform/kit/short-reads.ts'
import type { Database } from '../platform/tables.ts'
import {
  getConsumerId,
  type AgreementBasis,
  type AgreementConsumer,
  type AgreementKey,
  type AgreementProvider,
} from './agreement.ts'

// The products, teams, people and contracts that agreements name.

/** A data product with the document that has its ports. */
interface ProvidingProduct {
  id: string
  version: number
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
  const query = sql<ProvidingProduct>`
    select
      product.external_id as id, product.version, product.name, team.external_id as team,
      coalesce(product.document_json, product.document) as document
    from data_product as product
    join team on team.organization_id = product.organization_id
      and team.id = product.owner_team_id
    where product.organization_id = ${organizationId}
      and product.external_id = ${productId}
  `
  const rows = await readShort(db, query)
  return rows[0]
}

/** The version of a stored contract. */
interface ContractVersion {
  version: number
  /** The version in the contract's own words; null if it has none. */
  contractVersion: string | null
}

/** Finds the version of a contract. */
export async function findContractVersion(
  db: Database,
  organizationId: string,
  contractId: string,
): Promise<ContractVersion | undefined> {
  const query = sql<ContractVersion>`
    select version, contract_version as "contractVersion"
    from data_contract
    where organization_id = ${organizationId}
      and external_id = ${contractId}
  `
  const rows = await readShort(db, query)
  return rows[0]
}

/** Finds a team with its document, JSON text. */
export async function findTeam(
  db: Database,
  organizationId: string,
  teamId: string,
): Promise<{ name: string; document: string } | undefined> {
  const query = sql<{ name: string; document: string }>`
    select name, document
    from team
    where organization_id = ${organizationId}
      and external_id = ${teamId}
  `
  const rows = await readShort(db, query)
  return rows[0]
}

/** Returns whether a team exists. */
export async function hasTeam(
  db: Database,
  organizationId: string,
  teamId: string,
): Promise<boolean> {
  const query = sql`
    select external_id
    from team
    where organization_id = ${organizationId}
      and external_id = ${teamId}
  `
  const rows = await readShort(db, query)
  return rows.length > 0
}

/** Finds a member who is not suspended, by the user id or the address in lower case. */
export async function findMember(
  db: Database,
  organizationId: string,
  named: { userId: string | null; emailKey: string },
): Promise<{ id: string; email: string } | undefined> {
  const query = sql<{ id: string; email: string }>`
    select member.user_id as id, account.email
    from organization_member as member
    join user_account as account on account.id = member.user_id
    where member.organization_id = ${organizationId}
      and member.suspended_at is null
      and (member.user_id = ${named.userId}::uuid or account.email_key = ${named.emailKey})
  `
  const rows = await readShort(db, query)
  return rows[0]
}

/** The parties of an agreement. */
type Parties = Pick<AgreementKey, 'organizationId'> &
  Pick<AgreementProvider, 'productId' | 'providerTeam' | 'contractId'> &
  AgreementConsumer

/**
 * Locks the parties of an agreement until the end of the transaction: the data products with their owners, the contract,
 * the consuming team or person. It waits for changes and deletions under way, and later ones see the agreement that the
 * transaction writes. Returns false if a party is gone, a data product has another owner, or a document that the
 * agreement is based on has another version.
 */
export async function holdParties(
  db: Database,
  parties: Parties,
  { product, contract }: AgreementBasis,
): Promise<boolean> {
  const { organizationId, productId, providerTeam, contractId } = parties
  const provider = { productId, owner: providerTeam, version: product }
  const { rows } = await sql`
    select
    from (${holdProduct(organizationId, provider)}) as provider
    cross join (${holdContract(organizationId, { contractId, version: contract })}) as contract
    cross join (${holdConsumer(parties)}) as consumer
  `.execute(db)
  return rows.length > 0
}

function holdConsumer(parties: Parties): RawBuilder<unknown> {
  const { organizationId, consumerTeam, consumerUser, consumerProduct } = parties
  if (consumerProduct !== null) {
    const consumer = { productId: consumerProduct, owner: consumerTeam, version: null }
    return holdProduct(organizationId, consumer)
  }
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
  {
    productId,
    owner,
    version,
  }: { productId: string; owner: string | null; version: number | null },
): RawBuilder<unknown> {
  return sql`
      select product.external_id
      from data_product as product
      join team on team.organization_id = product.organization_id
        and team.id = product.owner_team_id
      where product.organization_id = ${organizationId}
        and product.external_id = ${productId}
        and team.external_id = ${owner}
        and ${version === null ? sql`true` : sql`product.version = ${version}`}
      for share of product
      for key share of team`
}

// A contract that is changed or deleted in the meantime would be approved without being marked as changed.
function holdContract(
  organizationId: string,
  { contractId, version }: { contractId: string | null; version: number | null },
): RawBuilder<unknown> {
  if (contractId === null || version === null) return sql`select`
  return sql`
      select external_id
      from data_contract
      where organization_id = ${organizationId}
        and external_id = ${contractId}
        and version = ${version}
      for share`
}

// The first half of the key of an advisory lock, the same in all processes.
const REQUEST_LOCK = 7_276_231

/** Serializes the requests of a consumer for an output port until the end of the transaction. */
export async function lockRequests(
  db: Database,
  { organizationId, productId, port, ...consumer }: Parties & Pick<AgreementProvider, 'port'>,
): Promise<void> {
  const named = getConsumerId(consumer)
  const key = JSON.stringify([organizationId, productId, port, consumer.consumerType, named])
  await sql`select pg_advisory_xact_lock(${REQUEST_LOCK}, hashtext(${key}))`.execute(db)
}

/** Finds the person whose version of a data product made an output port approve requests; undefined = a key or unknown. */
export async function findApprovingPerson(
  db: Database,
  organizationId: string,
  { productId, port }: { productId: string; port: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string | null }>`
    select facts -> 'decisions' ->> 'userId' as "userId"
    from revision
    where organization_id = ${organizationId}
      and kind = 'data-product'
      and external_id = ${productId}
      and jsonb_exists(facts -> 'decisions' -> 'parts', ${port})
    order by version desc
    limit 1
  `.execute(db)
  return rows[0]?.userId ?? undefined
}

/** Finds the version of a data contract that was current at an instant; null = none in its history. */
export async function findContractRevision(
  db: Database,
  organizationId: string,
  { contractId, at }: { contractId: string; at: Instant },
): Promise<number | null> {
  const { rows } = await sql<{ version: number | null }>`
    select max(version) as version
    from revision
    where organization_id = ${organizationId}
      and kind = 'data-contract'
      and external_id = ${contractId}
      and valid_from <= ${at}::timestamptz
  `.execute(db)
  return rows[0]?.version ?? null
}
