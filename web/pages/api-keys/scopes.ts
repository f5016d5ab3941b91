import { mayOwn, type Session } from '../../api/session.ts'
import type { Schemas } from '../../api/client.ts'

/** One of the six kinds of key, by its name on the wire. */
export type Scope = Schemas['UiApiKey']['scope']

/** The words for a scope. */
export interface ScopeWords {
  scope: Scope
  title: string
  /** The powers of a program with such a key, in a sentence. */
  powers: string
}

/** The six scopes, the one with the smallest powers first. */
export const SCOPES: readonly ScopeWords[] = [
  {
    scope: 'user_read',
    title: 'Personal, read-only',
    powers: 'Reads what you can read. Ends when you leave the organization.',
  },
  {
    scope: 'user',
    title: 'Personal',
    powers: 'Does what you can do, and follows your roles.',
  },
  {
    scope: 'team_read',
    title: 'Team, read-only',
    powers: 'Reads the catalog, and the integrations of one team and its subteams.',
  },
  {
    scope: 'team',
    title: 'Team',
    powers:
      'Registers and changes what one team and its subteams own. The usual choice for a pipeline.',
  },
  {
    scope: 'organization_read',
    title: 'Organization, read-only',
    powers: 'Reads everything in the organization.',
  },
  {
    scope: 'organization',
    title: 'Organization',
    powers: 'Does everything that an owner can do in the API, for every team.',
  },
]

/** Returns the title of a scope. */
export function scopeTitle(scope: Scope): string {
  return SCOPES.find((one) => one.scope === scope)?.title ?? scope
}

/** Returns whether keys of a scope belong to a team. */
export function isTeamScope(scope: string): boolean {
  return scope === 'team' || scope === 'team_read'
}

/** Returns whether keys of a scope only read. */
export function isReadOnly(scope: string): boolean {
  return scope.endsWith('_read')
}

/** Returns why the person may not create keys of a scope; undefined = they may. */
export function scopeReason(session: Session, scope: Scope): string | undefined {
  if (scope === 'user' || scope === 'user_read') return undefined
  if (mayOwn(session).allowed) return undefined
  if (!isTeamScope(scope)) return mayOwn(session).reason
  if (session.teams.some(({ roles }) => roles.includes('Owner'))) return undefined
  return 'Only an Owner of a team can choose this; you are Owner of none.'
}
