import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../platform/kit/clock.ts'
import type { Database } from '../platform/tables.ts'
import type { AgreementAt, AgreementKey } from './agreement.ts'
import { EXPIRING_DAYS } from './lifecycle.ts'
import {
  COUNTED_MAX,
  READERS_MAX,
  VIEWS,
  type AccessSummary,
  type AgreementCursor,
  type AgreementView,
} from './ui-schema.ts'
import type { ProvisioningStatus } from './provisioning.ts'
import {
  CONSUMER_NAME,
  getToday,
  IS_OPEN,
  isApprovableBy,
  JOIN_PARTIES,
  selectAgreements,
  type Approver,
} from './query.ts'

/** The agreements that a list contains: those that match one of the members. */
export interface AgreementScope {
  organizationId: string
  /** Of the data products of these teams; `all` = of every data product. */
  providerTeams?: readonly string[] | 'all'
  /** Of these teams and of their data products. */
  consumerTeams?: readonly string[]
  consumerUser?: string | undefined
  /** Only those of this data product. */
  productId?: string | undefined
  /** Only those that this person may approve; undefined = also others. */
  approver?: Approver | undefined
}

/** A page of a list. */
interface ListedPage {
  view: AgreementView
  after: AgreementCursor | undefined
  limit: number
}

/** An agreement with its provisioning and the names of its parties. */
export interface NamedAgreement extends AgreementAt {
  /** Null = no report yet. */
  provisioningStatus: ProvisioningStatus | null
  productName: string | null
  consumerName: string | null
}

const NAMES = {
  provisioningStatus: sql`agreement.provisioning_status`,
  productName: sql`product.name`,
  consumerName: CONSUMER_NAME,
} satisfies Partial<Record<keyof NamedAgreement, RawBuilder<unknown>>>

// A source of agreements whose rows an index has in the order of the list: the rows of `from` are the values of
// `condition`.
interface Source {
  from: RawBuilder<unknown>
  condition: RawBuilder<unknown>
}

const ONE_ROW = sql`(select) as source`

function listSources(scope: AgreementScope): Source[] {
  const { providerTeams, consumerTeams = [], consumerUser, productId } = scope
  if (productId !== undefined) {
    const isOfTeam =
      providerTeams === undefined || providerTeams === 'all'
        ? sql``
        : sql` and agreement.provider_team = any(${providerTeams}::text[])`
    return [{ from: ONE_ROW, condition: sql`agreement.provider_product = ${productId}${isOfTeam}` }]
  }
  if (providerTeams === 'all') return [{ from: ONE_ROW, condition: sql`true` }]
  if (providerTeams !== undefined) return [toTeamSource(providerTeams, 'provider_team')]
  const teams = toTeamSource(consumerTeams, 'consumer_team')
  if (consumerUser === undefined) return [teams]
  return [teams, { from: ONE_ROW, condition: sql`agreement.consumer_user = ${consumerUser}::uuid` }]
}

function toTeamSource(teams: readonly string[], column: string): Source {
  return {
    from: sql`unnest(${teams}::text[]) as source (team)`,
    condition: sql`agreement.${sql.ref(column)} = source.team`,
  }
}

// The state as a literal, so that the partial indexes of those that end match.
const isExpiring = (clock: Clock): RawBuilder<unknown> => sql`agreement.state = 'active'
        and agreement.end_on > ${getToday(clock)}
        and agreement.end_on <= ${getToday(clock)} + ${EXPIRING_DAYS}::integer`

/**
 * Lists the agreements of a view after a position. Each source and state reads only as many rows of its index as the
 * page has, so that the duration does not depend on the number of agreements.
 */
export async function listPage(
  db: Database,
  clock: Clock,
  scope: AgreementScope,
  { view, after, limit }: ListedPage,
): Promise<NamedAgreement[]> {
  const isByEnd = view === 'expiring'
  const order = isByEnd
    ? sql`agreement.end_on, agreement.external_id`
    : sql`agreement.requested_at desc, agreement.external_id desc`
  const isAfter =
    after === undefined
      ? sql``
      : isByEnd
        ? sql`and (agreement.end_on, agreement.external_id) > (${after.at}::date, ${after.id})`
        : sql`and (agreement.requested_at, agreement.external_id)
            < (${after.at}::timestamptz, ${after.id})`
  const states: readonly string[] = VIEWS[view]
  const isInView = isByEnd ? isExpiring(clock) : sql`agreement.state = chosen.state`
  const parts = listSources(scope).map(
    ({ from, condition }) => sql`
      select found.*
      from ${from}
      cross join unnest(${states}::text[]) as chosen (state)
      cross join lateral (
        select agreement.*
        from access_agreement as agreement
        where agreement.organization_id = ${scope.organizationId}
          and ${condition}
          and ${isInView}
          ${isAfter}
        order by ${order}
        limit ${limit}
      ) as found`,
  )
  const rest = sql`
    from agreement
    ${JOIN_PARTIES}
    order by ${order}`
  const { rows } = await sql<NamedAgreement>`
    with agreement as materialized (
      select *
      from (${sql.join(parts, sql` union all `)}
      ) as agreement
      order by ${order}
      limit ${limit}
    )
    ${selectAgreements(clock, rest, NAMES)}
  `.execute(db)
  return rows
}

/** Finds an agreement with the names of its parties. */
export async function findNamed(
  db: Database,
  clock: Clock,
  { organizationId, id }: AgreementKey,
): Promise<NamedAgreement | undefined> {
  const rest = sql`
    from access_agreement as agreement
    ${JOIN_PARTIES}
    where agreement.organization_id = ${organizationId}
      and agreement.external_id = ${id}`
  const { rows } = await selectAgreements<NamedAgreement>(clock, rest, NAMES).execute(db)
  return rows[0]
}

/** Counts the agreements of views, at most one more than `COUNTED_MAX` of each. */
export async function countViews<View extends AgreementView>(
  db: Database,
  clock: Clock,
  scope: AgreementScope,
  views: readonly View[],
): Promise<Record<View, number>> {
  const counts = views.map((view) => {
    const isCounted =
      view === 'expiring'
        ? isExpiring(clock)
        : sql`agreement.state = any(${[...VIEWS[view]]}::text[])`
    return sql`${countRows(scope, isCounted)} as ${sql.ref(view)}`
  })
  const { rows } = await sql<Record<View, number>>`
    select ${sql.join(counts)}
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement that always returns a row returned none')
  return row
}

function countRows(scope: AgreementScope, isCounted: RawBuilder<unknown>): RawBuilder<unknown> {
  const parts = listSources(scope).map(
    ({ from, condition }) => sql`
        (
          select 1
          from ${from}
          join access_agreement as agreement
            on agreement.organization_id = ${scope.organizationId}
            and ${condition}
          where ${isCounted}
            and ${scope.approver === undefined ? sql`true` : isApprovableBy(scope.approver)}
          limit ${COUNTED_MAX + 1}
        )`,
  )
  return sql`(
      select count(*)::integer
      from (
        select
        from (${sql.join(parts, sql` union all `)}
        ) as found
        limit ${COUNTED_MAX + 1}
      ) as counted
    )`
}

// Whether one of the teams owns the data product `named`.
function isOwnedBy(organizationId: string, teams: readonly string[]): RawBuilder<unknown> {
  return sql`exists (
        select
        from data_product as product
        join team on team.organization_id = product.organization_id
          and team.id = product.owner_team_id
        where product.organization_id = ${organizationId}
          and product.external_id = named.id
          and team.external_id = any(${teams}::text[])
      )`
}

/**
 * Summarizes the access to data products in one statement: the number of consumers with active access, whether one of the
 * teams owns it, and the open agreements of a person and of teams. It reads at most `READERS_MAX` agreements of each data product, and those of the
 * consumers once for all of them.
 */
export async function summarizeAccess(
  db: Database,
  { organizationId, consumerTeams = [], consumerUser }: AgreementScope,
  productIds: readonly string[],
): Promise<AccessSummary[]> {
  const isOpen = sql`agreement.organization_id = ${organizationId}
        and ${IS_OPEN}
        and agreement.provider_product = any(${productIds}::text[])`
  const { rows } = await sql<AccessSummary>`
    with own as materialized (
      select agreement.*
      from unnest(${consumerTeams}::text[]) as team (id)
      join access_agreement as agreement on agreement.consumer_team = team.id
        and ${isOpen}
      union all
      select agreement.*
      from access_agreement as agreement
      where agreement.consumer_user = ${consumerUser ?? null}::uuid
        and ${isOpen}
    ),
    listed as (
      select provider_product,
        json_agg(
          json_build_object(
            'id', external_id, 'port', output_port, 'state', state,
            'consumerType', consumer_type, 'endOn', end_on
          )
          order by consumer_type, requested_at desc, external_id
        ) as list
      from own
      group by provider_product
    )
    select named.id as "productId", reading.count as readers,
      ${isOwnedBy(organizationId, consumerTeams)} as "isOwn",
      coalesce(listed.list, '[]') as mine
    from unnest(${productIds}::text[]) with ordinality as named (id, ordinal)
    cross join lateral (
      select case
          when count(*) > ${READERS_MAX} then ${READERS_MAX + 1}
          else count(distinct (consumer_type, consumer_product, consumer_user,
            case when consumer_type = 'team' then consumer_team end))
        end::integer as count
      from (
        select consumer_type, consumer_product, consumer_user, consumer_team
        from access_agreement
        where organization_id = ${organizationId}
          and held_product = named.id
          and state = 'active'
        limit ${READERS_MAX + 1}
      ) as active
    ) as reading
    left join listed on listed.provider_product = named.id
    order by named.ordinal
  `.execute(db)
  return rows
}
