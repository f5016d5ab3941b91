import { sql, type RawBuilder } from 'kysely'
import type { FollowedEvent } from '../ledger/events/feed-follower.ts'
import type { Clock } from '../platform/kit/clock.ts'
import type { Database } from '../platform/tables.ts'
import type { AgreementAt, AgreementKey, ConsumerType } from './agreement.ts'
import { IS_OPEN, JOIN_PARTIES, joinOwner, selectAgreements } from './query.ts'

// The agreements that something else concerns: a day, a person who left, a changed contract, another owner, the removal
// of an output port or a data product.

/**
 * Lists agreements that time has changed. Organizations take turns: the first agreement of each comes before the second
 * one of any. Of an organization, those due first are first. Active ones, which may end, come before upcoming ones, so
 * that access that is renewed is revoked before it is granted again.
 */
export async function listDueAgreements(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<AgreementKey[]> {
  const { rows } = await sql<AgreementKey>`
    select organization_id as "organizationId", external_id as id
    from access_agreement
    where next_due_at <= (select ${clock.now})
    order by row_number() over (partition by organization_id order by next_due_at, state),
      next_due_at
    limit ${limit}
  `.execute(db)
  return rows
}

/**
 * Locks those of the given agreements that are still due, in their order. Skip locked: two processes never advance one
 * agreement, and neither waits for the other.
 */
export async function lockDueAgreements(
  db: Database,
  clock: Clock,
  keys: readonly AgreementKey[],
): Promise<AgreementAt[]> {
  const rest = sql`
    from unnest(
      ${keys.map(({ organizationId }) => organizationId)}::uuid[],
      ${keys.map(({ id }) => id)}::text[]
    ) with ordinality as given (organization_id, external_id, ordinal)
    cross join lateral (
      select *
      from access_agreement
      where organization_id = given.organization_id
        and external_id = given.external_id
        and next_due_at <= (select ${clock.now})
      limit 1
      for update skip locked
    ) as agreement
    order by given.ordinal`
  return (await selectAgreements(clock, rest).execute(db)).rows
}

/** A person in an organization. */
export interface PersonKey {
  organizationId: string
  userId: string
}

/** Locks the agreements of a person that can still become or stay active, and waits for changes of them under way. */
export async function lockAgreementsOfPerson(
  db: Database,
  clock: Clock,
  { organizationId, userId }: PersonKey,
  limit: number,
): Promise<AgreementAt[]> {
  const rest = sql`
    from access_agreement as agreement
    where agreement.organization_id = ${organizationId}
      and agreement.consumer_user = ${userId}::uuid
      and ${IS_OPEN}
    order by agreement.external_id
    limit ${limit}
    for update`
  return (await selectAgreements(clock, rest).execute(db)).rows
}

/**
 * Locks open agreements of people who are not members of the organization, of all organizations. Skip locked: two
 * processes never end one agreement, and neither waits for the other.
 */
export async function lockAgreementsOfFormerMembers(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<AgreementAt[]> {
  const rest = sql`
    from access_agreement as agreement
    where agreement.consumer_user is not null
      and ${IS_OPEN}
      and not exists (
        select
        from organization_member as member
        where member.organization_id = agreement.organization_id
          and member.user_id = agreement.consumer_user
      )
    order by agreement.organization_id, agreement.external_id
    limit ${limit}
    for update of agreement skip locked`
  return (await selectAgreements(clock, rest).execute(db)).rows
}

/** The names of the events of changes of approved contracts. */
export const CONTRACT_EVENT_NAMES = ['DataContractUpdatedEvent', 'DataProductUpdatedEvent'] as const

type ContractEventName = (typeof CONTRACT_EVENT_NAMES)[number]

/** A change by which the contract of agreements in effect differs from the approved one. */
interface ContractChange {
  /** Selects the contracts that a version has; no row = it changes no agreement. */
  contracts(organizationId: string): RawBuilder<unknown>
  /** The agreements of a changed document. */
  isConcerned: RawBuilder<unknown>
}

/** The changes of approved contracts, by the events that announce them. */
const CONTRACT_CHANGES: Readonly<Record<ContractEventName, ContractChange>> = {
  /** A breaking version of the contract. */
  DataContractUpdatedEvent: {
    contracts: (organizationId) => sql`
        select null::text[] as contracts
        from revision
        where revision.organization_id = ${organizationId}
          and revision.kind = 'data-contract'
          and revision.external_id = event.id
          and revision.version = event.version
          and revision.level = 'breaking'`,
    isConcerned: sql`agreement.contract_id = changed.id
      and agreement.held_product is not null`,
  },
  /** A data product whose ports no longer name the contract. */
  DataProductUpdatedEvent: {
    contracts: (organizationId) => sql`
        select output_contracts as contracts
        from data_product
        where data_product.organization_id = ${organizationId}
          and data_product.external_id = event.id`,
    isConcerned: sql`agreement.held_product = changed.id
      and agreement.contract_id is not null
      and not agreement.contract_id = any(changed.contracts)`,
  },
}

/**
 * Marks the agreements in effect whose contract was changed by one of the versions after they were approved. The first
 * mark stays.
 */
export async function markContractChanges(
  db: Database,
  organizationId: string,
  name: ContractEventName,
  versions: readonly Pick<FollowedEvent, 'subject' | 'version' | 'time'>[],
): Promise<void> {
  const { contracts, isConcerned } = CONTRACT_CHANGES[name]
  const rows = versions.map(({ subject, version, time }) => ({ id: subject, version, time }))
  await sql`
    with changed as (
      select event.id, min(event.time) as time, document.contracts
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as event (id text, version integer, time timestamptz)
      cross join lateral (${contracts(organizationId)}
        limit 1
      ) as document
      group by event.id, document.contracts
    )
    update access_agreement as agreement
    set contract_changed_at = changed.time, contract_changed_level = 'breaking'
    from changed
    where agreement.organization_id = ${organizationId}
      and ${isConcerned}
      and agreement.contract_changed_at is null
      and agreement.decided_at < changed.time
  `.execute(db)
}

/** The data products whose agreements are moved. */
export interface MovedProducts {
  organizationId: string
  productIds: readonly string[]
}

/**
 * Moves agreements to the teams that own the data products on one of their sides: those of some products, or undefined =
 * of all organizations. Returns their number, at most `limit`. It locks the products, so that none gets another owner in
 * the meantime. Skip locked: it waits for no request, and two processes never move one agreement.
 */
export async function moveToOwners(
  db: Database,
  side: 'provider' | 'consumer',
  products: MovedProducts | undefined,
  limit: number,
): Promise<number> {
  const team = sql.ref(`${side}_team`)
  const among =
    products === undefined
      ? sql`true`
      : sql`product.organization_id = ${products.organizationId}
          and product.external_id = any (${products.productIds}::text[])`
  const { rows } = await sql`
    with misplaced as materialized (
      select agreement.organization_id, agreement.external_id, team.external_id as team
      from data_product as product
      join team on team.organization_id = product.organization_id
        and team.id = product.owner_team_id
      join access_agreement as agreement on agreement.organization_id = product.organization_id
        and agreement.${sql.ref(`${side}_product`)} = product.external_id
        and agreement.${team} is distinct from team.external_id
      where ${among}
      limit ${limit}
      for share of product skip locked
      for update of agreement skip locked
    )
    update access_agreement as agreement
    set ${team} = misplaced.team
    from misplaced
    where agreement.organization_id = misplaced.organization_id
      and agreement.external_id = misplaced.external_id
    returning agreement.external_id
  `.execute(db)
  return rows.length
}

/** An agreement in effect, with the names of its parties. Those of the consumer are null if the catalog no longer has it. */
export interface HeldAgreement {
  id: string
  port: string
  consumerType: ConsumerType
  productId: string | null
  productName: string | null
  /** The consuming team, or the team that owns the consuming data product. */
  teamId: string | null
  teamName: string | null
  userId: string | null
  userName: string | null
  /** The name of the data product that the data come from. */
  providerName: string
  /** Whether the agreement is in effect for the data product as the consumer. */
  isConsumer: boolean
  /** The number of all agreements on this side; only of lists by port. */
  total: number
}

/**
 * The documents whose agreements are listed: contracts, or a data product with all output ports or some of them;
 * `asConsumer` includes those in which it consumes.
 */
export type HeldBy =
  | { contracts: readonly string[] }
  | { productId: string; ports?: readonly string[]; asConsumer?: boolean }

/** Lists agreements in effect by port and id, or by id, at most `limit` of each side. */
export async function listHeldAgreements(
  db: Database,
  organizationId: string,
  held: HeldBy,
  { isByPort, limit }: { isByPort: boolean; limit: number },
): Promise<HeldAgreement[]> {
  const order = isByPort
    ? sql`agreement.output_port, agreement.external_id`
    : sql`agreement.external_id`
  const total = (condition: RawBuilder<unknown>): RawBuilder<unknown> =>
    isByPort
      ? sql`(
          select count(*)::int
          from access_agreement as agreement
          where agreement.organization_id = ${organizationId}
            and ${condition}
        )`
      : sql`0`
  const parts = listConditions(held).map(
    (condition, at) => sql`
      (
        select agreement.*, ${at > 0}::boolean as is_consumer, ${total(condition)} as total
        from access_agreement as agreement
        where agreement.organization_id = ${organizationId}
          and ${condition}
        order by ${order}
        limit ${limit}
      )`,
  )
  const { rows } = await sql<HeldAgreement>`
    with agreement as (${sql.join(parts, sql` union all `)}
    )
    select agreement.external_id as id, agreement.output_port as port,
      agreement.consumer_type as "consumerType",
      agreement.consumer_product as "productId", consumer.name as "productName",
      coalesce(consumer_owner.external_id, agreement.consumer_team) as "teamId",
      coalesce(consumer_owner.name, consumer_team.name) as "teamName",
      agreement.consumer_user as "userId", person.name as "userName",
      coalesce(product.name, agreement.provider_product) as "providerName",
      agreement.is_consumer as "isConsumer", agreement.total
    from agreement
    ${JOIN_PARTIES}
    ${joinOwner('consumer')}
    order by agreement.is_consumer, ${order}
  `.execute(db)
  return rows
}

// Those of the provider's side, then those of the consumer's.
function listConditions(held: HeldBy): RawBuilder<unknown>[] {
  if ('contracts' in held) {
    return [
      sql`agreement.held_product is not null
          and agreement.contract_id = any(${held.contracts}::text[])`,
    ]
  }
  const { productId, ports, asConsumer = false } = held
  const isPort =
    ports === undefined ? sql`` : sql`and agreement.output_port = any(${ports}::text[])`
  return [
    sql`agreement.held_product = ${productId} ${isPort}`,
    ...(asConsumer ? [sql`agreement.held_consumer_product = ${productId}`] : []),
  ]
}
