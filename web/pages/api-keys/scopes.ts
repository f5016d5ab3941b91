import { mayOwn, type Session } from '../../api/session.ts'
import type { Schemas } from '../../api/client.ts'

/** One of the six kinds of key, by its name on the wire. */
export type Scope = Schemas['UiApiKey']['scope']

/** A kind of key in words. */
export interface ScopeWords {
  scope: Scope
  title: string
  /** What a program may do with it, in a sentence. */
  powers: string
}

/** The six kinds of key, the smallest powers first. */
export const SCOPES: readonly ScopeWords[] = [
  {
    scope: 'user_read',
    title: 'Personal, read-only',
    powers: 'Reads what you may read. It stops when you leave the organization.',
  },
  {
    scope: 'user',
    title: 'Personal',
    powers: 'Does what you may do, and follows your roles as they change.',
  },
  {
    scope: 'team_read',
    title: 'Team, read-only',
    powers: 'Reads the catalog, and the integrations of one team and of the teams below it.',
  },
  {
    scope: 'team',
    title: 'Team',
    powers:
      'Registers and changes what one team and the teams below it own. The usual key for a pipeline.',
  },
  {
    scope: 'organization_read',
    title: 'Organization, read-only',
    powers: 'Reads everything of the organization.',
  },
  {
    scope: 'organization',
    title: 'Organization',
    powers: 'Does everything that an owner may do over the API, on every team.',
  },
]

/** A scope in words. */
export function scopeTitle(scope: Scope): string {
  return SCOPES.find((one) => one.scope === scope)?.title ?? scope
}

/** Says whether keys of a scope belong to a team. */
export function isTeamScope(scope: string): boolean {
  return scope === 'team' || scope === 'team_read'
}

/** Says whether keys of a scope only read. */
export function isReadOnly(scope: string): boolean {
  return scope.endsWith('_read')
}

/** Says why the person may not make keys of a scope; undefined = they may. */
export function scopeReason(session: Session, scope: Scope): string | undefined {
  if (scope === 'user' || scope === 'user_read') return undefined
  if (mayOwn(session).allowed) return undefined
  if (!isTeamScope(scope)) return mayOwn(session).reason
  if (session.teams.some(({ roles }) => roles.includes('Owner'))) return undefined
  return 'Only an Owner of the team may do this; you are Owner of none.'
}
