/** The six powers that a key can carry, by their names on the wire. */
export const SCOPES = [
  'user',
  'user_read',
  'team',
  'team_read',
  'organization',
  'organization_read',
] as const

/** One of the six powers of a key. */
export type Scope = (typeof SCOPES)[number]

/**
 * Who makes a request: a key or a person who is signed in, with the powers that they have now. A
 * personal key has those of its person, followed live; a team's key those of an Owner of the team
 * and of the teams below it; an organization's key those of an organization owner. A session has
 * what a personal key of the same person has.
 */
export interface Caller {
  organizationId: string
  organizationName: string
  /** Who history and events name: `api-key:<uuid>`, or `user:<uuid>` of a session. */
  principal: string
  /** Undefined = a session, not a key. */
  keyId: string | undefined
  /** The key's name, or the person's. */
  keyName: string
  /** Of a session: `user`. */
  scope: Scope
  /** The external id of the key's team; undefined unless the key is a team's. */
  team: string | undefined
  /** May look at everything that its scope sees, and change nothing. */
  readOnly: boolean
  /** Owns the organization: every permission on every team, and on what no team owns. */
  organizationOwner: boolean
  /** The caller's roles by the external id of the team, those inherited down the tree included. */
  roles: ReadonlyMap<string, readonly string[]>
}

/** The id of the person who is signed in; undefined for a key, a person's own too. */
export function userIdOf(caller: Caller): string | undefined {
  const [kind, id] = caller.principal.split(':', 2)
  return kind === 'user' ? id : undefined
}
