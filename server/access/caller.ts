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
 * Who makes a request: a key, with the powers that it has now. A personal key has those of its
 * person, followed live; a team's key those of an Owner of the team and of the teams below it; an
 * organization's key those of an organization owner.
 */
export interface Caller {
  organizationId: string
  organizationName: string
  /** Who history and events name: `api-key:<uuid>`. */
  principal: string
  keyId: string
  keyName: string
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
