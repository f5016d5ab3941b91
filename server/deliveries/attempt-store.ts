import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import { ATTEMPTS_KEPT_MAX, RETRIED_MS_MAX } from './delivery.ts'
import type { AttemptRecord } from './lane.ts'

/** Records attempts: the states of their deliveries, and the rows of the ledger. */
export async function insertAttempts(
  db: Database,
  clock: Clock,
  attempts: readonly AttemptRecord[],
): Promise<void> {
  await sql`
    with present as materialized (select ${clock.now} as instant),
    result as (${unnestAttempts(attempts)}),
    outcome as (
      select
        result.*,
        case
          when result.result <> 'retry' then result.result
          when present.instant + result.delay
            > delivery.queued_at + make_interval(secs => ${RETRIED_MS_MAX / 1000}) then 'failed'
          else 'pending'
        end as state
      from result
      cross join present
      join delivery on delivery.organization_id = result.organization_id
        and delivery.id = result.delivery_id
    ),
    recorded as (
      update delivery
      set state = outcome.state,
        attempt_count = attempt_count + 1,
        next_attempt_at = case when outcome.state = 'pending' then present.instant + outcome.delay end,
        ended_at = case when outcome.state <> 'pending' then present.instant end
      from outcome
      cross join present
      where delivery.organization_id = outcome.organization_id
        and delivery.id = outcome.delivery_id
        and delivery.state = 'pending'
      returning delivery.organization_id, delivery.id, delivery.attempt_count
    )
    insert into delivery_attempt (
      organization_id, delivery_id, attempt, attempted_at, duration_ms, status, error, response
    )
    select
      recorded.organization_id, recorded.id, least(recorded.attempt_count, ${ATTEMPTS_KEPT_MAX}),
      present.instant - make_interval(secs => result.age_ms / 1000.0), result.duration_ms,
      result.status, result.error, result.response
    from recorded
    cross join present
    join result on result.organization_id = recorded.organization_id
      and result.delivery_id = recorded.id
    on conflict (organization_id, delivery_id, attempt) do update
    set attempted_at = excluded.attempted_at, duration_ms = excluded.duration_ms,
      status = excluded.status, error = excluded.error, response = excluded.response
  `.execute(db)
}

function unnestAttempts(attempts: readonly AttemptRecord[]): RawBuilder<unknown> {
  return sql`
      select *, make_interval(secs => given.delay_ms / 1000.0) as delay
      from unnest(
        ${attempts.map(({ organizationId }) => organizationId)}::uuid[],
        ${attempts.map(({ deliveryId }) => deliveryId)}::uuid[],
        ${attempts.map(({ result }) => result)}::text[],
        ${attempts.map(({ delayMs }) => delayMs)}::integer[],
        ${attempts.map(({ ageMs }) => ageMs)}::integer[],
        ${attempts.map(({ durationMs }) => durationMs)}::integer[],
        ${attempts.map(({ status }) => status)}::integer[],
        ${attempts.map(({ error }) => error)}::text[],
        ${attempts.map(({ response }) => response)}::text[]
      ) as given (
        organization_id, delivery_id, result, delay_ms, age_ms, duration_ms, status, error, response
      )`
}
