import { sql } from 'kysely'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { CalendarDate, Database } from '../../platform/tables.ts'
import { canSeeIntegration, selectTeamIds, type Viewer } from '../../ledger/activity/viewer.ts'
import type { IncidentKind } from '../../ledger/incidents/incident.ts'
import { ATTENTION_MAX, EXPIRED_DAYS, EXPIRY_DAYS } from './home.ts'

/** An integration with its problems. */
export interface IntegrationState {
  externalId: string
  name: string
  pausedBecause: string | null
  failedRunId: string | null
  failedAt: Instant | null
  failedBecause: string | null
  heldRunId: string | null
  heldAt: Instant | null
  heldCount: number | null
}

/** Lists the integrations with problems that the viewer can see. */
export async function listIntegrationStates(
  db: Database,
  viewer: Viewer,
): Promise<IntegrationState[]> {
  const { organizationId } = viewer
  const { rows } = await sql<IntegrationState>`
    select
      integration.external_id as "externalId", integration.name,
      integration.paused_because as "pausedBecause",
      failed.id as "failedRunId", failed.completed_at as "failedAt",
      failed.message as "failedBecause",
      held.id as "heldRunId", held.completed_at as "heldAt", held.held_count as "heldCount"
    from integration
    left join lateral (
      select id, completed_at, message, status
      from ingestion_run
      where organization_id = integration.organization_id
        and integration_id = integration.id
      order by started_at desc, id desc
      limit 1
    ) as failed on failed.status = 'FAILED'
    left join lateral (
      select id, completed_at, held_count
      from ingestion_run
      where organization_id = integration.organization_id
        and integration_id = integration.id
        and held_state = 'pending'
      order by started_at desc
      limit 1
    ) as held on true
    where integration.organization_id = ${organizationId}
      and ${canSeeIntegration(viewer)}
      and (
        integration.paused_because is not null
        or failed.id is not null
        or held.id is not null
      )
    order by coalesce(failed.completed_at, held.completed_at) desc nulls last, integration.external_id
    limit ${ATTENTION_MAX}
  `.execute(db)
  return rows
}

/** A key that expires soon or expired recently. */
interface ExpiringKey {
  id: string
  displayName: string
  expiresOn: CalendarDate
  /** 0 = today is the last day; negative = it has expired. */
  daysLeft: number
}

/**
 * Lists the keys that expire soon or expired recently and that the viewer may replace, in the order of their expiry.
 * An expired key is skipped if a newer one with the same name and owner has replaced it.
 */
export async function listExpiringKeys(
  db: Database,
  clock: Clock,
  { organizationId, isOwner, userId, keyTeams }: Viewer,
): Promise<ExpiringKey[]> {
  const { rows } = await sql<ExpiringKey>`
    with today as materialized (
      select (${clock.now} at time zone 'UTC')::date as day
    )
    select id, display_name as "displayName", expires_on as "expiresOn",
      expires_on - today.day as "daysLeft"
    from api_key
    cross join today
    where organization_id = ${organizationId}
      and expires_on between today.day - ${EXPIRED_DAYS}::integer
        and today.day + ${EXPIRY_DAYS}::integer
      and (
        expires_on >= today.day
        or not exists (
          select
          from api_key as newer
          where newer.organization_id = api_key.organization_id
            and newer.created_at > api_key.created_at
            and newer.display_name = api_key.display_name
            and newer.scope = api_key.scope
            and newer.user_id is not distinct from api_key.user_id
            and newer.team_id is not distinct from api_key.team_id
        )
      )
      and (
        user_id = ${userId}::uuid
        or user_id is null and ${isOwner}::boolean
        or team_id in ${selectTeamIds(organizationId, keyTeams)}
      )
    order by expires_on, created_at, id
    limit ${ATTENTION_MAX}
  `.execute(db)
  return rows
}

/** A product whose ports reference missing contracts. */
interface DanglingProduct {
  id: string
  name: string
  /** The IDs of the missing contracts. */
  missing: string[]
}

/** Lists the products of teams whose ports reference missing contracts, by ID. */
export async function listDangling(
  db: Database,
  organizationId: string,
  teams: readonly string[],
): Promise<DanglingProduct[]> {
  const { rows } = await sql<DanglingProduct>`
    select product.external_id as id, product.name,
      array_agg(distinct named.contract order by named.contract) as missing
    from data_product as product
    cross join lateral unnest(product.input_contracts || product.output_contracts)
      as named (contract)
    where product.organization_id = ${organizationId}
      and product.owner_team_id in ${selectTeamIds(organizationId, teams)}
      and not exists (
        select from data_contract
        where organization_id = ${organizationId}
          and external_id = named.contract
      )
    group by product.external_id, product.name
    order by product.external_id
    limit ${ATTENTION_MAX}
  `.execute(db)
  return rows
}

/** An open incident without an acknowledgement. */
interface OpenIncident {
  id: string
  kind: IncidentKind
  contractId: string
  /** The id of the contract if it does not exist. */
  name: string
  /** The version in the document of the contract. */
  contractVersion: string | null
  server: string
  openedAt: Instant
  /** The number of such incidents. */
  total: number
}

/**
 * Lists the open incidents without an acknowledgement of data contracts that teams own, or that output ports of their
 * data products have: the newest first, at most a limit. The differences of contracts that they own have items of their own.
 */
export async function listOpenIncidents(
  db: Database,
  organizationId: string,
  teams: readonly string[],
  limit: number,
): Promise<OpenIncident[]> {
  const { rows } = await sql<OpenIncident>`
    with owned as materialized (
      select external_id as id
      from data_contract
      where organization_id = ${organizationId}
        and owner_team_id in ${selectTeamIds(organizationId, teams)}
    ),
    responsible as materialized (
      select id
      from owned
      union
      select unnest(output_contracts)
      from data_product
      where organization_id = ${organizationId}
        and owner_team_id in ${selectTeamIds(organizationId, teams)}
    )
    select incident.id, incident.kind, incident.contract_id as "contractId",
      coalesce(stored.name, incident.contract_id) as name, stored.contract_version as "contractVersion",
      incident.server, incident.opened_at as "openedAt",
      count(*) over ()::integer as total
    from responsible
    join incident on incident.organization_id = ${organizationId}
      and incident.contract_id = responsible.id
      and incident.resolved_at is null
      and incident.acknowledged_at is null
      and not (incident.kind = 'drift' and incident.contract_id in (select id from owned))
    left join data_contract as stored on stored.organization_id = ${organizationId}
      and stored.external_id = incident.contract_id
    order by incident.opened_at desc, incident.id desc
    limit ${limit}
  `.execute(db)
  return rows
}

/** The data contracts without an owner: the first IDs and the total number. */
interface UnownedContracts {
  ids: string[]
  count: number
}

const UNOWNED_NAMED_MAX = 3

/** Finds the data contracts of an organization without an owner. */
export async function findUnownedContracts(
  db: Database,
  organizationId: string,
): Promise<UnownedContracts> {
  const { rows } = await sql<UnownedContracts>`
    with unowned as materialized (
      select external_id
      from data_contract
      where organization_id = ${organizationId}
        and owner_team_id is null
    )
    select
      array(select external_id from unowned order by external_id limit ${UNOWNED_NAMED_MAX}) as ids,
      (select count(*) from unowned)::integer as count
  `.execute(db)
  return rows[0] ?? { ids: [], count: 0 }
}

/** The numbers of documents in formats that end, and the current time. */
export interface LeftToMove {
  dps: number
  dcs: number
  now: Instant
}

/** Counts the documents in DPS and DCS of teams; undefined = of all teams. */
export async function countLeftToMove(
  db: Database,
  clock: Clock,
  organizationId: string,
  teams: readonly string[] | undefined,
): Promise<LeftToMove> {
  const owned =
    teams === undefined ? sql`` : sql`and owner_team_id in ${selectTeamIds(organizationId, teams)}`
  const { rows } = await sql<LeftToMove>`
    select
      (
        select count(*)
        from data_product
        where organization_id = ${organizationId}
          and format = 'dps'
          ${owned}
      ) as dps,
      (
        select count(*)
        from data_contract
        where organization_id = ${organizationId}
          and format = 'dcs'
          ${owned}
      ) as dcs,
      ${clock.now} as now
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement that always returns a row returned none')
  return row
}
