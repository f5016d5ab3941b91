import { sql } from 'kysely'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { isSessionOver } from './session.ts'

/** A use of a session: in an organization, or in none. */
export interface SessionUse {
  tokenHash: Buffer
  userId: string
  organizationId: string | undefined
  usedAt: Instant
}

/**
 * Records the last uses of sessions, at most once a minute each. A session that is over stays so, however late its use is
 * recorded. It skips locked rows, so that it can never be part of a deadlock.
 */
export async function touchSessions(
  db: Database,
  clock: Clock,
  uses: readonly SessionUse[],
): Promise<void> {
  await sql`
    with last_use as (
      select token_hash, max(used_at) as used_at
      from unnest(
        ${uses.map(({ tokenHash }) => tokenHash)}::bytea[],
        ${uses.map(({ usedAt }) => usedAt)}::timestamptz[]
      ) as use (token_hash, used_at)
      group by token_hash
    ),
    stale as (
      select session.token_hash, last_use.used_at
      from session
      join last_use on last_use.token_hash = session.token_hash
      where session.last_used_at < last_use.used_at - interval '1 minute'
        and not ${isSessionOver(clock.now)}
      for no key update of session skip locked
    )
    update session
    set last_used_at = stale.used_at
    from stale
    where session.token_hash = stale.token_hash
  `.execute(db)
}

/** Records the last visits of members, at most once a minute each, as `touchSessions` does. */
export async function touchMembers(db: Database, uses: readonly SessionUse[]): Promise<void> {
  const visits = uses.filter(({ organizationId }) => organizationId !== undefined)
  await sql`
    with last_visit as (
      select organization_id, user_id, max(used_at) as used_at
      from unnest(
        ${visits.map(({ organizationId }) => organizationId)}::uuid[],
        ${visits.map(({ userId }) => userId)}::uuid[],
        ${visits.map(({ usedAt }) => usedAt)}::timestamptz[]
      ) as visit (organization_id, user_id, used_at)
      group by organization_id, user_id
    ),
    stale as (
      select organization_member.organization_id, organization_member.user_id, last_visit.used_at
      from organization_member
      join last_visit on last_visit.organization_id = organization_member.organization_id
        and last_visit.user_id = organization_member.user_id
      where organization_member.last_seen_at is null
        or organization_member.last_seen_at < last_visit.used_at - interval '1 minute'
      for no key update of organization_member skip locked
    )
    update organization_member
    set last_seen_at = stale.used_at
    from stale
    where organization_member.organization_id = stale.organization_id
      and organization_member.user_id = stale.user_id
  `.execute(db)
}
