import { PUBLIC } from '../access.ts'
import type { Grantee } from '../grant.ts'
import { quoteName } from './statements.ts'

/** A user, group or role of a database. */
export interface Principal {
  id: number
  name: string
  kind: 'user' | 'role' | 'group'
  /** The same in all databases for the users of one login; null = it has none. */
  sid: string | null
  isFixedRole: boolean
}

/** The owner of a database, as which all administrators of the server work in it. */
export const DBO: Grantee = { kind: 'user', name: 'dbo' }

const PUBLIC_ID = 0
const DBO_ID = 1

/** Parses the type of a principal: https://learn.microsoft.com/sql/relational-databases/system-catalog-views/sys-database-principals-transact-sql */
export function parseKind(type: string): Principal['kind'] {
  const letter = type.trim()
  if (letter === 'R' || letter === 'A') return 'role'
  return letter === 'G' || letter === 'X' ? 'group' : 'user'
}

/** The principals of the databases of a server, by their ids. */
type PrincipalsByDatabase = ReadonlyMap<string, ReadonlyMap<number, Principal>>

/**
 * The names of principals beyond their database. Roles of one name in several databases have different members, and users of
 * one name there may belong to different logins: these have the name of their database, too.
 */
export class PrincipalNames {
  readonly #databases: PrincipalsByDatabase
  /** The databases of a role, and the security identifiers of a user, by kind and name. */
  readonly #owners = new Map<string, Set<string>>()

  constructor(databases: PrincipalsByDatabase) {
    this.#databases = databases
    for (const [database, principals] of databases) {
      for (const principal of principals.values()) {
        const { kind, sid } = principal
        const key = toKey(principal)
        const owners = this.#owners.get(key) ?? new Set()
        this.#owners.set(key, owners.add(kind === 'role' ? database : (sid ?? database)))
      }
    }
  }

  /** Whether a principal is the owner of its database. */
  isOwner(id: number): boolean {
    return id === DBO_ID
  }

  /**
   * Lists the grantees that have the permissions of a principal. The name of a role without its database means the roles of
   * this name in all databases, and has no members.
   */
  listGrantees(database: string, id: number): Grantee[] {
    const own = this.getGrantee(database, id)
    if (own === undefined) return []
    const principal = this.#databases.get(database)?.get(id)
    if (own.kind !== 'role' || principal === undefined || principal.isFixedRole) return [own]
    return own.name === principal.name ? [own] : [own, { kind: 'role', name: principal.name }]
  }

  /** Returns the grantee that is only this principal; undefined = there is not one. */
  getGrantee(database: string, id: number): Grantee | undefined {
    if (id === PUBLIC_ID) return PUBLIC
    if (id === DBO_ID) return DBO
    const principal = this.#databases.get(database)?.get(id)
    if (principal === undefined) return undefined
    const { kind, name } = principal
    const isUnique = (this.#owners.get(toKey(principal))?.size ?? 0) <= 1
    return {
      kind,
      name: isUnique ? name : `${quoteName(database)}.${quoteName(name)}`,
    }
  }
}

function toKey({ kind, name }: Principal): string {
  return JSON.stringify([kind, name])
}
