import type { Schemas } from '../../api/client.ts'
import type { KeyScope } from '../../../formats/team/key-scope.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The form of a new key. Empty texts = none. */
export interface KeyDraft {
  scope: KeyScope
  teamId: string
  displayName: string
  /** The last day, YYYY-MM-DD. */
  expiresAt: string
}

const EMPTY: KeyDraft = { scope: 'user_read', teamId: '', displayName: '', expiresAt: '' }

/**
 * Returns what the form of a new key starts with: the settings of the key that it replaces, if any. The
 * new key expires after as many days as the old one did.
 */
export function startKeyDraft(
  like: Schemas['UiApiKey'] | undefined,
  nowMs: number = Date.now(),
): KeyDraft {
  if (like === undefined) return EMPTY
  const { scope, teamId, displayName, createdAt, expiresAt } = like
  return {
    scope,
    teamId: teamId ?? '',
    displayName,
    expiresAt: expiresAt === null ? '' : repeatLifetime(createdAt, expiresAt, nowMs),
  }
}

function repeatLifetime(createdAt: string, expiresAt: string, nowMs: number): string {
  const lifetimeMs = Date.parse(expiresAt) - Date.parse(createdAt.slice(0, 10))
  return new Date(nowMs + Math.max(lifetimeMs, DAY_MS)).toISOString().slice(0, 10)
}
