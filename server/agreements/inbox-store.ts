import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import type { Agreement, AgreementKey, AgreementState } from './agreement.ts'
import { COUNTED_MAX, type AgreementCounts, type InboxState } from './listed-agreement.ts'
import type { ProvisioningStatus } from './provisioning.ts'
import { AGREEMENT_COLUMNS } from './store.ts'

/** The agreements that a list is about. */
export type AgreementScope =
  | { by: 'organization'; organizationId: string }
  | { by: 'provider'; organizationId: string; teams: readonly string[] }
  | { by: 'consumer'; organizationId: string; teams: readonly string[]; userId: string | undefined }

/** The place of an agreement in a list. */
export interface AgreementPlace {
  /** The instant of the request, or the day of the end. */
  at: string
  id: string
}

/** An agreement with the names of what it mentions; null = it no longer exists. */
export interface NamedAgreement extends Agreement {
  now: string
  productName: string | null
  providerTeamName: string | null
  consumerProductName: string | null
  consumerTeamName: string | null
  consumerUserName: string | null
  provisioningStatus: ProvisioningStatus | null
}

/** The number of days before its end in which an agreement is in the part `expiring`. */
const EXPIRING_DAYS = 30

const STATES: Readonly<Record<Exclude<InboxState, 'expiring'>, readonly AgreementState[]>> = {
  requested: ['requested'],
  active: ['active'],
  upcoming: ['upcoming'],
  rejected: ['rejected'],
  ended: ['expired', 'canceled'],
}

/** Lists a page of agreements, and one more if there is a next page: newest request first, or next end first. */
export async function listNamedAgreements(
  db: Database,
  clock: Clock,
  scope: AgreementScope,
  page: { states: readonly InboxState[]; after: AgreementPlace | undefined; limit: number },
): Promise<NamedAgreement[]> {
  const isExpiring = page.states.includes('expiring')
  const direction = sql.raw(isExpiring ? 'asc' : 'desc')
  const lanes = page.states
    .flatMap((state) => listLanes(clock, state))
    .flatMap((lane) => selectLane(scope, { ...lane, after: page.after, limit: page.limit + 1 }))
  const { rows } = await sql<NamedAgreement>`
    with listed as (
      select external_id, at
      from (${sql.join(lanes, sql` union all `)}) as lane
      order by at ${direction}, external_id ${direction}
      limit ${page.limit + 1}
    )
    select ${selectNamed(clock)}
    from listed
    join access_agreement as agreement on agreement.organization_id = ${scope.organizationId}
      and agreement.external_id = listed.external_id
    ${JOIN_NAMES}
    order by listed.at ${direction}, listed.external_id ${direction}
  `.execute(db)
  return rows
}

/** Counts the agreements of each part, up to a maximum. */
export async function countAgreements(
  db: Database,
  clock: Clock,
  scope: AgreementScope,
): Promise<AgreementCounts> {
  const selectCount = (state: InboxState): RawBuilder<unknown> => {
    const lanes = listLanes(clock, state).flatMap((lane) =>
      selectLane(scope, { ...lane, after: undefined, limit: COUNTED_MAX }),
    )
    return sql`(
        select count(*)::integer
        from (select from (${sql.join(lanes, sql` union all `)}) as lane limit ${COUNTED_MAX}) as counted
      )`
  }
  const { rows } = await sql<AgreementCounts>`
    select ${selectCount('requested')} as requested, ${selectCount('active')} as active,
      ${selectCount('expiring')} as expiring, ${selectCount('upcoming')} as upcoming,
      ${selectCount('rejected')} as rejected, ${selectCount('ended')} as ended
  `.execute(db)
  return rows[0] ?? NO_AGREEMENTS
}

/** The counts of an empty list. */
export const NO_AGREEMENTS: AgreementCounts = {
  requested: 0,
  active: 0,
  expiring: 0,
  upcoming: 0,
  rejected: 0,
  ended: 0,
}

/** Finds an agreement with the names of what it mentions. */
export async function findNamedAgreement(
  db: Database,
  clock: Clock,
  { organizationId, id }: AgreementKey,
): Promise<NamedAgreement | undefined> {
  const { rows } = await sql<NamedAgreement>`
    select ${selectNamed(clock)}
    from access_agreement as agreement
    ${JOIN_NAMES}
    where agreement.organization_id = ${organizationId}
      and agreement.external_id = ${id}
  `.execute(db)
  return rows[0]
}

function selectNamed(clock: Clock): RawBuilder<unknown> {
  return sql`${AGREEMENT_COLUMNS}, ${clock.now} as now,
      agreement.provisioning_status as "provisioningStatus",
      product.name as "productName", provider.name as "providerTeamName",
      consuming.name as "consumerProductName", consumer.name as "consumerTeamName",
      account.name as "consumerUserName"`
}

const JOIN_NAMES = sql`
    left join data_product as product on product.organization_id = agreement.organization_id
      and product.external_id = agreement.provider_product
    left join team as provider on provider.organization_id = agreement.organization_id
      and provider.external_id = agreement.provider_team
    left join data_product as consuming on consuming.organization_id = agreement.organization_id
      and consuming.external_id = agreement.consumer_product
    left join team as consumer on consumer.organization_id = agreement.organization_id
      and consumer.external_id = agreement.consumer_team
    left join organization_member as member on member.organization_id = agreement.organization_id
      and member.user_id = agreement.consumer_user
    left join user_account as account on account.id = member.user_id`

// An index lists the agreements of one state and one team in order. A list of several is merged from the first ones of
// each, so that its duration does not depend on their number.
interface Lane {
  state: AgreementState
  at: RawBuilder<unknown>
  condition: RawBuilder<unknown>
  isAscending: boolean
}

function listLanes(clock: Clock, state: InboxState): Lane[] {
  if (state !== 'expiring') {
    const common = { at: sql`requested_at`, condition: sql`true`, isAscending: false }
    return STATES[state].map((one) => ({ state: one, ...common }))
  }
  const condition = sql`end_on is not null
            and end_on <= (${clock.now} at time zone 'utc')::date + ${EXPIRING_DAYS}::integer`
  return [{ state: 'active', at: sql`end_on`, condition, isAscending: true }]
}

function selectLane(
  scope: AgreementScope,
  {
    state,
    at,
    condition,
    isAscending,
    after,
    limit,
  }: Lane & {
    after: AgreementPlace | undefined
    limit: number
  },
): RawBuilder<unknown>[] {
  const direction = sql.raw(isAscending ? 'asc' : 'desc')
  const isAfter =
    after &&
    (isAscending
      ? sql`(end_on, external_id) > (${after.at}::date, ${after.id})`
      : sql`(requested_at, external_id) < (${after.at}::timestamptz, ${after.id})`)
  const select = (filter: RawBuilder<unknown>): RawBuilder<unknown> => sql`
          select external_id, ${at} as at
          from access_agreement
          where organization_id = ${scope.organizationId}
            and ${filter}
            and state = ${sql.lit(state)}
            and ${condition}
            and ${isAfter ?? sql`true`}
          order by ${at} ${direction}, external_id ${direction}
          limit ${limit}`
  const selectOfTeams = (column: string, teams: readonly string[]): RawBuilder<unknown> => sql`
        select lane.*
        from unnest(${teams}::text[]) as named (team)
        cross join lateral (${select(sql`${sql.ref(column)} = named.team`)}
        ) as lane`
  if (scope.by === 'organization') return [sql`(${select(sql`true`)})`]
  if (scope.by === 'provider') return [sql`(${selectOfTeams('provider_team', scope.teams)})`]
  const ofTeams = sql`(${selectOfTeams('consumer_team', scope.teams)})`
  const { userId } = scope
  if (userId === undefined) return [ofTeams]
  return [ofTeams, sql`(${select(sql`consumer_user = ${userId}::uuid`)})`]
}
