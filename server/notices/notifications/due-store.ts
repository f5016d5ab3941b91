import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { AUDIENCE, appendNotifications } from './record.ts'

/** The number of days before its expiry in which a key, or access, notifies. */
const EXPIRY_NOTICE_DAYS = 7

// Longer than a catalog is usually away; older occasions were found before, or are too old to act on.
const LOOK_BACK = sql`interval '7 days'`

// A subquery reads the clock once; an index has no condition with a value that changes. `offset 0` below makes
// PostgreSQL look up each notification by its key.
function since(clock: Clock): RawBuilder<unknown> {
  return sql`(select ${clock.now} - ${LOOK_BACK})`
}

/** Inserts the notifications of runs that failed after one that did not. Scheduled runs fail again every time. */
export async function insertRunNotifications(db: Database, clock: Clock): Promise<void> {
  await sql`
    with occasion as (
      select run.organization_id, 'run_failed' as kind, 'run/' || run.id as occasion,
        'integration' as subject_kind, integration.external_id as subject_id,
        integration.name as subject_name, null::text as principal,
        jsonb_build_object('runId', run.id, 'message', left(run.message, 1000)) as data,
        ${ofIntegration()}, run.completed_at as occurred_at
      from ingestion_run as run
      ${INTEGRATION_WITH_OWNER}
      where run.status = 'FAILED'
        and run.kind <> 'preview'
        and run.completed_at > ${since(clock)}
        and not exists (${selectEarlier('run_failed', sql`'run/' || run.id`)})
        and (
          select earlier.status
          from ingestion_run as earlier
          where earlier.organization_id = run.organization_id
            and earlier.integration_id = run.integration_id
            and (earlier.started_at, earlier.id) < (run.started_at, run.id)
            and earlier.kind <> 'preview'
          order by earlier.started_at desc, earlier.id desc
          limit 1
        ) is distinct from 'FAILED'
    )
    ${appendNotifications(sql`occasion.organization_id`)}
  `.execute(db)
}

/** Inserts the notifications of runs that hold deletes. */
export async function insertHeldNotifications(db: Database, clock: Clock): Promise<void> {
  await sql`
    with occasion as (
      select run.organization_id, 'deletes_held' as kind, 'held/' || run.id as occasion,
        'integration' as subject_kind, integration.external_id as subject_id,
        integration.name as subject_name, null::text as principal,
        jsonb_build_object('runId', run.id, 'count', run.held_count) as data,
        ${ofIntegration()}, run.completed_at as occurred_at
      from ingestion_run as run
      ${INTEGRATION_WITH_OWNER}
      where run.held_state = 'pending'
        and run.completed_at > ${since(clock)}
        and not exists (${selectEarlier('deletes_held', sql`'held/' || run.id`)})
    )
    ${appendNotifications(sql`occasion.organization_id`)}
  `.execute(db)
}

/** Inserts the notifications of keys that expire soon, unless a newer key of the same name has replaced them. */
export async function insertKeyNotifications(db: Database, clock: Clock): Promise<void> {
  await sql`
    with today as materialized (
      select (${clock.now} at time zone 'UTC')::date as day, ${clock.now} as instant
    ),
    occasion as (
      select api_key.organization_id, 'key_expiring' as kind,
        'api-key/' || api_key.id || '/' || api_key.expires_on as occasion,
        'api-key' as subject_kind, api_key.id::text as subject_id,
        api_key.display_name as subject_name, null::text as principal,
        jsonb_build_object('expiresOn', api_key.expires_on) as data,
        case
          when api_key.user_id is not null
            then jsonb_build_array(${AUDIENCE.user(sql`api_key.user_id`, 'key-owner')})
          when team.external_id is not null
            then jsonb_build_array(
              ${AUDIENCE.teamOwners(sql`team.external_id`, 'owner')}, ${AUDIENCE.organizationOwners}
            )
          else jsonb_build_array(${AUDIENCE.organizationOwners})
        end as audience,
        case
          when api_key.user_id is not null then null
          when team.external_id is null then array[]::text[]
          else array[team.external_id]
        end as visible_to,
        today.instant as occurred_at
      from today
      join api_key on api_key.expires_on between today.day
        and today.day + ${EXPIRY_NOTICE_DAYS}::integer
      left join team on team.organization_id = api_key.organization_id
        and team.id = api_key.team_id
      where not exists (
        select
        from notification
        where notification.organization_id = api_key.organization_id
          and notification.occasion = 'api-key/' || api_key.id || '/' || api_key.expires_on
          and notification.kind = 'key_expiring'
        offset 0
      )
        and not exists (
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
    ${appendNotifications(sql`occasion.organization_id`)}
  `.execute(db)
}

const INTEGRATION_WITH_OWNER = sql`join integration on integration.organization_id = run.organization_id
        and integration.id = run.integration_id
      left join team on team.organization_id = run.organization_id
        and team.id = integration.owner_team_id`

// An integration without an owner is visible to everybody, but only owners of the organization can change it.
function ofIntegration() {
  return sql`
        case
          when team.external_id is null then jsonb_build_array(${AUDIENCE.organizationOwners})
          else jsonb_build_array(
            ${AUDIENCE.team(sql`team.external_id`, 'owner')}, ${AUDIENCE.organizationOwners}
          )
        end as audience,
        case when team.external_id is not null then array[team.external_id] end as visible_to`
}

function selectEarlier(kind: string, occasion: ReturnType<typeof sql>) {
  return sql`
          select
          from notification
          where notification.organization_id = run.organization_id
            and notification.occasion = ${occasion}
            and notification.kind = ${kind}
          offset 0`
}
