import type { KeyScope } from '../../../formats/team/key-scope.ts'

/**
 * The team roles that an organization has defined, each with its permissions. They replace the default ones, and
 * roles that are not among them have the permissions of a Member.
 */
export type CustomRoles = ReadonlyMap<string, ReadonlySet<string>>

/** The session of a request. */
export interface CallerSession {
  id: string
  /** The only organization in which it acts, because it began with a provider of the organization; undefined = any. */
  limitedTo: string | undefined
}

/**
 * The caller of a request: an API key or a signed-in person, with their current permissions. A personal key
 * has those of its person; a team key those of an Owner of the team and its subteams; an organization key
 * those of an organization owner. A session has those of its person.
 */
export interface Caller {
  organizationId: string
  organizationName: string
  /** The first part of the paths of the organization's page addresses. */
  vanityUrl: string
  /** The name in history and events: `api-key:<uuid>` or `user:<uuid>`. */
  principal: string
  /** Undefined = a session, not a key. */
  keyId: string | undefined
  /** Absent = a key. */
  session?: CallerSession
  /** The person of a session or of a personal key; undefined = a key of a team or of the organization. */
  userId: string | undefined
  /**
   * The person who answers for what the caller decides: of a session or of a personal key, or who created a key of a team or
   * of the organization. Undefined = the system or another key created it.
   */
  responsibleId: string | undefined
  /** The key's name, or the person's. */
  keyName: string
  /** `user` for a session. */
  scope: KeyScope
  /** The external id of the key's team; only for team keys. */
  team: string | undefined
  /** May look at everything that its scope sees, and change nothing. */
  readOnly: boolean
  /**
   * The permissions to which the key is limited, in addition to the limits of its scope; undefined = not
   * limited. A limited key also loses what takes ownership instead of a permission.
   */
  allowed: ReadonlySet<string> | undefined
  /** Owns the organization: every permission on every team, and on what no team owns. */
  organizationOwner: boolean
  /** The caller's roles by the external id of the team, including inherited ones. */
  roles: ReadonlyMap<string, readonly string[]>
  /** The roles that the organization has defined; undefined = the default roles, which team keys always have. */
  customRoles: CustomRoles | undefined
  /** The path below which a key of a directory works; absent = no such limit. */
  opensOnly?: string
  /** Whether documents of the organization can only have tags that it manages. */
  hasOnlyManagedTags: boolean
}
