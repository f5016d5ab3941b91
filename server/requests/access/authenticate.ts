import { hash } from 'node:crypto'
import { KEY_SCOPES } from '../../../formats/team/key-scope.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import { shareInRequest } from '../../platform/kit/request-wait.ts'
import { hashToken, isToken } from '../../platform/kit/token.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import { DIRECTORY_KEY_PREFIX, findDirectoryCaller } from './directory-caller.ts'
import { findKey, findPersonByToken, findSession } from './caller-store.ts'
import type { HeldRole, KeyRow, PersonRow, SessionRow } from './caller-store.ts'
import type { Caller, CallerSession } from './caller.ts'
import type { SessionUse } from './session-use-store.ts'
import { newCustomRolesReader, type CustomRolesReader } from './team-role.ts'
import { ORGANIZATION_HEADER, ORGANIZATION_PARAMETER, SESSION_PREFIX } from './session.ts'

/** The prefix of every API key. */
export const KEY_PREFIX = 'pbk_'

// A key that is deleted, and a role that is taken away, must end within a second in every process.
const REMEMBERED_MS = 500
const REMEMBERED_CALLERS_MAX = 10_000

const KEY_PREFIXES = [KEY_PREFIX, DIRECTORY_KEY_PREFIX]

/** A signed-in person, in any organization or in none. */
export interface Person {
  userId: string
  session: CallerSession
}

/** Turns credentials into callers. */
export interface Authenticator {
  /**
   * Returns the caller with this secret. A caller of the last half second may come from the cache unless
   * `bypassCache` is set. Errors: credentials_missing, credentials_unknown, credentials_expired,
   * member_suspended, store_unavailable.
   */
  authenticate(secret: string | undefined, bypassCache?: boolean): Promise<Caller>
  /**
   * Returns the person with this session, in the organization with the given id or in their first one. Every
   * request looks it up, so an ended session or a removed member loses access immediately. Errors:
   * credentials_missing, credentials_unknown, credentials_expired, request_malformed, not_a_member,
   * session_limited, member_suspended, provider_required, store_unavailable.
   */
  authenticateSession(token: string | undefined, organization: string | undefined): Promise<Caller>
  /**
   * Returns the person with this session. Errors: credentials_missing, credentials_unknown,
   * credentials_expired, store_unavailable.
   */
  authenticatePerson(token: string | undefined): Promise<Person>
  /** Forgets all that is remembered: what this process changed counts at once in this process. */
  forget(): void
  /** Returns the last use of each key since the last call, to half a second. */
  takeKeyUses(): KeyUse[]
  /** Returns the last uses of sessions since the last call, one for each session and organization. */
  takeSessionUses(): SessionUse[]
}

/** The last use of a key. */
export interface KeyUse {
  id: string
  usedAt: Instant
}

/** The caller of a key, and the time of its look-up. */
interface KeyCaller {
  caller: Caller
  usedAt: Instant
}

interface Remembered extends KeyCaller {
  untilMs: number
}

/** Creates the authenticator of a process. */
export function newAuthenticator(db: Database, clock: Clock): Authenticator {
  const readRoles = newCustomRolesReader()
  const keys = newKeyCache(async (secret) => {
    if (secret.startsWith(DIRECTORY_KEY_PREFIX)) {
      const key = await findDirectoryCaller(db, clock, hashToken(secret))
      if (key === undefined) throw unknownKey()
      return { ...key, lifeMs: REMEMBERED_MS }
    }
    const row = await findKey(db, clock, hashToken(secret))
    if (row === undefined) throw unknownKey()
    const lifeMs = Math.min(REMEMBERED_MS, row.expires_in_ms ?? REMEMBERED_MS)
    return { caller: toCaller(row, readRoles), usedAt: row.used_at, lifeMs }
  })
  const uses = newUses()
  return {
    async authenticate(secret, bypassCache = false) {
      if (secret === undefined) throw missingKey()
      const { caller, usedAt } = await keys.find(secret, bypassCache)
      if (caller.keyId !== undefined) uses.addKey({ id: caller.keyId, usedAt })
      return caller
    },
    async authenticateSession(token, organization) {
      const tokenHash = getTokenHash(token)
      const row = requireOpen(await findMember(db, clock, tokenHash, organization))
      const caller = toMember(row, readRoles)
      const { user_id: userId, used_at: usedAt } = row
      uses.addSession({ tokenHash, userId, organizationId: caller.organizationId, usedAt })
      return caller
    },
    async authenticatePerson(token) {
      const tokenHash = getTokenHash(token)
      const row = requireOpen(await findPersonByToken(db, clock, tokenHash))
      const { user_id: userId, used_at: usedAt } = row
      uses.addSession({ tokenHash, userId, organizationId: undefined, usedAt })
      return { userId, session: toCallerSession(row) }
    },
    forget: keys.forget,
    takeKeyUses: uses.takeKeys,
    takeSessionUses: uses.takeSessions,
  }
}

/** The callers of API keys, which are remembered for a moment. */
interface KeyCache {
  find(secret: string, bypassCache: boolean): Promise<KeyCaller>
  forget(): void
}

/** `load` finds the caller of a key, and how long it may be remembered. */
function newKeyCache(load: (secret: string) => Promise<KeyCaller & { lifeMs: number }>): KeyCache {
  const remembered = new Map<string, Remembered>()
  const pending = new Map<string, Promise<KeyCaller>>()
  let generation = 0

  async function loadAndRemember(secret: string, digest: string): Promise<KeyCaller> {
    const askedAtMs = performance.now()
    const before = generation
    const { lifeMs, ...found } = await load(secret)
    // A result that was read before a change must not be cached after it.
    if (generation === before) {
      if (remembered.size >= REMEMBERED_CALLERS_MAX) remembered.clear()
      remembered.set(digest, { ...found, untilMs: askedAtMs + lifeMs })
    }
    return found
  }

  // Requests that arrive together share one look-up.
  function loadOnce(secret: string, digest: string): Promise<KeyCaller> {
    const underway = pending.get(digest)
    if (underway !== undefined) return shareInRequest(underway)
    const loading = loadAndRemember(secret, digest).finally(() => pending.delete(digest))
    pending.set(digest, loading)
    return loading
  }

  return {
    async find(secret, bypassCache) {
      const digest = hash('sha256', secret, 'base64')
      const cached = bypassCache ? undefined : remembered.get(digest)
      if (cached !== undefined && performance.now() < cached.untilMs) return cached
      if (!KEY_PREFIXES.some((prefix) => isToken(secret, prefix))) throw unknownKey()
      return await (bypassCache ? loadAndRemember(secret, digest) : loadOnce(secret, digest))
    },
    forget() {
      generation += 1
      remembered.clear()
      pending.clear()
    },
  }
}

/** The uses of credentials that are not recorded yet. */
interface Uses {
  addKey(use: KeyUse): void
  addSession(use: SessionUse): void
  takeKeys(): KeyUse[]
  takeSessions(): SessionUse[]
}

function newUses(): Uses {
  const keys = newLastUses<KeyUse>()
  const sessions = newLastUses<SessionUse>()
  return {
    addKey: (use) => keys.add(use.id, use),
    addSession(use) {
      sessions.add(`${use.tokenHash.toString('base64')} ${use.organizationId ?? ''}`, use)
    },
    takeKeys: keys.take,
    takeSessions: sessions.take,
  }
}

/** Keeps the last use of each of a limited number of credentials until it is taken. */
function newLastUses<Use>() {
  const uses = new Map<string, Use>()
  return {
    add(credential: string, use: Use): void {
      if (uses.size < REMEMBERED_CALLERS_MAX || uses.has(credential)) uses.set(credential, use)
    },
    take(): Use[] {
      const all = [...uses.values()]
      uses.clear()
      return all
    },
  }
}

async function findMember(
  db: Database,
  clock: Clock,
  tokenHash: Buffer,
  organization: string | undefined,
): Promise<SessionRow | undefined> {
  if (organization !== undefined && !isUuid(organization)) {
    throw new ApiError(
      'request_malformed',
      `The header ${ORGANIZATION_HEADER}, or the query parameter ${ORGANIZATION_PARAMETER}, must be an organization's id.`,
    )
  }
  return await findSession(db, clock, tokenHash, organization)
}

function getTokenHash(token: string | undefined): Buffer {
  if (token === undefined) {
    throw new ApiError('credentials_missing', 'Sign in first. API keys are not accepted here.')
  }
  if (!isToken(token, SESSION_PREFIX)) throw unknownSession()
  return hashToken(token)
}

function missingKey(): ApiError {
  return new ApiError(
    'credentials_missing',
    'Send an API key in the header x-api-key, or as Authorization: Bearer <key>.',
  )
}

function unknownKey(): ApiError {
  return new ApiError(
    'credentials_unknown',
    'This API key is not known: it may be mistyped, deleted, or of another installation.',
  )
}

function toCaller(row: KeyRow, readRoles: CustomRolesReader): Caller {
  if (row.expires_in_ms !== null && row.expires_in_ms <= 0) {
    throw new ApiError(
      'credentials_expired',
      `This API key expired at the end of ${row.expires_on} (UTC). Create a new one.`,
    )
  }
  if (row.is_suspended) throw newSuspended(row.organization_name)
  return {
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    vanityUrl: row.vanity_url,
    principal: `api-key:${row.id}`,
    keyId: row.id,
    userId: row.user_id ?? undefined,
    responsibleId: row.user_id ?? row.creator_id ?? undefined,
    keyName: row.display_name,
    scope: row.scope,
    team: row.team ?? undefined,
    // A limit to no permission leaves only reading.
    readOnly: KEY_SCOPES[row.scope].isReadOnly || row.permissions?.length === 0,
    allowed: row.permissions === null ? undefined : new Set(row.permissions),
    organizationOwner:
      KEY_SCOPES[row.scope].holder === 'organization' || row.member_role === 'Owner',
    roles: rolesByTeam(row.roles),
    // A team key acts as a default Owner, also if the organization has defined an Owner.
    customRoles: row.team === null ? readRoles(row.organization_id, row.team_roles) : undefined,
    hasOnlyManagedTags: row.has_only_managed_tags,
  }
}

function newSuspended(organization: string): ApiError {
  return new ApiError(
    'member_suspended',
    `Your account is suspended in ${organization}. Ask an owner of the organization.`,
  )
}

function rolesByTeam(held: readonly HeldRole[]): Map<string, string[]> {
  const roles = new Map<string, string[]>()
  for (const { team, role } of held) roles.set(team, [...(roles.get(team) ?? []), role])
  return roles
}

function unknownSession(): ApiError {
  return new ApiError('credentials_unknown', 'This session is not known. Sign in.')
}

function requireOpen<Row extends PersonRow>(row: Row | undefined): Row {
  if (row === undefined) throw unknownSession()
  if (row.is_over) throw new ApiError('credentials_expired', 'This session is over. Sign in again.')
  return row
}

function toCallerSession(row: PersonRow): CallerSession {
  return { id: row.session_id, limitedTo: row.limited_to ?? undefined }
}

function notAMember(): ApiError {
  return new ApiError('not_a_member', 'You are not a member of the organization.')
}

function sessionLimited(): ApiError {
  return new ApiError(
    'session_limited',
    'This session began with the identity provider of another organization and acts only there. Sign out, and sign in with your password.',
  )
}

function providerRequired(organization: string): ApiError {
  return new ApiError(
    'provider_required',
    `${organization} accepts only sign-ins with its identity provider.`,
  )
}

function toMember(row: SessionRow, readRoles: CustomRolesReader): Caller {
  // The error does not reveal whether the organization exists.
  if (row.organization_id === null || row.organization_name === null || row.vanity_url === null) {
    throw row.limited_to === null ? notAMember() : sessionLimited()
  }
  if (row.is_suspended) throw newSuspended(row.organization_name)
  if (row.needs_provider) throw providerRequired(row.organization_name)
  return {
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    vanityUrl: row.vanity_url,
    principal: `user:${row.user_id}`,
    keyId: undefined,
    session: toCallerSession(row),
    userId: row.user_id,
    responsibleId: row.user_id,
    keyName: row.user_name,
    scope: 'user',
    team: undefined,
    readOnly: false,
    allowed: undefined,
    organizationOwner: row.member_role === 'Owner',
    roles: rolesByTeam(row.roles),
    customRoles: readRoles(row.organization_id, row.team_roles),
    hasOnlyManagedTags: row.has_only_managed_tags,
  }
}
