import { sql } from 'kysely'
import { appendAccountActivity } from '../../ledger/activity/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'

/** A verified log-out token. */
interface LogoutOrder {
  organizationId: string
  providerId: string
  /** SHA-256 of the id of the token. */
  tokenHash: Buffer
  /** The instant from which the token is not accepted in any case, in seconds since 1970. */
  expiresAtS: number
  /** The session of the provider that ends; null = all sessions of the subject. */
  sid: string | null
  /** The person as sessions name them; null = the token names only a session. */
  subject: string | null
  requestId: string
}

/**
 * Ends the sessions of a provider that a log-out token names, in all processes at once, and marks the token as used.
 * Returns false if it was used before: the first of several at once inserts the row, and the others change nothing.
 */
export async function endSessionsOfProvider(db: Database, order: LogoutOrder): Promise<boolean> {
  const { organizationId, providerId, tokenHash, expiresAtS, sid, subject, requestId } = order
  const details = sql`jsonb_build_object('sessions', revoked.count)`
  const { rows } = await sql`
    with used as (
      insert into used_token (organization_id, used_at_id, token_hash, expires_at)
      values (${organizationId}, ${providerId}, ${tokenHash}, to_timestamp(${expiresAtS}::float8))
      on conflict (organization_id, used_at_id, token_hash) do nothing
      returning used_at_id
    ),
    ended as (
      delete from session
      using used
      where session.organization_id = ${organizationId}
        and session.provider_id = used.used_at_id
        and (${sid}::text is null or session.sid = ${sid})
        and (${subject}::text is null or session.subject = ${subject})
      returning session.user_id
    ),
    revoked as (
      select user_id, count(*) as count, clock_timestamp() as at
      from ended
      group by user_id
    ),
    recorded as (
      ${appendAccountActivity({ requestId }, { action: 'sessions-revoked', details }, 'revoked')}
    )
    select used_at_id
    from used
  `.execute(db)
  return rows.length > 0
}

/** Deletes the records of at most `countMax` used tokens that have expired. Returns their number. */
export async function deleteExpiredTokens(
  db: Database,
  clock: Clock,
  countMax: number,
): Promise<number> {
  const { rows } = await sql`
    delete from used_token
    where ctid in (
      select ctid
      from used_token
      where expires_at < ${clock.now}
      limit ${countMax}
    )
    returning used_at_id
  `.execute(db)
  return rows.length
}
