import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../platform/kit/clock.ts'
import type { Agreement, AgreementAt } from './agreement.ts'

/** The query of agreements: every statement that returns agreements is built from these columns and joins. */

/** The columns of an agreement by the names of its members. */
export const COLUMNS = {
  organizationId: 'organization_id',
  id: 'external_id',
  version: 'version',
  document: 'document',
  documentJson: 'document_json',
  mediaType: 'media_type',
  format: 'format',
  digest: 'digest',
  productId: 'provider_product',
  port: 'output_port',
  providerTeam: 'provider_team',
  consumerType: 'consumer_type',
  consumerTeam: 'consumer_team',
  consumerUser: 'consumer_user',
  consumerProduct: 'consumer_product',
  purpose: 'purpose',
  roles: 'roles',
  startOn: 'start_on',
  endOn: 'end_on',
  reassessOn: 'reassess_on',
  status: 'status',
  state: 'state',
  requestedAt: 'requested_at',
  requestedBy: 'requested_by',
  requestedByUser: 'requested_by_user',
  decidedAt: 'decided_at',
  decidedBy: 'decided_by',
  decisionReason: 'decision_reason',
  endReason: 'end_reason',
  contractId: 'contract_id',
  contractVersion: 'contract_version',
  contractChangedAt: 'contract_changed_at',
  contractChangedLevel: 'contract_changed_level',
  nextDueAt: 'next_due_at',
  provisioning: 'provisioning',
  provisioningVersion: 'provisioning_version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  updatedBy: 'updated_by',
} as const satisfies Record<keyof Agreement, string>

/** The members of an agreement. */
export const MEMBERS = Object.keys(COLUMNS).filter(isMember)

function isMember(name: string): name is keyof Agreement {
  return name in COLUMNS
}

const SELECTED = Object.fromEntries(
  MEMBERS.map((name) => [name, sql`agreement.${sql.ref(COLUMNS[name])}`]),
)

/**
 * Builds a query of agreements with the store's clock. `rest` begins with `from` and names the rows `agreement`; `more`
 * are further members of a row, or others than those that the agreement has stored.
 */
export function selectAgreements<Row extends AgreementAt = AgreementAt>(
  clock: Clock,
  rest: RawBuilder<unknown>,
  more: Readonly<Record<string, RawBuilder<unknown>>> = {},
): RawBuilder<Row> {
  const members = Object.entries({ ...SELECTED, ...more, now: clock.now })
  return sql<Row>`
    select ${sql.join(members.map(([name, value]) => sql`${value} as ${sql.ref(name)}`))}
    ${rest}`
}

/** SQL fragment: joins the data products of both sides of `agreement`, as `product` and `consumer`. */
export const JOIN_PRODUCTS = sql`
    left join data_product as product on product.organization_id = agreement.organization_id
      and product.external_id = agreement.provider_product
    left join data_product as consumer on consumer.organization_id = agreement.organization_id
      and consumer.external_id = agreement.consumer_product`

/** SQL fragment: joins the team that owns a data product now, as `product_owner` or `consumer_owner`. */
export function joinOwner(side: 'product' | 'consumer'): RawBuilder<unknown> {
  const [product, owner] = [sql.table(side), sql.table(`${side}_owner`)]
  return sql`
    left join team as ${owner} on ${owner}.organization_id = ${product}.organization_id
      and ${owner}.id = ${product}.owner_team_id`
}

/** SQL fragment: `JOIN_PRODUCTS`, and the consuming team and member, as `consumer_team` and `person`. */
export const JOIN_PARTIES = sql`${JOIN_PRODUCTS}
    left join team as consumer_team on consumer_team.organization_id = agreement.organization_id
      and consumer_team.external_id = agreement.consumer_team
    left join organization_member as member on member.organization_id = agreement.organization_id
      and member.user_id = agreement.consumer_user
    left join user_account as person on person.id = member.user_id`

/** The SQL expression for the name of the consumer, after `JOIN_PARTIES`; null = it was deleted. */
export const CONSUMER_NAME = sql`coalesce(consumer.name, consumer_team.name, person.name)`

/** The SQL condition that an agreement can still become or stay active. */
export const IS_OPEN = sql`agreement.state in ('requested', 'upcoming', 'active')`

/** A person who approves requests, and the teams for which the person decides. */
export interface Approver {
  userId: string
  teams: readonly string[]
}

/**
 * Returns the SQL condition that a person may approve an agreement as far as its consumer is concerned: it is not the own
 * request, or the person decides for the consumer, too.
 */
export function isApprovableBy({ userId, teams }: Approver): RawBuilder<unknown> {
  return sql`(
        agreement.requested_by_user is distinct from ${userId}::uuid
          and agreement.consumer_user is distinct from ${userId}::uuid
        or agreement.consumer_team = any(${[...teams]}::text[])
      )`
}

/** Returns the SQL expression for the day in UTC. */
export function getToday(clock: Clock): RawBuilder<unknown> {
  return sql`(${clock.now} at time zone 'UTC')::date`
}
