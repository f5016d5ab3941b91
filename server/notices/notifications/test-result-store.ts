import { sql } from 'kysely'
import { unnestEvents, type FollowedEvent } from '../../ledger/events/feed-follower.ts'
import type { Database } from '../../platform/tables.ts'
import { AUDIENCE, appendNotifications } from './record.ts'

/**
 * Inserts the notifications of failed tests behind events. A test that fails every night notifies once, until it has
 * passed again. Branches and dry runs do not test the data.
 */
export async function insertTestNotifications(
  db: Database,
  organizationId: string,
  events: readonly FollowedEvent[],
): Promise<void> {
  await sql`
    with failed as (
      select distinct on (test_result.external_id)
        test_result.*, event.principal, event.time, contract.name as contract_name,
        owner.external_id as owner
      ${fromResults(organizationId, events)}
      where test_result.version = event.version
        and test_result.result in ('failed', 'error')
        and test_result.branch is null
        and not test_result.dry_run
      order by test_result.external_id
    ),
    occasion as (
      select 'test_failed' as kind,
        'test-result/' || failed.external_id || '/' || failed.version as occasion,
        'data-contract' as subject_kind, failed.contract_id as subject_id,
        coalesce(failed.contract_name, failed.contract_id) as subject_name, null::text as principal,
        jsonb_build_object(
          'resultId', failed.external_id, 'result', failed.result, 'server', failed.server,
          'checks', failed.check_count, 'passed', failed.passed_count
        ) as data,
        jsonb_build_array(
          ${AUDIENCE.consumers(sql`array[failed.contract_id]`)},
          ${AUDIENCE.followers('data-contract', sql`failed.contract_id`)},
          ${AUDIENCE.team(sql`failed.owner`, 'owner')},
          ${AUDIENCE.providers(sql`array[failed.contract_id]`)},
          ${AUDIENCE.followers('data-product', sql`failed.product_id`)},
          ${AUDIENCE.followers('team', sql`failed.owner`)}
        ) as audience,
        null::text[] as visible_to, failed.time as occurred_at
      from failed
      where (${selectEarlierResult()}) in ('failed', 'error') is not true
    )
    ${appendNotifications(sql`${organizationId}::uuid`)}
  `.execute(db)
}

// The events with their results, the contracts of these, and who owns them.
function fromResults(organizationId: string, events: readonly FollowedEvent[]) {
  return sql`from (${unnestEvents(events)}) as event
      cross join lateral (
        select *
        from test_result
        where test_result.organization_id = ${organizationId}
          and test_result.external_id = event.subject
        limit 1
      ) as test_result
      left join lateral (
        select *
        from data_contract
        where data_contract.organization_id = ${organizationId}
          and data_contract.external_id = test_result.contract_id
        limit 1
      ) as contract on true
      left join lateral (
        select external_id
        from team
        where team.organization_id = ${organizationId}
          and team.id = contract.owner_team_id
        limit 1
      ) as owner on true`
}

// The result of the same test before.
function selectEarlierResult() {
  return sql`
        select earlier.result
        from test_result as earlier
        where earlier.organization_id = failed.organization_id
          and earlier.contract_id = failed.contract_id
          and (earlier.tested_at, earlier.external_id) < (failed.tested_at, failed.external_id)
          and earlier.branch is null
          and not earlier.dry_run
          and earlier.server is not distinct from failed.server
          and earlier.product_id is not distinct from failed.product_id
          and earlier.output_port is not distinct from failed.output_port
        order by earlier.tested_at desc, earlier.external_id desc
        limit 1`
}
