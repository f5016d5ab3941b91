import { queryOptions, useSuspenseQuery, type QueryClient } from '@tanstack/react-query'
import { api, client, type Answer } from './client.ts'
import { Problem } from './problem.ts'

/** Who is signed in, where they act, and what they may do there. */
export type Session = Answer<'/ui/session', 'get'>

/** One thing that may be done to a team or to what it owns. */
export type Permission = Session['teams'][number]['permissions'][number]

/** The session; null = nobody is signed in. Errors: Problem, when the server cannot tell. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  async queryFn(): Promise<Session | null> {
    if (isKnownToBeNobody()) return null
    try {
      const { data } = await client.GET('/ui/session', {})
      return data ?? null
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return null
      throw error
    }
  },
})

/** Takes a session that has just begun for the present one. */
export function beginSession(queries: QueryClient, session: Session): void {
  // Some pages are there without a look at the session: what came with them holds no longer.
  isKnownToBeNobody()
  queries.setQueryData(sessionQuery.queryKey, session)
}

// The server has said with the page that no session came along; that holds for the first look alone.
function isKnownToBeNobody(): boolean {
  const told = document.querySelector('meta[name=session][content=none]')
  told?.remove()
  return told !== null
}

/** The session on a page that is only shown to who is signed in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new Problem(401, 'Signed out', 'Sign in to see this page.')
  return data
}

/** What a person may do, and why not. */
export interface Permit {
  allowed: boolean
  /** A sentence for the tooltip of what is disabled; undefined = allowed. */
  reason: string | undefined
}

const ALLOWED: Permit = { allowed: true, reason: undefined }

/**
 * Says whether the person may do a thing to a team or to what it owns; null = what no team owns. The
 * server decides anew: this only tells beforehand.
 */
export function may(session: Session, permission: Permission, teamId: string | null): Permit {
  if (session.organization?.role === 'Owner') return ALLOWED
  if (teamId === null) {
    return { allowed: false, reason: 'Only an owner of the organization may do this.' }
  }
  const team = session.teams.find(({ id }) => id === teamId)
  if (team?.permissions.includes(permission) === true) return ALLOWED
  const role = team === undefined ? 'you have no role there' : `you are ${team.roles.join(', ')}`
  return { allowed: false, reason: `This needs ${permission} on the team ${teamId}; ${role}.` }
}

/** Says whether the person may do a thing to any team at all. */
export function maySomewhere(session: Session, permission: Permission): Permit {
  if (session.organization?.role === 'Owner') return ALLOWED
  if (session.teams.some(({ permissions }) => permissions.includes(permission))) return ALLOWED
  return { allowed: false, reason: `This needs ${permission} on a team; you have it on none.` }
}

/** Lets pass an owner of the organization. */
export function mayOwn(session: Session): Permit {
  if (session.organization?.role === 'Owner') return ALLOWED
  return { allowed: false, reason: 'Only an owner of the organization may do this.' }
}

/** Names of principals (`user:<id>`, `api-key:<id>`) for showing; unknown ones keep their own form. */
export function usePrincipalNames(principals: readonly string[]): (principal: string) => string {
  const id = [...new Set(principals)].toSorted().slice(0, 100)
  const { data } = api.useQuery(
    'get',
    '/ui/principals',
    { params: { query: { id } } },
    { enabled: id.length > 0, staleTime: 300_000 },
  )
  const names = new Map(data?.map(({ principal, name }) => [principal, name]))
  return (principal) => names.get(principal) ?? principal
}
