import { sql, type RawBuilder } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { NO_NAME } from '../../ledger/activity/person-record.ts'
import { appendAccountActivity, appendActivity } from '../../ledger/activity/record.ts'
import { isSessionOver, SESSION_END } from '../../requests/access/session.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { SESSION_METHODS, SessionReach } from './session.ts'

/** A session of a person as it is stored. */
export interface StoredSession {
  id: string
  method: (typeof SESSION_METHODS)[number] | null
  client: string | null
  userAgent: string | null
  /** The provider with which it began, and the only organization in which it acts. */
  provider: string | null
  organization: string | null
  startedAt: Instant
  lastUsedAt: Instant
  endsAt: Instant
}

/**
 * SQL condition: a row of `session` concerns only the given organization, or the person is in no other. Sessions that
 * also act in other organizations are neither shown to nor ended by the owners of one, nor by a session of its provider,
 * because they decide who signs in with it. `limitedTo` undefined = every session.
 */
function isWithinReach({ userId, limitedTo }: SessionReach): RawBuilder<unknown> {
  if (limitedTo === undefined) return sql`true`
  return sql`(
      session.organization_id = ${limitedTo}::uuid
      or not exists (
        select
        from organization_member as elsewhere
        where elsewhere.user_id = ${userId}
          and elsewhere.organization_id <> ${limitedTo}::uuid
      )
    )`
}

/** Lists the open sessions of a person that are within reach, the last used first. */
export async function listSessions(
  db: Database,
  clock: Clock,
  reach: SessionReach,
): Promise<StoredSession[]> {
  const { rows } = await sql<StoredSession>`
    select
      session.id, session.method, session.client, session.user_agent as "userAgent",
      identity_provider.name as provider, organization.name as organization,
      session.created_at as "startedAt", session.last_used_at as "lastUsedAt", ${SESSION_END} as "endsAt"
    from session
    left join identity_provider on identity_provider.organization_id = session.organization_id
      and identity_provider.id = session.provider_id
    left join organization on organization.id = session.organization_id
    where session.user_id = ${reach.userId}
      and ${isWithinReach(reach)}
      and not ${isSessionOver(clock.now)}
    order by session.last_used_at desc, session.id
  `.execute(db)
  return rows
}

/**
 * Deletes sessions of a person that are within reach: one, or all except one. The entry is in the activity of each
 * organization of the person. Returns their number.
 */
export async function deleteOwnSessions(
  db: Database,
  reach: SessionReach,
  { only, except }: { only?: string; except?: string },
  requestId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with ended as (
      delete from session
      where session.user_id = ${reach.userId}
        and session.id = coalesce(${only ?? null}::uuid, session.id)
        and session.id is distinct from ${except ?? null}::uuid
        and ${isWithinReach(reach)}
      returning user_id
    ),
    ${REVOKED},
    recorded as (
      ${appendAccountActivity({ requestId }, REVOCATION, 'revoked')}
    )
    select count::integer
    from revoked
  `.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Deletes a session of a member that is within the reach of the owners of the organization. The entry is only in the
 * activity of the organization. Returns the number of deleted sessions.
 */
export async function deleteMemberSession(
  db: Database,
  { organizationId, userId }: { organizationId: string; userId: string },
  id: string,
  actor: ActivityActor,
): Promise<number> {
  const entry = {
    ...REVOCATION,
    kind: 'account',
    at: sql`revoked.at`,
    subject: sql`revoked.user_id`,
    name: NO_NAME,
    person: sql`revoked.user_id`,
  } as const
  const { rows } = await sql<{ count: number }>`
    with ended as (
      delete from session
      using organization_member
      where organization_member.organization_id = ${organizationId}
        and organization_member.user_id = ${userId}
        and session.user_id = organization_member.user_id
        and session.id = ${id}
        and ${isWithinReach({ userId, limitedTo: organizationId })}
      returning session.user_id
    ),
    ${REVOKED},
    recorded as (
      ${appendActivity({ organizationId, ...actor }, entry, sql`from revoked`)}
    )
    select count::integer
    from revoked
  `.execute(db)
  return rows[0]?.count ?? 0
}

const REVOKED = sql`
    revoked as (
      select user_id, count(*) as count, clock_timestamp() as at
      from ended
      group by user_id
    )`

const REVOCATION = {
  action: 'sessions-revoked',
  details: sql`jsonb_build_object('sessions', revoked.count)`,
} as const
