import { sql, type RawBuilder } from 'kysely'
import { appendIdentityPeople } from '../../ledger/activity/identity-record.ts'
import { appendAccountActivity } from '../../ledger/activity/record.ts'
import { isSessionOver } from '../../requests/access/session.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { EndedSession, SESSION_METHODS } from './session.ts'

// A person who signs in repeatedly, for example with a program, keeps only this many recently used sessions.
const SESSIONS_KEPT_MAX = 100

/** The part of a session that only those of a provider have. */
export interface ProviderSession {
  organizationId: string
  providerId: string
  subject: string
  sid: string | null
  hours: number
  idToken: { sealed: Buffer; keyId: string } | null
}

const NO_PROVIDER = {
  organizationId: null,
  providerId: null,
  subject: null,
  sid: null,
  hours: null,
  idToken: null,
}

/** A session ready to insert. */
interface NewSession {
  id: string
  userId: string
  tokenHash: Buffer
  method: (typeof SESSION_METHODS)[number]
  client: string | null
  userAgent: string | null
  /** The request with which the person signs in; undefined = leaves no entry in the activity. */
  requestId: string | undefined
  /** The password hash that the account must still have; null = any. */
  passwordHash: string | null
  ofProvider: ProviderSession | null
}

/**
 * Inserts a session, and removes the person's sessions that have expired or exceed the limit, in one statement. If a
 * password hash is given, the account must still have it: the row lock waits for a concurrent change of the
 * password, so no session outlives the password with which it was started. A session of a provider starts only for a
 * member. Returns whether the session was inserted.
 */
export async function insertSession(
  db: Database,
  clock: Clock,
  session: NewSession,
): Promise<boolean> {
  const { id, userId, tokenHash, passwordHash, requestId } = session
  const ofProvider = session.ofProvider ?? NO_PROVIDER
  const { rows } = await sql`
    with now as (
      select ${clock.now} as instant
    ),
    account as (
      select id
      from user_account
      where id = ${userId}
        and password_hash = coalesce(${passwordHash}::text, password_hash)
        and erased_at is null
        and (
          ${ofProvider.organizationId}::uuid is null
          or exists (
            select
            from organization_member
            where organization_id = ${ofProvider.organizationId}::uuid
              and user_id = user_account.id
          )
        )
      for share
    ),
    removed as (${deleteOldSessions(userId)}
    ),
    started as (
      insert into session (
        id, token_hash, user_id, created_at, last_used_at, method, client, user_agent,
        organization_id, provider_id, subject, sid, expires_at
      )
      select
        ${id}, ${tokenHash}::bytea, account.id, now.instant, now.instant, ${session.method}, ${session.client},
        ${session.userAgent}, ${ofProvider.organizationId}::uuid, ${ofProvider.providerId}::uuid,
        ${ofProvider.subject}, ${ofProvider.sid}, now.instant + make_interval(hours => ${ofProvider.hours}::integer)
      from account
      cross join now
      returning id, user_id, organization_id, created_at as at
    ),
    sealed as (${insertIdToken(ofProvider.idToken)}
    ),
    signed_in as (
      select *
      from started
      where ${requestId !== undefined}
    ),
    recorded as (
      ${appendAccountActivity({ requestId: requestId ?? '' }, { action: 'signed-in' }, 'signed_in')}
    ),
    ${recordBreakGlass(requestId ?? '')}
    select user_id
    from started
  `.execute(db)
  return rows.length > 0
}

/** SQL fragment that reads "now": deletes the sessions of a person that are over, and the least used ones above the limit. */
function deleteOldSessions(userId: string): RawBuilder<unknown> {
  return sql`
      delete from session
      using now
      where session.user_id = ${userId}
        and (
          ${isSessionOver(sql`now.instant`)}
          or session.token_hash in (
            select kept.token_hash
            from session as kept
            where kept.user_id = ${userId}
            order by kept.last_used_at desc
            offset ${SESSIONS_KEPT_MAX - 1}
          )
        )`
}

/**
 * SQL fragment that reads "started": records the session of a break-glass owner in each organization that requires its
 * provider, whose owners see it.
 */
function recordBreakGlass(requestId: string): RawBuilder<unknown> {
  const origin = {
    organizationId: sql`changed.organization_id`,
    principal: sql`'user:' || changed.user_id`,
    requestId,
  }
  const entry = { kind: 'sign-in-rule', action: 'break-glass-used', at: sql`changed.at` } as const
  return sql`used as (
      select break_glass.organization_id, break_glass.user_id, started.at
      from started
      join break_glass on break_glass.user_id = started.user_id
      join organization_sign_in on organization_sign_in.organization_id = break_glass.organization_id
        and organization_sign_in.rule = 'provider'
      where started.organization_id is null
    ),
    reported as (
      ${appendIdentityPeople(origin, entry, 'used')}
    )`
}

/** SQL fragment that reads "started": stores the sealed ID token of a session, if it has one. */
function insertIdToken(idToken: ProviderSession['idToken']): RawBuilder<unknown> {
  return sql`
      insert into session_id_token (session_id, organization_id, sealed, key_id)
      select started.id, started.organization_id, ${idToken?.sealed ?? null}::bytea, ${idToken?.keyId ?? null}
      from started
      where ${idToken !== null}`
}

/**
 * Gives a session of a person another secret, and deletes the person's other sessions. The session keeps all that was
 * recorded at its beginning, such as the provider to whose organization it is limited. Returns whether it still
 * existed.
 */
export async function rotateSession(
  db: Database,
  userId: string,
  { formerHash, tokenHash }: { formerHash: Buffer; tokenHash: Buffer },
  requestId: string,
): Promise<boolean> {
  const details = sql`jsonb_build_object('sessions', revoked.count)`
  const { rows } = await sql`
    with ended as (
      delete from session
      where user_id = ${userId}
        and token_hash <> ${formerHash}
      returning user_id
    ),
    revoked as (
      select user_id, count(*) as count, clock_timestamp() as at
      from ended
      group by user_id
    ),
    recorded as (
      ${appendAccountActivity({ requestId }, { action: 'sessions-revoked', details }, 'revoked')}
    )
    update session
    set token_hash = ${tokenHash}
    where user_id = ${userId}
      and token_hash = ${formerHash}
    returning user_id
  `.execute(db)
  return rows.length > 0
}

/** Returns whether a person is a member of an organization. */
export async function isMember(
  db: Database,
  userId: string,
  organizationId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('organization_member')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether a person is a member of an organization other than the given one. */
export async function isMemberElsewhere(
  db: Database,
  userId: string,
  organizationId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('organization_member')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('organization_id', '<>', organizationId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes a session. Returns it with its sealed ID token, as far as a log-out at its provider needs it. */
export async function deleteSession(
  db: Database,
  tokenHash: Buffer,
  requestId: string,
): Promise<EndedSession | undefined> {
  const { rows } = await sql<EndedSession>`
    with ended as (
      delete from session
      where token_hash = ${tokenHash}
      returning id, organization_id, provider_id, user_id, clock_timestamp() as at
    ),
    recorded as (
      ${appendAccountActivity({ requestId }, { action: 'signed-out' }, 'ended')}
    )
    select
      ended.id, ended.organization_id as "organizationId", ended.provider_id as "providerId",
      session_id_token.sealed as "sealedIdToken"
    from ended
    left join session_id_token on session_id_token.session_id = ended.id
  `.execute(db)
  return rows[0]
}

/**
 * Deletes the sessions of a person with a provider of an organization that they have left, and all sessions of a person
 * without an organization.
 */
export async function deleteSessionsOfDeparture(
  db: Database,
  userId: string,
  organizationId: string,
): Promise<void> {
  await sql`
    delete from session
    where user_id = ${userId}
      and (
        session.organization_id = ${organizationId}
        or not exists (select from organization_member where user_id = ${userId})
      )
  `.execute(db)
}

/** Deletes all sessions that are over, with the addresses of their clients. */
export async function deleteEndedSessions(db: Database, clock: Clock): Promise<void> {
  await sql`
    with now as materialized (
      select ${clock.now} as instant
    )
    delete from session
    using now
    where ${isSessionOver(sql`now.instant`)}
  `.execute(db)
}
