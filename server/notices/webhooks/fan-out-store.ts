import { sql, type RawBuilder } from 'kysely'
import { enqueueDeliveries } from '../../delivery/deliveries/record.ts'
import type { Database } from '../../platform/tables.ts'
import { WEBHOOK_CHANNEL } from './webhook.ts'

/** An event with its payload, to enqueue. */
interface PayloadEvent {
  id: string
  type: string
  kind: string
  subject: string
  version: number
  payload: string
}

// Whether an endpoint gets events of a type.
const WANTED = sql`endpoint.enabled
        and (endpoint.event_types = '{}' or given.type = any (endpoint.event_types))`

/** Returns whether an organization has an endpoint to which events are sent. */
export async function hasEndpoints(db: Database, organizationId: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from webhook_endpoint
    where organization_id = ${organizationId}
      and enabled
    limit 1
  `.execute(db)
  return rows.length > 0
}

/**
 * Enqueues events for the endpoints that want them, in one statement. The owner of a document is that of the version
 * that the event made or deleted; the owner of a test result is that of its contract; those of an access agreement
 * are the teams on both sides. Their events name the owners, also of those that are gone. A team has also the events
 * of the teams below it; the last version of a deleted team names its parent.
 */
export async function enqueueEvents(
  transaction: Database,
  organizationId: string,
  events: readonly PayloadEvent[],
): Promise<void> {
  await sql`
    with recursive given as (${unnestEvents(events)}),
    owner as materialized (${selectOwners(organizationId)}),
    above as (
      select distinct team as owner, team as external_id
      from owner
      union
      select above.owner, coalesce(parent.external_id, former.parent)
      from above
      ${joinParent(organizationId)}
      where coalesce(parent.external_id, former.parent) is not null
    ),
    reach as materialized (
      select distinct owner.ordinal, team.id, above.external_id
      from owner
      join above on above.owner = owner.team
      left join lateral (
        select id
        from team
        where organization_id = ${organizationId}
          and external_id = above.external_id
        limit 1
      ) as team on true
    ),
    receiver as (
      select endpoint.id::text as target, given.ordinal
      from webhook_endpoint as endpoint
      cross join given
      where endpoint.organization_id = ${organizationId}
        and ${WANTED}
        and endpoint.team_id is null
        and endpoint.filter_team is null
      union all
      select endpoint.id::text, given.ordinal
      from webhook_endpoint as endpoint
      join reach on reach.id = endpoint.team_id
        or reach.external_id = endpoint.filter_team
      join given on given.ordinal = reach.ordinal
      where endpoint.organization_id = ${organizationId}
        and ${WANTED}
    ),
    chosen as (
      select
        ${organizationId}::uuid as organization_id, ${WEBHOOK_CHANNEL}::text as channel,
        receiver.target, given.kind || '/' || given.subject as subject, given.type as topic,
        given.id as event_id, given.payload, given.ordinal
      from receiver
      join given on given.ordinal = receiver.ordinal
    ),
    ${enqueueDeliveries('chosen')}
    select from queued
  `.execute(transaction)
}

// The parent of each team: that of its row, or of the last version of a team that was deleted.
function joinParent(organizationId: string): RawBuilder<unknown> {
  return sql`left join lateral (
        select id, parent_id
        from team
        where organization_id = ${organizationId}
          and external_id = above.external_id
        limit 1
      ) as team on true
      left join lateral (
        select external_id
        from team as parent
        where organization_id = ${organizationId}
          and parent.id = team.parent_id
        limit 1
      ) as parent on true
      left join lateral (
        select nullif(revision.document::json ->> 'parent', '') as parent
        from revision
        where team.id is null
          and revision.organization_id = ${organizationId}
          and revision.kind = 'team'
          and revision.external_id = above.external_id
        order by revision.version desc
        limit 1
      ) as former on true`
}

function unnestEvents(events: readonly PayloadEvent[]): RawBuilder<unknown> {
  return sql`
      select *
      from unnest(
        ${events.map(({ id }) => id)}::uuid[], ${events.map(({ type }) => type)}::text[],
        ${events.map(({ kind }) => kind)}::text[], ${events.map(({ subject }) => subject)}::text[],
        ${events.map(({ version }) => version)}::integer[],
        ${events.map(({ payload }) => payload)}::text[]
      ) with ordinality as event (id, type, kind, subject, version, payload, ordinal)`
}

function selectOwners(organizationId: string): RawBuilder<unknown> {
  return sql`
      select given.ordinal, revision.facts ->> 'ownerId' as team
      from given
      cross join lateral (
        select facts
        from revision
        where organization_id = ${organizationId}
          and kind = given.kind
          and external_id = given.subject
          and version = given.version
        limit 1
      ) as revision
      union all
      select given.ordinal, given.subject
      from given
      where given.kind = 'team'
      union all
      ${selectOwnersOfContracts(organizationId)}
      union all
      select given.ordinal, side.team
      from given
      cross join lateral (
        select provider_team, consumer_team
        from access_agreement
        where organization_id = ${organizationId}
          and external_id = given.subject
        limit 1
      ) as agreement
      cross join lateral (
        values (agreement.provider_team), (agreement.consumer_team)
      ) as side (team)
      where given.kind = 'access'
      union all
      select given.ordinal, former.team
      from given
      cross join lateral (
        select owners
        from event
        where organization_id = ${organizationId}
          and event.id = given.id
        limit 1
      ) as event
      cross join unnest(event.owners) as former (team)
      where given.kind in ('access', 'test-result')`
}

// The owner of a test result is that of its contract.
function selectOwnersOfContracts(organizationId: string): RawBuilder<unknown> {
  return sql`select given.ordinal, team.external_id
      from given
      cross join lateral (
        select contract_id
        from test_result
        where organization_id = ${organizationId}
          and external_id = given.subject
        limit 1
      ) as result
      cross join lateral (
        select owner_team_id
        from data_contract
        where organization_id = ${organizationId}
          and external_id = result.contract_id
        limit 1
      ) as contract
      cross join lateral (
        select external_id
        from team
        where organization_id = ${organizationId}
          and id = contract.owner_team_id
        limit 1
      ) as team
      where given.kind = 'test-result'`
}

/** Enqueues a test event for one endpoint. Returns the id of its delivery. */
export async function enqueueTestEvent(
  db: Database,
  organizationId: string,
  endpointId: string,
  event: Pick<PayloadEvent, 'id' | 'type' | 'payload'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with chosen as (
      select
        ${organizationId}::uuid as organization_id, ${WEBHOOK_CHANNEL}::text as channel,
        ${endpointId}::text as target, 'test/' || ${event.id}::text as subject,
        ${event.type}::text as topic, ${event.id}::uuid as event_id, ${event.payload}::text as payload,
        1 as ordinal
    ),
    ${enqueueDeliveries('chosen')}
    select id
    from queued
  `.execute(db)
  return rows[0]?.id
}
