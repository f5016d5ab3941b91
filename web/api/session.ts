import { queryOptions, useQuery, useSuspenseQuery, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ResourcePermissions } from '../../formats/team/permission-names.ts'
import { api, client, type Answer } from './client.ts'
import { describePermission, OWNERS_ONLY, type Permission } from './permission-words.ts'
import { Problem, solveSignedOut } from './problem.ts'
import { teamsQuery } from './teams.ts'

/** The signed-in person, their organization and their permissions. */
export type Session = Answer<'/ui/session', 'get'>

/** The session; null before sign-in. Errors: Problem, if the server does not answer. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  async queryFn(): Promise<Session | null> {
    const started = firstSession
    firstSession = undefined
    return await (started ?? fetchSession())
  },
})

let firstSession: Promise<Session | null> | undefined

/** Asks for the session before the first page is drawn, which takes the answer. */
export function startSession(): void {
  firstSession = fetchSession()
  // The caller that awaits the answer reports the failure.
  firstSession.catch(() => undefined)
}

async function fetchSession(): Promise<Session | null> {
  if (isKnownToBeNobody()) return null
  try {
    const { data } = await client.GET('/ui/session', {})
    return data ?? null
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null
    throw error
  }
}

/** Takes a session that has just begun for the present one. */
export function beginSession(queries: QueryClient, session: Session): void {
  // Some pages are there without a look at the session: what came with them holds no longer.
  isKnownToBeNobody()
  queries.setQueryData(sessionQuery.queryKey, session)
  solveSignedOut()
}

// The page itself reports a missing session, which is only valid for the first request.
function isKnownToBeNobody(): boolean {
  const mark = document.querySelector('meta[name=session][content=none]')
  mark?.remove()
  return mark !== null
}

/** The session, with the names of known teams. */
export interface SignedIn extends Session {
  teamNames: ReadonlyMap<string, string>
}

/** The session on a page that is only shown to users who are signed in. */
export function useSession(): SignedIn {
  const { data } = useSuspenseQuery(sessionQuery)
  // A reason to disable a button is not worth a request: names are used when a page has read them.
  const teams = useQuery({ ...teamsQuery, enabled: false }).data
  const session = useMemo(() => {
    if (data === null) return null
    const named = [...data.teams, ...(teams ?? [])]
    return { ...data, teamNames: new Map(named.map(({ id, name }) => [id, name])) }
  }, [data, teams])
  if (session === null) {
    throw new Problem(401, 'You were signed out', 'Sign in to see this page.')
  }
  return session
}

/** A right that a person lacks. */
export interface Lack {
  /** Absent = only owners of the organization have it. */
  permission?: Permission
  /** The team on which it is needed; absent = any team. */
  team?: string
}

/** Whether a person may do something, and the reason if not. */
export interface Permit {
  allowed: boolean
  /** A sentence for the tooltip of what is disabled; undefined = allowed. */
  reason: string | undefined
  /** The right that is missing, for finding people who can help; absent if it is allowed. */
  lack?: Lack
}

const ALLOWED: Permit = { allowed: true, reason: undefined }

/**
 * Returns whether the user has a permission on a team or on what it owns; null = what no team owns.
 * The server checks again: this only disables what it would reject.
 */
export function may(session: SignedIn, permission: Permission, teamId: string | null): Permit {
  if (session.organization?.role === 'Owner') return ALLOWED
  const team = session.teams.find(({ id }) => id === teamId)
  if (team?.permissions.includes(permission) === true) return ALLOWED
  const name = teamId === null ? null : (session.teamNames.get(teamId) ?? teamId)
  return {
    allowed: false,
    reason: `${describePermission(permission, name, listRoles(session, permission))}.`,
    lack: teamId === null ? {} : { permission, team: teamId },
  }
}

/**
 * Returns whether the user may do something to resources of a kind that a team owns; `permissions` undefined = only
 * owners of the organization may.
 */
export function mayChange(
  session: SignedIn,
  permissions: ResourcePermissions | undefined,
  action: 'ADD' | 'EDIT' | 'DELETE',
  teamId: string | null,
): Permit {
  return permissions === undefined
    ? mayOwn(session)
    : may(session, `${permissions}_${action}`, teamId)
}

/** Returns whether the user has a permission on any team at all. */
export function maySomewhere(session: Session, permission: Permission): Permit {
  if (session.organization?.role === 'Owner') return ALLOWED
  if (session.teams.some(({ permissions }) => permissions.includes(permission))) return ALLOWED
  return {
    allowed: false,
    reason: `${describePermission(permission, undefined, listRoles(session, permission))}.`,
    lack: { permission },
  }
}

// The custom roles that grant a permission; undefined with the default roles.
function listRoles({ customRoles }: Session, permission: Permission): string[] | undefined {
  return customRoles
    ?.filter(({ permissions }) => permissions.includes(permission))
    .map(({ name }) => name)
}

/** Returns whether the user is an owner of the organization; `deed` is what only owners do: `edit policies`. */
export function mayOwn(session: Session, deed?: string): Permit {
  if (session.organization?.role === 'Owner') return ALLOWED
  const reason = deed === undefined ? OWNERS_ONLY : `Only owners of the organization can ${deed}.`
  return { allowed: false, reason, lack: {} }
}

/** The name of a principal (`user:<id>`, `api-key:<id>`): undefined while it loads, null if it was deleted. */
export function usePrincipalName(principal: string): string | null | undefined {
  const { data } = usePrincipals([principal])
  if (data === undefined) return undefined
  return data.find((one) => one.principal === principal)?.name ?? null
}

/** Names of principals (`user:<id>`, `api-key:<id>`) for showing; unknown ones keep their own form. */
export function usePrincipalNames(principals: readonly string[]): (principal: string) => string {
  const { data } = usePrincipals(principals)
  const names = new Map(data?.map(({ principal, name }) => [principal, name]))
  return (principal) => names.get(principal) ?? principal
}

function usePrincipals(principals: readonly string[]) {
  const id = [...new Set(principals)].toSorted().slice(0, 100)
  return api.useQuery(
    'get',
    '/ui/principals',
    { params: { query: { id } } },
    { enabled: id.length > 0, staleTime: 300_000 },
  )
}
