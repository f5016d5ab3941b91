import { sql, type RawBuilder } from 'kysely'

/** An advance of a schedule to its next time. */
export interface ScheduleMove {
  organizationId: string
  integrationId: string
  /** The time at which it was due; without a next time it never fires again. */
  dueAt: string
  nextDueAt: string | undefined
}

/**
 * Returns a statement `update integration …` that advances schedules, each only if it is still due
 * at the same time: one of several processes advances it. It returns organization_id, id and due_at
 * of the advanced ones.
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
