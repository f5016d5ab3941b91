import { sql, type RawBuilder } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendActivity, selectTeam } from '../../ledger/activity/record.ts'
import { hastenLanes } from '../../delivery/deliveries/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { AUDIENCE, appendNotifications } from '../notifications/record.ts'
import type { Database } from '../../platform/tables.ts'
import { CACHED_MS, WEBHOOK_CHANNEL, type Webhook } from './webhook.ts'

/** An endpoint to insert. */
interface InsertedWebhook {
  organizationId: string
  id: string
  name: string
  url: string
  /** The external id of its team; null = the organization. */
  team: string | null
  filterTeam: string | null
  eventTypes: readonly string[]
  enabled: boolean
  principal: string
  requestId: string
}

const COLUMNS = sql`
      endpoint.id, endpoint.name, endpoint.url, team.external_id as "teamId", team.name as "teamName",
      endpoint.filter_team as "filterTeamId", endpoint.event_types as "eventTypes", endpoint.enabled,
      endpoint.disabled_at as "disabledAt", endpoint.disabled_because as "disabledBecause",
      endpoint.failing_since as "failingSince", former.expires_at as "formerSecretUntil",
      latest.ended_at as "lastDeliveryAt",
      endpoint.version, endpoint.created_at as "createdAt", endpoint.created_by as "createdBy",
      endpoint.updated_at as "updatedAt", endpoint.updated_by as "updatedBy"`

function joins(clock: Clock): RawBuilder<unknown> {
  return sql`
    left join team on team.organization_id = endpoint.organization_id
      and team.id = endpoint.team_id
    left join lateral (
      select max(expires_at) as expires_at
      from webhook_secret
      where organization_id = endpoint.organization_id
        and endpoint_id = endpoint.id
        and expires_at > ${clock.now}
    ) as former on true
    left join lateral (
      select ended_at
      from delivery
      where organization_id = endpoint.organization_id
        and channel = ${WEBHOOK_CHANNEL}
        and target = endpoint.id::text
        and ended_at is not null
      order by sequence desc
      limit 1
    ) as latest on true`
}

/** Lists the endpoints of an organization by name; `teams` = only those of these teams. */
export async function listWebhooks(
  db: Database,
  clock: Clock,
  organizationId: string,
  teams: readonly string[] | undefined,
): Promise<Webhook[]> {
  const { rows } = await sql<Webhook>`
    select ${COLUMNS}
    from webhook_endpoint as endpoint
    ${joins(clock)}
    where endpoint.organization_id = ${organizationId}
      ${teams === undefined ? sql`` : sql`and team.external_id = any (${teams}::text[])`}
    order by lower(endpoint.name), endpoint.id
  `.execute(db)
  return rows
}

/** Finds an endpoint. */
export async function findWebhook(
  db: Database,
  clock: Clock,
  organizationId: string,
  id: string,
): Promise<Webhook | undefined> {
  const { rows } = await sql<Webhook>`
    select ${COLUMNS}
    from webhook_endpoint as endpoint
    ${joins(clock)}
    where endpoint.organization_id = ${organizationId}
      and endpoint.id = ${id}::uuid
  `.execute(db)
  return rows[0]
}

/** Locks the endpoints of an organization against additions until the end of the transaction. Returns their number. */
export async function countLocked(transaction: Database, organizationId: string): Promise<number> {
  await sql`
    select from organization
    where id = ${organizationId}
    for no key update
  `.execute(transaction)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from webhook_endpoint
    where organization_id = ${organizationId}
  `.execute(transaction)
  return rows[0]?.count ?? 0
}

/** Inserts an endpoint. */
export async function insertWebhook(
  transaction: Database,
  clock: Clock,
  endpoint: InsertedWebhook,
): Promise<void> {
  const { organizationId, id, name, url, team, filterTeam, eventTypes, enabled } = endpoint
  await sql`
    with added as (
      insert into webhook_endpoint (
        organization_id, id, name, url, team_id, filter_team, event_types, enabled, version,
        created_at, created_by, updated_at, updated_by
      )
      select
        ${organizationId}::uuid, ${id}::uuid, ${name}, ${url},
        (
          select team.id
          from team
          where organization_id = ${organizationId}
            and external_id = ${team}
        ),
        ${filterTeam}, ${eventTypes}::text[], ${enabled}, 1, present.instant, ${endpoint.principal},
        present.instant, ${endpoint.principal}
      from (select ${clock.now} as instant) as present
      returning *
    )
    ${appendWebhooks(endpoint, 'created', clock, 'added')}
  `.execute(transaction)
}

/** Lists those of some teams that do not exist. */
export async function listUnknownTeams(
  db: Database,
  organizationId: string,
  teams: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ team: string }>`
    select given.team
    from unnest(${teams}::text[]) as given (team)
    where not exists (
      select from team where organization_id = ${organizationId} and external_id = given.team
    )
  `.execute(db)
  return rows.map(({ team }) => team)
}

/** Replaces an endpoint; enabling it ends what disabled it. Returns false if it has another version than the given one. */
export async function updateWebhook(
  db: Database,
  clock: Clock,
  endpoint: Omit<InsertedWebhook, 'team'> & { version: number | undefined },
): Promise<boolean> {
  const { organizationId, id, name, url, filterTeam, eventTypes, enabled, version } = endpoint
  const { rows } = await sql`
    with changed as (
    update webhook_endpoint
    set name = ${name}, url = ${url}, filter_team = ${filterTeam},
      event_types = ${eventTypes}::text[], enabled = ${enabled},
      disabled_at = case when not ${enabled}::boolean then disabled_at end,
      disabled_because = case when not ${enabled}::boolean then disabled_because end,
      failing_since = case when enabled and url = ${url} then failing_since end,
      version = version + 1, updated_at = ${clock.now}, updated_by = ${endpoint.principal}
    where organization_id = ${organizationId}
      and id = ${id}::uuid
      and version = coalesce(${version ?? null}::integer, version)
    returning *
    ),
    ended as (
      select from changed where not enabled
    ),
    ${hasten(organizationId, id, 'ended')},
    recorded as (${appendWebhooks(endpoint, 'updated', clock, 'changed')}
    )
    select id
    from changed
  `.execute(db)
  return rows.length > 0
}

/** Deletes an endpoint with its secrets. Returns whether it existed. */
export async function deleteWebhook(
  db: Database,
  clock: Clock,
  { id, ...origin }: ActivityActor & { organizationId: string; id: string },
): Promise<boolean> {
  const { rows } = await sql`
    with removed as (
      delete from webhook_endpoint
      where organization_id = ${origin.organizationId}
        and id = ${id}::uuid
      returning *
    ),
    ${hasten(origin.organizationId, id, 'removed')},
    recorded as (${appendWebhooks(origin, 'deleted', clock, 'removed')}
    )
    select id
    from removed
  `.execute(db)
  return rows.length > 0
}

/**
 * Records an entry of an endpoint that is in a result with all of its columns, for owners of the organization and the
 * person who created it. It has the host of the address only, because paths and queries often have secrets.
 */
function appendWebhooks(
  { organizationId, principal, requestId }: ActivityActor & { organizationId: string },
  action: string,
  clock: Clock,
  result: string,
): RawBuilder<unknown> {
  const entry = {
    kind: 'webhook',
    action,
    at: clock.now,
    subject: sql`id`,
    name: sql`name`,
    team: selectTeam(organizationId, sql`${sql.table(result)}.team_id`),
    person: sql`case when created_by like 'user:%' then substr(created_by, 6)::uuid end`,
    details: sql`jsonb_build_object(
      'host', substring(url from '^[a-z]+://(?:[^/?#]*@)?([^/?#]*)'), 'enabled', enabled,
      'eventTypes', to_jsonb(event_types)
    )`,
  } as const
  return appendActivity(
    { organizationId, principal, requestId },
    entry,
    sql`from ${sql.table(result)}`,
  )
}

// Not before every process has forgotten that the endpoint was enabled.
function hasten(organizationId: string, id: string, when: string): RawBuilder<unknown> {
  const target = { organizationId, channel: WEBHOOK_CHANNEL, target: id }
  return hastenLanes(target, 1.5 * CACHED_MS, when)
}

/**
 * Locks an endpoint until the end of the transaction in which its secret is replaced, and records that. Returns whether
 * it exists.
 */
export async function lockForSecret(
  transaction: Database,
  clock: Clock,
  { id, ...origin }: ActivityActor & { organizationId: string; id: string },
): Promise<boolean> {
  const { rows } = await sql`
    with locked as (
      select *
      from webhook_endpoint
      where organization_id = ${origin.organizationId}
        and id = ${id}::uuid
      for no key update
    ),
    recorded as (${appendWebhooks(origin, 'secret_replaced', clock, 'locked')}
    )
    select id
    from locked
  `.execute(transaction)
  return rows.length > 0
}

/** Records that an endpoint answers again. */
export async function recordSuccess(
  db: Database,
  organizationId: string,
  id: string,
): Promise<void> {
  await sql`
    update webhook_endpoint
    set failing_since = null
    where organization_id = ${organizationId}
      and id = ${id}::uuid
      and failing_since is not null
  `.execute(db)
}

/**
 * Records that an endpoint failed, and disables it at once or if it has failed for the given time, with a notification of
 * the owners of its team or of the organization. Returns whether it was disabled.
 */
export async function recordFailure(
  db: Database,
  clock: Clock,
  { organizationId, id }: { organizationId: string; id: string },
  { disabledAfterMs, because }: { disabledAfterMs: number; because: string },
): Promise<boolean> {
  const isOver = sql`coalesce(present.instant - endpoint.failing_since, interval '0')
        >= make_interval(secs => ${disabledAfterMs / 1000})`
  const { rows } = await sql<{ enabled: boolean }>`
    with failed as (
      update webhook_endpoint as endpoint
      set failing_since = coalesce(failing_since, present.instant),
        enabled = not ${isOver},
        disabled_at = case when ${isOver} then present.instant end,
        disabled_because = case when ${isOver} then ${because} end,
        version = case when ${isOver} then version + 1 else version end
      from (select ${clock.now} as instant) as present
      where organization_id = ${organizationId}
        and id = ${id}::uuid
        and enabled
        and (failing_since is null or ${isOver})
      returning endpoint.*
    ),
    disabled as (
      select * from failed where not enabled
    ),
    recorded as (${appendWebhooks({ organizationId, principal: 'system', requestId: '' }, 'disabled', clock, 'disabled')}
    ),
    ${hasten(organizationId, id, 'disabled')},
    occasion as (
      select 'webhook_disabled' as kind, 'webhook/' || ${id}::text || '/' || disabled_at as occasion,
        'webhook' as subject_kind, ${id}::text as subject_id, disabled.name as subject_name,
        null::text as principal, jsonb_build_object('message', disabled_because) as data,
        case when team_id is null then jsonb_build_array(${AUDIENCE.organizationOwners})
          else jsonb_build_array(
            ${AUDIENCE.teamOwners(sql`team.external_id`, 'owner')}, ${AUDIENCE.organizationOwners}
          )
        end as audience,
        case when team_id is not null then array[team.external_id] end as visible_to,
        disabled_at as occurred_at
      from disabled
      left join team on team.organization_id = ${organizationId}
        and team.id = disabled.team_id
    ),
    notified as (${appendNotifications(sql`${organizationId}::uuid`)}
    )
    select enabled
    from failed
  `.execute(db)
  return rows[0]?.enabled === false
}
