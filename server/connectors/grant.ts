/**
 * Grants: who may use which object of a source, as the platform records it. They are facts of the platform; what they
 * mean for agreements is decided elsewhere.
 */

/** The kinds of grantees. `public` is everyone who can log in; its name is empty. */
export const GRANTEE_KINDS = ['user', 'role', 'group', 'public'] as const

/**
 * Effects of privileges: `use` allows what is inside an object to be used at all, `deny` withdraws reading, and `deny_write`
 * the privilege to write that it names.
 */
export const GRANT_EFFECTS = ['read', 'write', 'use', 'deny', 'deny_write'] as const

/** The maximum size of the name of a grantee in bytes: longer ones fit into no index. */
export const GRANTEE_NAME_BYTES_MAX = 1000

/** A user, role or group of the platform, or everyone. */
export interface Grantee {
  kind: (typeof GRANTEE_KINDS)[number]
  /** In the platform's exact spelling. */
  name: string
}

/** A privilege on an object. */
export interface SourceGrant {
  /** The native path of a table, of what contains tables, or an empty one: everything that the source has. */
  path: readonly string[]
  grantee: Grantee
  /** The platform's word: `SELECT`. */
  privilege: string
  effect: (typeof GRANT_EFFECTS)[number]
  /** The columns that it is limited to; absent = all. */
  columns?: readonly string[]
  /** Whether the grantee may grant it to others. */
  withGrant: boolean
  /** The object or pattern from which it comes; absent = the object itself. */
  inheritedFrom?: string
}

/** A membership in a role. */
export interface SourceMember {
  role: Grantee
  member: Grantee
  /** Whether the member has the privileges of the role without any action. */
  isInherited: boolean
  /** Whether the member can act as the role. */
  isSettable: boolean
}

/** Whether the grants on an object and on what it contains were read. */
export interface GrantOutcome {
  path: readonly string[]
  /** Whether every grant that the platform records on it was read: one that is missing is gone. */
  isWhole: boolean
  /** Why others may nevertheless have access, in our wording; absent = the grants are complete. */
  message?: string
}

/** A part of a source's grants, with at most 1,000 of each. */
export interface GrantBatch {
  grants?: readonly SourceGrant[]
  members?: readonly SourceMember[]
  /** Grantees who may read everything by their position, such as superusers. */
  administrators?: readonly Grantee[]
  outcomes?: readonly GrantOutcome[]
  /**
   * Sent once, after all memberships and administrators that the platform records: one that is missing is gone. `message` is
   * the reason why there may nevertheless be others. Without it, memberships count as not read.
   */
  membership?: { message?: string }
}

/** The rules for the grants of a platform. */
export interface GrantRules {
  /**
   * The lengths of paths at which reading a table also needs a privilege with the effect `use`: 2 = the schema of
   * `[database, schema, table]`.
   */
  gates: readonly number[]
  /** The time after which the platform shows a grant, in hours. */
  delayHours: number
  /** The privileges that the account needs to read them, in a sentence. */
  right: string
  /** The products whose grants cannot be read: the platform of their assets, and the name; absent = none. */
  exceptions?: ReadonlyMap<string, string>
  /** Why they are never complete, in a sentence; absent = they can be. */
  limit?: string
}
