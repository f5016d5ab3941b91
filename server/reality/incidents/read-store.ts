import { sql, type RawBuilder } from 'kysely'
import { appendActivity, selectTeam } from '../../ledger/activity/record.ts'
import { INCIDENT, type IncidentOrigin } from '../../ledger/incidents/incident.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { selectPage } from '../../requests/http/paging.ts'
import type { Database } from '../../platform/tables.ts'
import type { Incident } from './read.ts'

/** A stored incident. */
export type StoredIncident = Omit<Incident, 'title'> & {
  /** The version in the document of the contract. */
  contractVersion: string | null
}

/** The filters of incidents; an incident must match all of them. */
export interface IncidentFilter {
  status?: Incident['status'] | undefined
  kind?: Incident['kind'] | undefined
  /** The team that owns the contract, or provides its data. */
  teamId?: string | undefined
  dataContractId?: string | undefined
  dataProductId?: string | undefined
}

// As in the index of the list, which a condition on the column does not use.
const IS_RESOLVED = sql`(incident.resolved_at is not null)::integer`

const STATUSES: Readonly<Record<Incident['status'], RawBuilder<unknown>>> = {
  open: sql`${IS_RESOLVED} = 0 and incident.acknowledged_at is null`,
  acknowledged: sql`${IS_RESOLVED} = 0 and incident.acknowledged_at is not null`,
  resolved: sql`${IS_RESOLVED} = 1`,
}

/** Lists a page of incidents, and one more if there is a next page: open ones first, then the newest. */
export async function listIncidents(
  db: Database,
  organizationId: string,
  { status, kind, teamId, dataContractId, dataProductId }: IncidentFilter,
  { page, size }: { page: number; size: number },
): Promise<StoredIncident[]> {
  const conditions = [
    sql`incident.organization_id = ${organizationId}`,
    status !== undefined && STATUSES[status],
    kind !== undefined && sql`incident.kind = ${kind}`,
    dataContractId !== undefined && sql`incident.contract_id = ${dataContractId}`,
    teamId !== undefined && sql`(owner.external_id = ${teamId} or ${teamId} = any(provided.teams))`,
    dataProductId !== undefined &&
      sql`exists (
        select
        from data_product as product
        where product.organization_id = ${organizationId}
          and product.external_id = ${dataProductId}
          and product.output_contracts @> array[incident.contract_id]
      )`,
  ].filter((condition) => typeof condition === 'object')
  const { rows } = await sql<StoredIncident>`
    ${selectIncidents(organizationId)}
    where ${sql.join(conditions, sql` and `)}
    order by ${IS_RESOLVED}, incident.opened_at desc, incident.id desc
    ${selectPage(page, size)}
  `.execute(db)
  return rows
}

/** Finds an incident. */
export async function findIncident(
  db: Database,
  organizationId: string,
  id: string,
): Promise<StoredIncident | undefined> {
  const { rows } = await sql<StoredIncident>`
    ${selectIncidents(organizationId)}
    where incident.organization_id = ${organizationId}
      and incident.id = ${id}::uuid
  `.execute(db)
  return rows[0]
}

function selectIncidents(organizationId: string): RawBuilder<unknown> {
  return sql`
    select incident.id, incident.kind, incident.contract_id as "dataContractId",
      coalesce(contract.name, incident.contract_id) as "dataContractName",
      contract.contract_version as "contractVersion", owner.external_id as "ownerId",
      incident.server, incident.severity, incident.facts, incident.notified, incident.version,
      case
        when incident.resolved_at is not null then 'resolved'
        when incident.acknowledged_at is not null then 'acknowledged'
        else 'open'
      end as status,
      incident.opened_at as "openedAt", incident.opened_by as "openedBy",
      incident.acknowledged_at as "acknowledgedAt", incident.acknowledged_by as "acknowledgedBy", incident.note,
      incident.resolved_at as "resolvedAt", incident.resolved_because as "resolvedBecause",
      provided.teams as "providerIds"
    from incident
    left join data_contract as contract on contract.organization_id = ${organizationId}
      and contract.external_id = incident.contract_id
    left join team as owner on owner.organization_id = ${organizationId}
      and owner.id = contract.owner_team_id
    cross join lateral (
      select array(
          select distinct provider.external_id
          from data_product as product
          join team as provider on provider.organization_id = ${organizationId}
            and provider.id = product.owner_team_id
          where product.organization_id = ${organizationId}
            and product.output_contracts @> array[incident.contract_id]
        ) as teams
    ) as provided`
}

/** Acknowledges an incident and records the entry, in one statement. Returns false if it is not open. */
export async function acknowledgeIncident(
  db: Database,
  clock: Clock,
  { organizationId, principal, requestId }: IncidentOrigin,
  { id, note }: { id: string; note: string | null },
): Promise<boolean> {
  const entry = {
    kind: INCIDENT,
    action: 'acknowledged',
    at: sql`changed.acknowledged_at`,
    subject: sql`changed.id::text`,
    name: sql`coalesce(contract.name, changed.contract_id)`,
    team: selectTeam(organizationId, sql`contract.owner_team_id`),
    details: sql`jsonb_build_object(
      'kind', changed.kind, 'contract', changed.contract_id, 'server', changed.server, 'note', changed.note
    )`,
  } as const
  const from = sql`
    from changed
    left join data_contract as contract on contract.organization_id = changed.organization_id
      and contract.external_id = changed.contract_id`
  const { rows } = await sql`
    with changed as (
      update incident
      set acknowledged_at = ${clock.now}, acknowledged_by = ${principal}, note = ${note}, version = version + 1
      where organization_id = ${organizationId}
        and id = ${id}::uuid
        and resolved_at is null
      returning *
    ),
    recorded as (${appendActivity({ organizationId, principal, requestId }, entry, from)}
    )
    select from changed
  `.execute(db)
  return rows.length > 0
}

/** The maximum number of incidents that one statement deletes. */
export const DELETE_INCIDENTS_MAX = 10_000

/** Deletes the next incidents that were resolved two years ago. Returns their number. */
export async function deleteExpiredIncidents(db: Database, clock: Clock): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from incident
    using (
      select organization_id, id
      from incident
      where resolved_at < (select ${clock.now} - interval '2 years')
      limit ${DELETE_INCIDENTS_MAX}
    ) as expired
    where incident.organization_id = expired.organization_id
      and incident.id = expired.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
