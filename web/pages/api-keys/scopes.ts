import { hasEveryPermission } from '../../api/permission-words.ts'
import { mayOwn, type Session } from '../../api/session.ts'
import { KEY_SCOPE_NAMES, KEY_SCOPES, type KeyScope } from '../../../formats/team/key-scope.ts'

/** The scopes in the order of the pages: the read-only one of each holder first. */
export const SCOPES: readonly KeyScope[] = (['user', 'team', 'organization'] as const).flatMap(
  (holder) =>
    KEY_SCOPE_NAMES.filter((scope) => KEY_SCOPES[scope].holder === holder).toSorted(
      (a, b) => Number(KEY_SCOPES[b].isReadOnly) - Number(KEY_SCOPES[a].isReadOnly),
    ),
)

/**
 * Returns whether a person may create keys of a team. Such a key has every permission on the team, and no more than its
 * creator.
 */
export function isTeamOwner({ permissions }: Session['teams'][number]): boolean {
  return hasEveryPermission(permissions)
}

/** Returns why the person may not create keys of a scope; undefined = they may. */
export function scopeReason(session: Session, scope: KeyScope): string | undefined {
  const { holder } = KEY_SCOPES[scope]
  if (holder === 'user') return undefined
  if (mayOwn(session).allowed) return undefined
  if (holder !== 'team') return mayOwn(session).reason
  if (session.teams.some(isTeamOwner)) return undefined
  return session.customRoles === null
    ? 'Only an Owner of a team can choose this; you are Owner of none.'
    : 'Only people who have every permission on a team can choose this.'
}
