import { sql, type RawBuilder } from 'kysely'
import { unnestEvents, type FollowedEvent } from '../../ledger/events/feed-follower.ts'
import type { Database } from '../../platform/tables.ts'
import { AUDIENCE, appendNotifications } from './record.ts'

/**
 * Inserts the notifications of incidents that opened or were resolved. The owners of the contract, the providers of its data
 * and their followers get them at once, the consumers in their digest.
 */
export async function insertIncidentNotifications(
  db: Database,
  organizationId: string,
  events: readonly FollowedEvent[],
): Promise<void> {
  await sql`
    with changed as (
      select distinct on (incident.id, event.version)
        incident.*, event.principal, event.time, event.version as event_version,
        case event.type when 'IncidentOpenedEvent' then 'opened' else 'resolved' end as action,
        contract.name as contract_name, contract.contract_version, owner.external_id as owner
      from (${unnestEvents(events)}) as event
      cross join lateral (
        select *
        from incident
        where incident.organization_id = ${organizationId}
          and incident.id = event.subject::uuid
        limit 1
      ) as incident
      left join lateral (
        select *
        from data_contract
        where data_contract.organization_id = ${organizationId}
          and data_contract.external_id = incident.contract_id
        limit 1
      ) as contract on true
      left join lateral (
        select external_id
        from team
        where team.organization_id = ${organizationId}
          and team.id = contract.owner_team_id
        limit 1
      ) as owner on true
      order by incident.id, event.version
    ),
    occasion as (
      select 'incident' as kind, 'incident/' || changed.id || '/' || changed.event_version as occasion,
        'data-contract' as subject_kind, changed.contract_id as subject_id,
        coalesce(changed.contract_name, changed.contract_id) as subject_name, null::text as principal,
        jsonb_build_object(
          'incidentId', changed.id, 'incident', changed.kind, 'action', changed.action,
          'contractVersion', changed.contract_version, 'server', nullif(changed.server, ''), 'because', changed.resolved_because,
          'resultId', changed.facts -> 'resultId', 'result', changed.facts -> 'result',
          'checks', changed.facts -> 'checkCount', 'passed', changed.facts -> 'passedCount'
        ) as data,
        ${selectAudience(organizationId)} as audience,
        null::text[] as visible_to, changed.time as occurred_at
      from changed
    )
    ${appendNotifications(sql`${organizationId}::uuid`)}
  `.execute(db)
}

// Consumers come last: who is an owner, too, gets the e-mail at once.
function selectAudience(organizationId: string): RawBuilder<unknown> {
  return sql`jsonb_build_array(
          ${AUDIENCE.team(sql`changed.owner`, 'owner')},
          ${AUDIENCE.providers(sql`array[changed.contract_id]`)},
          ${AUDIENCE.followers('data-contract', sql`changed.contract_id`)},
          ${AUDIENCE.followers('team', sql`changed.owner`)}
        ) || (
          select coalesce(jsonb_agg(${AUDIENCE.followers('data-product', sql`product.external_id`)}), '[]')
          from data_product as product
          where product.organization_id = ${organizationId}
            and product.output_contracts @> array[changed.contract_id]
        ) || jsonb_build_array(
          ${AUDIENCE.inDigest(AUDIENCE.consumers(sql`array[changed.contract_id]`))}
        )`
}
