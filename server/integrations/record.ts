import { sql, type RawBuilder } from 'kysely'

/** A schedule that moves on. */
export interface ScheduleMove {
  organizationId: string
  integrationId: string
  /** When it was due. Undefined after it = never again. */
  dueAt: string
  nextDueAt: string | undefined
}

/**
 * A piece of a statement, `update integration …`, that moves schedules on, each only from the time at
 * which it was found due: of several processes one moves it. It returns organization_id, id and
 * due_at of those that it moved.
 */
export function moveSchedules(moves: readonly ScheduleMove[]): RawBuilder<unknown> {
  return sql`
    update integration
    set next_due_at = move.next_due_at
    from unnest(
      ${moves.map(({ organizationId }) => organizationId)}::uuid[],
      ${moves.map(({ integrationId }) => integrationId)}::uuid[],
      ${moves.map(({ dueAt }) => dueAt)}::timestamptz[],
      ${moves.map(({ nextDueAt }) => nextDueAt ?? null)}::timestamptz[]
    ) as move (organization_id, id, due_at, next_due_at)
    where integration.organization_id = move.organization_id
      and integration.id = move.id
      and integration.next_due_at = move.due_at
    returning integration.organization_id, integration.id, move.due_at`
}
