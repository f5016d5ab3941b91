import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { ATTEMPTS_KEPT_MAX, RETRIED_MS_MAX } from './delivery.ts'
import type { AttemptRecord } from './lane.ts'

// Whether the next attempt would be after the time for attempts.
const GIVEN_UP = sql`(outcome.state = 'pending' and delivery.queued_at < outcome.queued_min)`

/** Records attempts: the states of their deliveries, and the rows of the ledger. */
export async function insertAttempts(
  db: Database,
  clock: Clock,
  attempts: readonly AttemptRecord[],
): Promise<void> {
  await sql`
    with present as materialized (select ${clock.now} as instant),
    outcome as (
      select
        result.*, present.instant,
        case when result.result = 'retry' then 'pending' else result.result end as state,
        present.instant + result.delay - make_interval(secs => ${RETRIED_MS_MAX / 1000}) as queued_min
      from (${unnestAttempts(attempts)}) as result
      cross join present
    ),
    recorded as (
      update delivery
      set state = case when ${GIVEN_UP} then 'failed' else outcome.state end,
        attempt_count = attempt_count + 1,
        next_attempt_at = case
          when outcome.state = 'pending' and not ${GIVEN_UP} then outcome.instant + outcome.delay
        end,
        ended_at = case when outcome.state <> 'pending' or ${GIVEN_UP} then outcome.instant end
      from outcome
      where delivery.organization_id = outcome.organization_id
        and delivery.id = outcome.delivery_id
        and delivery.state = 'pending'
      returning
        delivery.organization_id, delivery.id, delivery.attempt_count, outcome.instant,
        outcome.age_ms, outcome.duration_ms, outcome.status, outcome.error, outcome.response
    )
    insert into delivery_attempt (
      organization_id, delivery_id, attempt, attempted_at, duration_ms, status, error, response
    )
    select
      organization_id, id, least(attempt_count, ${ATTEMPTS_KEPT_MAX}),
      instant - make_interval(secs => age_ms / 1000.0), duration_ms, status, error, response
    from recorded
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
