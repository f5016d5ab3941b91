import { hash } from 'node:crypto'
import { Refusal } from '../errors.ts'
import type { Clock } from '../kit/clock.ts'
import { hashToken, isToken } from '../kit/token.ts'
import type { Database } from '../tables.ts'
import { findKey, type KeyRow } from './caller-store.ts'
import type { Caller } from './caller.ts'

/** What every key's secret begins with. */
export const KEY_PREFIX = 'pbk_'

// A key that is deleted, and a role that is taken away, must end within a second in every process.
const REMEMBERED_MS = 500
const REMEMBERED_CALLERS_MAX = 10_000

/** Turns credentials into callers. */
export interface Authenticator {
  /**
   * The caller whose secret this is. A caller seen within the last half second may come from
   * memory, unless `afresh` asks for what the store says now. Errors: credentials_missing,
   * credentials_unknown, credentials_expired, store_unavailable.
   */
  authenticate(secret: string | undefined, afresh?: boolean): Promise<Caller>
  /** Forgets all that is remembered: what this process changed counts at once in this process. */
  forget(): void
  /** Hands over the ids of the keys that were used since the last call. */
  takeUsedKeys(): string[]
}

interface Remembered {
  caller: Caller
  untilMs: number
}

/** Makes the authenticator of one process. */
export function newAuthenticator(db: Database, clock: Clock): Authenticator {
  const remembered = new Map<string, Remembered>()
  const pending = new Map<string, Promise<Caller>>()
  const used = new Set<string>()
  let forgotten = 0

  async function load(secret: string, digest: string): Promise<Caller> {
    const askedAtMs = performance.now()
    const generation = forgotten
    const row = await findKey(db, clock, hashToken(secret))
    const caller = callerOf(row)
    const lifeMs = Math.min(REMEMBERED_MS, row?.expires_in_ms ?? REMEMBERED_MS)
    // What was read before a change must not be remembered after it.
    if (generation === forgotten) {
      if (remembered.size >= REMEMBERED_CALLERS_MAX) remembered.clear()
      remembered.set(digest, { caller, untilMs: askedAtMs + lifeMs })
    }
    return caller
  }

  // Requests that arrive together share one look-up.
  function loadOnce(secret: string, digest: string): Promise<Caller> {
    const underway = pending.get(digest)
    if (underway !== undefined) return underway
    const loading = load(secret, digest).finally(() => pending.delete(digest))
    pending.set(digest, loading)
    return loading
  }

  return {
    async authenticate(secret, afresh = false) {
      if (secret === undefined) throw missingKey()
      const digest = hash('sha256', secret, 'base64')
      const known = afresh ? undefined : remembered.get(digest)
      let caller =
        known !== undefined && performance.now() < known.untilMs ? known.caller : undefined
      if (caller === undefined) {
        if (!isToken(secret, KEY_PREFIX)) throw unknownKey()
        caller = await (afresh ? load(secret, digest) : loadOnce(secret, digest))
      }
      used.add(caller.keyId)
      return caller
    },
    forget() {
      forgotten += 1
      remembered.clear()
      pending.clear()
    },
    takeUsedKeys() {
      const ids = [...used]
      used.clear()
      return ids
    },
  }
}

function missingKey(): Refusal {
  return new Refusal(
    'credentials_missing',
    'Send an API key in the header x-api-key, or as Authorization: Bearer <key>.',
  )
}

function unknownKey(): Refusal {
  return new Refusal(
    'credentials_unknown',
    'This API key is not known: it may be mistyped, deleted, or of another installation.',
  )
}

function callerOf(row: KeyRow | undefined): Caller {
  if (row === undefined) throw unknownKey()
  if (row.expires_in_ms !== null && row.expires_in_ms <= 0) {
    throw new Refusal(
      'credentials_expired',
      `This API key expired at the end of ${row.expires_on} (UTC). Create a new one.`,
    )
  }
  const roles = new Map<string, string[]>()
  for (const { team, role } of row.roles) roles.set(team, [...(roles.get(team) ?? []), role])
  return {
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    principal: `api-key:${row.id}`,
    keyId: row.id,
    keyName: row.display_name,
    scope: row.scope,
    team: row.team ?? undefined,
    readOnly: row.scope.endsWith('_read'),
    organizationOwner:
      row.scope === 'organization' ||
      row.scope === 'organization_read' ||
      row.member_role === 'Owner',
    roles,
  }
}
