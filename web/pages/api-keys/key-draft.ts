import { type KeyScope, KEY_SCOPE_NAMES, KEY_SCOPES } from '../../../formats/team/key-scope.ts'
import type { Schemas } from '../../api/client.ts'
import type { Permission } from '../../api/permission-words.ts'
import { mayOwn, type Session } from '../../api/session.ts'
import { selectPermissions } from './key-permissions.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The form of a new key. Empty texts = none. */
export interface KeyDraft {
  scope: KeyScope
  teamId: string
  displayName: string
  /** The last day, YYYY-MM-DD. */
  expiresAt: string
  /** Whether it has only the chosen permissions. */
  isLimited: boolean
  permissions: readonly Permission[]
}

const EMPTY: KeyDraft = {
  scope: 'user_read',
  teamId: '',
  displayName: '',
  expiresAt: '',
  isLimited: false,
  permissions: [],
}

/**
 * Returns what the form of a new key starts with: the settings of the key that it replaces, if any. The
 * new key expires after as many days as the old one did.
 */
export function startKeyDraft(
  like: Schemas['UiApiKey'] | undefined,
  nowMs: number = Date.now(),
): KeyDraft {
  if (like === undefined) return EMPTY
  const { scope, teamId, displayName, createdAt, expiresAt, permissions } = like
  const isLimited = like.isLimited && !KEY_SCOPES[scope].isReadOnly
  return {
    scope,
    teamId: teamId ?? '',
    displayName,
    expiresAt: expiresAt === null ? '' : repeatLifetime(createdAt, expiresAt, nowMs),
    isLimited,
    permissions: isLimited ? selectPermissions(permissions) : [],
  }
}

function repeatLifetime(createdAt: string, expiresAt: string, nowMs: number): string {
  const lifetimeMs = Date.parse(expiresAt) - Date.parse(createdAt.slice(0, 10))
  return new Date(nowMs + Math.max(lifetimeMs, DAY_MS)).toISOString().slice(0, 10)
}

/** The scopes in the order of the pages: the read-only one of each holder first. */
export const SCOPES: readonly KeyScope[] = (['user', 'team', 'organization'] as const).flatMap(
  (holder) =>
    KEY_SCOPE_NAMES.filter((scope) => KEY_SCOPES[scope].holder === holder).toSorted(
      (a, b) => Number(KEY_SCOPES[b].isReadOnly) - Number(KEY_SCOPES[a].isReadOnly),
    ),
)

/** Returns whether a person manages the keys of a team. */
export function managesKeys({ permissions }: Session['teams'][number]): boolean {
  return permissions.includes('TEAM_API_KEY_MANAGE')
}

/** Returns why the person may not create keys of a scope; undefined = they may. */
export function scopeReason(session: Session, scope: KeyScope): string | undefined {
  const { holder } = KEY_SCOPES[scope]
  if (holder === 'user') return undefined
  if (mayOwn(session).allowed) return undefined
  if (holder !== 'team') return mayOwn(session).reason
  if (session.teams.some(managesKeys)) return undefined
  return session.customRoles === null
    ? 'Only an Owner, Approver or Editor of a team can choose this.'
    : 'Only people who manage the API keys of a team can choose this.'
}
