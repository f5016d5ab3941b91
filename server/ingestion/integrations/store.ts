import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendIntegrations, selectChange, selectProperties } from './activity-record.ts'
import { sql } from 'kysely'
import { selectPage } from '../../requests/http/paging.ts'
import { RUN_COLUMNS, type RunKind, type RunRow } from './run.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { Integration } from './integration.ts'

// Selects an Integration for each row of `integration`.
const COLUMNS = sql`
  integration.id, integration.external_id as "externalId", integration.name, integration.source,
  team.external_id as "ownerTeam", integration.owner_team_id as "ownerTeamId",
  integration.configuration, integration.schedule_expression as "scheduleExpression",
  integration.schedule_time_zone as "timeZone", integration.enabled,
  integration.next_due_at as "nextDueAt", integration.paused_because as "pausedBecause",
  integration.version`

/**
 * The lock on an integration until the end of the transaction: against changes, or also against
 * runs.
 */
export type Hold = 'no hold' | 'against changes' | 'against runs'

const HOLDS: Record<Hold, ReturnType<typeof sql>> = {
  'no hold': sql``,
  'against changes': sql`for no key update of integration`,
  // A new run refers to its integration and waits for this lock.
  'against runs': sql`for update of integration`,
}

/** Finds an integration. */
export async function findIntegration(
  db: Database,
  organizationId: string,
  externalId: string,
  hold: Hold = 'no hold',
): Promise<Integration | undefined> {
  const { rows } = await sql<Integration>`
    select ${COLUMNS}
    from integration
    left join team on team.organization_id = integration.organization_id
      and team.id = integration.owner_team_id
    where integration.organization_id = ${organizationId}
      and integration.external_id = ${externalId}
    ${HOLDS[hold]}
  `.execute(db)
  return rows[0]
}

/** A filter for integrations, and the visibility of the caller. */
export interface ListFilter {
  organizationId: string
  page: number
  ownerTeam: string | undefined
  /** Empty = any. */
  sources: readonly string[]
  enabled: boolean | undefined
  /** The external ids of the teams whose integrations are visible; undefined = all are. */
  seenTeams: readonly string[] | undefined
  seesUnowned: boolean
}

/** Lists a page of integrations and one more, sorted by creation. */
export async function listIntegrations(db: Database, filter: ListFilter): Promise<Integration[]> {
  const { ownerTeam = null, enabled = null, seenTeams } = filter
  const { rows } = await sql<Integration>`
    select ${COLUMNS}
    from integration
    left join team on team.organization_id = integration.organization_id
      and team.id = integration.owner_team_id
    where integration.organization_id = ${filter.organizationId}
      and (${ownerTeam}::text is null or team.external_id = ${ownerTeam})
      and (${enabled}::boolean is null or integration.enabled = ${enabled})
      and (${filter.sources.length === 0} or integration.source = any(${filter.sources}::text[]))
      and (
        ${seenTeams === undefined}
        or team.external_id = any(${seenTeams ?? []}::text[])
        or (${filter.seesUnowned} and integration.owner_team_id is null)
      )
    order by integration.created_at, integration.external_id
    ${selectPage(filter.page)}
  `.execute(db)
  return rows
}

/**
 * Finds the last run of these kinds for each integration, by internal id; integrations without one
 * are omitted.
 */
export async function listLatestRuns(
  db: Database,
  organizationId: string,
  ids: readonly string[],
  kinds: readonly RunKind[],
): Promise<(RunRow & { integration_id: string })[]> {
  const { rows } = await sql<RunRow & { integration_id: string }>`
    select requested.id as integration_id, run.*
    from unnest(${ids}::uuid[]) as requested (id)
    cross join lateral (
      select ${sql.join(RUN_COLUMNS.map((column) => sql.ref(column)))}
      from ingestion_run
      where organization_id = ${organizationId}
        and integration_id = requested.id
        and kind = any(${kinds}::text[])
      order by started_at desc, id desc
      limit 1
    ) as run
  `.execute(db)
  return rows
}

/** Finds a team by its external id, and the current time. */
export async function findOwnerAndTime(
  db: Database,
  clock: Clock,
  organizationId: string,
  ownerTeam: string | undefined,
): Promise<{ ownerTeamId: string | null; now: Instant }> {
  const { rows } = await sql<{ ownerTeamId: string | null; now: Instant }>`
    select
      ${clock.now} as now,
      (
        select id
        from team
        where organization_id = ${organizationId}
          and external_id = ${ownerTeam ?? null}
      ) as "ownerTeamId"
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement returned no row')
  return row
}

/** The columns of an integration to write. */
export interface IntegrationRow {
  organizationId: string
  id: string
  externalId: string
  name: string
  source: string
  ownerTeamId: string | null
  /** The connector's fields and the filters. */
  configuration: Record<string, unknown>
  scheduleExpression: string | null
  timeZone: string
  enabled: boolean
  nextDueAt: Instant | null
  now: Instant
  principal: string
  requestId: string
}

/** Inserts an integration. Returns false if the external id is taken. */
export async function insertIntegration(db: Database, row: IntegrationRow): Promise<boolean> {
  const after = selectProperties(row.organizationId, 'integration')
  const details = sql`jsonb_build_object('source', integration.source, 'after', ${after})`
  const entry = { action: 'created', at: sql`integration.created_at`, details }
  const { rows } = await sql`
    with added as (
      insert into integration (
        organization_id, id, external_id, name, source, owner_team_id, configuration,
        schedule_expression, schedule_time_zone, enabled, next_due_at, version, created_at,
        updated_at, updated_by
      )
      values (
        ${row.organizationId}, ${row.id}, ${row.externalId}, ${row.name}, ${row.source},
        ${row.ownerTeamId}, ${JSON.stringify(row.configuration)}::jsonb, ${row.scheduleExpression},
        ${row.timeZone}, ${row.enabled}, ${row.nextDueAt}, 1, ${row.now}, ${row.now}, ${row.principal}
      )
      on conflict (organization_id, external_id) do nothing
      returning *
    ),
    recorded as (${appendIntegrations(row, entry, sql`from added as integration`)}
    )
    select id
    from added
  `.execute(db)
  return rows.length > 0
}

/** Updates the mutable properties of an integration; `resumed` ends the pause of its schedule. */
export async function updateIntegration(
  db: Database,
  row: Omit<IntegrationRow, 'externalId' | 'source'> & { resumed: boolean },
): Promise<void> {
  const entry = {
    action: 'updated',
    at: sql`integration.updated_at`,
    details: selectChange(row.organizationId),
  }
  // The fragment joins the former row, because a statement does not see its own changes.
  const from = sql`
    from updated as integration
    join integration as former on former.organization_id = integration.organization_id
      and former.id = integration.id`
  await sql`
    with updated as (
      update integration
      set name = ${row.name}, owner_team_id = ${row.ownerTeamId}::uuid,
        configuration = ${JSON.stringify(row.configuration)}::jsonb,
        schedule_expression = ${row.scheduleExpression}, schedule_time_zone = ${row.timeZone},
        enabled = ${row.enabled}, next_due_at = ${row.nextDueAt}::timestamptz,
        authentication_failure_count =
          case when ${row.resumed} then 0 else authentication_failure_count end,
        paused_because = case when ${row.resumed} then null else paused_because end,
        version = version + 1, updated_at = ${row.now}::timestamptz, updated_by = ${row.principal}
      where organization_id = ${row.organizationId}
        and id = ${row.id}
      returning *
    )
    ${appendIntegrations(row, entry, from)}
  `.execute(db)
}

/** Enables or disables the schedule of an integration; enabling also ends its pause. */
export async function updateEnabled(
  db: Database,
  change: Pick<
    IntegrationRow,
    'organizationId' | 'id' | 'enabled' | 'nextDueAt' | 'now' | 'principal' | 'requestId'
  >,
): Promise<void> {
  const action = change.enabled ? 'enabled' : 'disabled'
  const entry = { action, at: sql`integration.updated_at` }
  await sql`
    with updated as (
      update integration
      set enabled = ${change.enabled}, next_due_at = ${change.nextDueAt}::timestamptz,
        authentication_failure_count =
          case when ${change.enabled} then 0 else authentication_failure_count end,
        paused_because = case when ${change.enabled} then null else paused_because end,
        version = version + 1, updated_at = ${change.now}::timestamptz,
        updated_by = ${change.principal}
      where organization_id = ${change.organizationId}
        and id = ${change.id}
      returning *
    )
    ${appendIntegrations(change, entry, sql`from updated as integration`)}
  `.execute(db)
}

/** Checks whether a run is in progress. */
export async function hasRunInProgress(
  db: Database,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from ingestion_run
    where organization_id = ${organizationId}
      and integration_id = ${id}
      and status = 'RUNNING'
  `.execute(db)
  return rows.length > 0
}

/** Deletes an integration with its secrets and runs; its assets must be detached first. */
export async function deleteIntegration(
  db: Database,
  clock: Clock,
  { id, ...origin }: ActivityActor & { organizationId: string; id: string },
): Promise<void> {
  const entry = { action: 'deleted', at: clock.now }
  await sql`
    with removed as (
      delete from integration
      where organization_id = ${origin.organizationId}
        and id = ${id}
      returning *
    )
    ${appendIntegrations(origin, entry, sql`from removed as integration`)}
  `.execute(db)
}

/** A change of one address of an integration, and its author. */
interface AddressEntry extends ActivityActor {
  organizationId: string
  integrationId: string
  address: string
  action: string
}

/** Records the change of an address, in the transaction that makes it. */
export async function appendAddress(
  db: Database,
  clock: Clock,
  { integrationId, address, action, ...actor }: AddressEntry,
): Promise<void> {
  const entry = { action, details: { address }, at: clock.now }
  const from = sql`from integration
    where integration.organization_id = ${actor.organizationId}
      and integration.id = ${integrationId}`
  await appendIntegrations(actor, entry, from).execute(db)
}
