import { sql, type RawBuilder } from 'kysely'
import { NEW_ID } from '../../platform/kit/uuid.ts'
import { appendActivity, selectTeam } from '../activity/record.ts'
import { appendDetailedEvents } from '../events/record.ts'
import { INCIDENT, REOPENED_WITHIN, type IncidentKind, type IncidentOrigin } from './incident.ts'

// SQL fragments that open and resolve incidents in the statement of their cause, or in its transaction.

/**
 * SQL fragment: the results `reopened`, `opened` and those of their events and entries, which open an incident for each
 * row of the result named `cause` (contract_id, server, severity, facts, at); its pairs of contract_id and server must
 * be unique. An open incident gets the facts and the severity; one that was resolved within the hour opens again; no
 * incident opens on a server whose tests do not count, or under a contract that does not exist.
 */
export function openIncidents(origin: IncidentOrigin, kind: IncidentKind): RawBuilder<unknown> {
  const { organizationId } = origin
  return sql`
    permitted as materialized (
      select cause.*
      from cause
      join data_contract as contract on contract.organization_id = ${organizationId}
        and contract.external_id = cause.contract_id
      left join search_document as entry on entry.organization_id = ${organizationId}
        and entry.kind = 'data-contract'
        and entry.external_id = cause.contract_id
      where not coalesce(entry.tested_servers -> 'ignored' ? cause.server, false)
      order by cause.contract_id, cause.server
    ),
    ${reopenLatest(organizationId, kind)},
    ${insertNew(origin, kind)},
    changed as (
      select * from reopened
      union all
      select * from opened where is_announced
    ),
    ${announceChanges(origin, 'opened')}`
}

// Another transaction may open it first: the condition is checked again on its row.
function reopenLatest(organizationId: string, kind: IncidentKind): RawBuilder<unknown> {
  return sql`reopened as (
      update incident
      set resolved_at = null, resolved_because = null, facts = permitted.facts, severity = permitted.severity,
        acknowledged_at = null, acknowledged_by = null, note = null, version = incident.version + 1
      from permitted
      cross join lateral (
        select id
        from incident as latest
        where latest.organization_id = ${organizationId}
          and latest.contract_id = permitted.contract_id
          and latest.server = permitted.server
          and latest.kind = ${kind}
        order by latest.opened_at desc, latest.id desc
        limit 1
      ) as latest
      where incident.organization_id = ${organizationId}
        and incident.id = latest.id
        and incident.resolved_at > permitted.at - ${REOPENED_WITHIN}::interval
      returning incident.*, permitted.at as changed_at, true as is_announced
    )`
}

// No row is written for an incident that stays as it is.
function insertNew(
  { organizationId, principal }: IncidentOrigin,
  kind: IncidentKind,
): RawBuilder<unknown> {
  return sql`opened as (
      insert into incident (
        organization_id, id, kind, contract_id, server, facts, severity, opened_at, opened_by
      )
      select ${organizationId}::uuid, ${NEW_ID}, ${kind}, contract_id, server, facts, severity, at, ${principal}
      from permitted
      where not exists (
        select
        from reopened
        where reopened.contract_id = permitted.contract_id
          and reopened.server = permitted.server
      )
      order by contract_id, server
      on conflict (organization_id, contract_id, server, kind) where resolved_at is null do update
      set facts = excluded.facts, severity = excluded.severity
      where (incident.facts, incident.severity) is distinct from (excluded.facts, excluded.severity)
      returning *, opened_at as changed_at, xmax = 0 as is_announced
    )`
}

/**
 * SQL fragment: the result `changed` and those of its events and entries, which resolve the open incidents of a kind in
 * the result named `cause` (contract_id, server, because, at).
 */
export function resolveIncidents(origin: IncidentOrigin, kind: IncidentKind): RawBuilder<unknown> {
  const { organizationId } = origin
  return sql`
    changed as (
      update incident
      set resolved_at = cause.at, resolved_because = cause.because, version = incident.version + 1
      from cause
      where incident.organization_id = ${organizationId}
        and incident.contract_id = cause.contract_id
        and incident.server = cause.server
        and incident.kind = ${kind}
        and incident.resolved_at is null
      returning incident.*, cause.at as changed_at
    ),
    ${announceChanges(origin, 'resolved')}`
}

// The events and the entries of the incidents in the result `changed`.
function announceChanges(
  origin: IncidentOrigin,
  action: 'opened' | 'resolved',
): RawBuilder<unknown> {
  const { organizationId } = origin
  const contract = sql`
    left join data_contract as contract on contract.organization_id = changed.organization_id
      and contract.external_id = changed.contract_id`
  const event = {
    name: action === 'opened' ? 'IncidentOpenedEvent' : 'IncidentResolvedEvent',
    kind: INCIDENT,
  } as const
  const entry = {
    kind: INCIDENT,
    action,
    at: sql`changed.changed_at`,
    subject: sql`changed.id::text`,
    name: sql`coalesce(contract.name, changed.contract_id)`,
    team: selectTeam(organizationId, sql`contract.owner_team_id`),
    details: sql`jsonb_build_object(
      'kind', changed.kind, 'contract', changed.contract_id, 'server', changed.server
    )`,
  } as const
  const from = sql`from changed ${contract} order by changed.contract_id, changed.server`
  return sql`
    announced as (${appendDetailedEvents(origin, event, {
      subject: sql`changed.id::text`,
      version: sql`changed.version`,
      at: sql`changed.changed_at`,
      details: sql`jsonb_build_object(
        'status', ${action}::text, 'incident', changed.kind, 'dataContractId', changed.contract_id
      )`,
      owners: selectOwners(organizationId),
      from: sql`from changed order by changed.contract_id, changed.server`,
    })}
    ),
    recorded as (${appendActivity(origin, entry, from)}
    )`
}

// The teams that own the contract of an incident, or provide its data.
function selectOwners(organizationId: string): RawBuilder<unknown> {
  return sql`array(
        select owner.external_id
        from data_contract as contract
        join team as owner on owner.organization_id = contract.organization_id
          and owner.id = contract.owner_team_id
        where contract.organization_id = ${organizationId}
          and contract.external_id = changed.contract_id
        union
        select provider.external_id
        from data_product as product
        join team as provider on provider.organization_id = product.organization_id
          and provider.id = product.owner_team_id
        where product.organization_id = ${organizationId}
          and product.output_contracts @> array[changed.contract_id]
      )`
}
