import { PUBLIC, toGrantBatches, toMemberBatches, toOutcomeBatches } from '../access.ts'
import type { Scope } from '../connector.ts'
import type { Grantee, GrantBatch, GrantOutcome, SourceGrant, SourceMember } from '../grant.ts'
import { isShared } from './listing.ts'
import type { ResultRow } from './result-row.ts'
import { showObjects } from './show.ts'
import { quoteText } from './sql-text.ts'
import type { SnowflakeClient } from './statement-client.ts'

/**
 * Grants of Snowflake are in views of ACCOUNT_USAGE, which lag behind. Only roles have privileges, except that newer accounts
 * also grant to users: https://docs.snowflake.com/en/sql-reference/account-usage/grants_to_roles
 */

const SHARED = 'The grants inside a database of a share are not recorded.'

const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'])

/** The role to which nothing is denied. */
const ADMINISTRATOR: Grantee = { kind: 'role', name: 'ACCOUNTADMIN' }

/** Reads the grants in scopes, database by database, then the memberships. Errors: SourceFailure. */
export async function* readGrants(
  client: SnowflakeClient,
  scopes: readonly Scope[],
): AsyncGenerator<GrantBatch> {
  const shared = await listShared(client)
  const byDatabase = Map.groupBy(scopes, ({ reading }) => reading)
  for (const [database, own] of byDatabase) {
    const what = `the grants in ${database}`
    for await (const rows of client.run({ sql: toObjectStatement(database), what })) {
      yield* toGrantBatches(rows.flatMap((row) => toGrants(row, database)))
    }
    const inner = own.filter(({ path }) => path.length > 1)
    yield* toOutcomeBatches(inner.map((scope) => toOutcome(scope, shared)))
  }
  for (const sql of [ROLES_OF_ROLES, ROLES_OF_USERS]) {
    for await (const rows of client.run({ sql, what: 'the members of roles' })) {
      yield* toMemberBatches(rows.flatMap((row) => toMember(row) ?? []))
    }
  }
  yield { administrators: [ADMINISTRATOR], membership: {} }
}

async function listShared(client: SnowflakeClient): Promise<Set<string>> {
  const names = new Set<string>()
  const statement = { objects: 'DATABASES', within: [], what: 'its databases' } as const
  for await (const row of showObjects(client, statement)) {
    if (isShared(row)) names.add(row.require('name'))
  }
  return names
}

function toOutcome({ path }: Scope, shared: ReadonlySet<string>): GrantOutcome {
  return { path, isWhole: true, ...(shared.has(path[0] ?? '') && { message: SHARED }) }
}

function toObjectStatement(database: string): string {
  const name = quoteText(database)
  return `
    select privilege, granted_on, name, table_catalog, table_schema, granted_to, grantee_name, grant_option
    from snowflake.account_usage.grants_to_roles
    where deleted_on is null and (
      (granted_on = 'DATABASE' and name = ${name})
      or (table_catalog = ${name} and (granted_on = 'SCHEMA' or granted_on like '%TABLE' or granted_on like '%VIEW'))
    )`
}

const ROLES_OF_ROLES = `
    select name, granted_on, table_catalog, granted_to, grantee_name
    from snowflake.account_usage.grants_to_roles
    where deleted_on is null and privilege = 'USAGE' and granted_on in ('ROLE', 'ACCOUNT ROLE', 'DATABASE_ROLE', 'DATABASE ROLE')`

const ROLES_OF_USERS = `
    select role, grantee_name
    from snowflake.account_usage.grants_to_users
    where deleted_on is null`

function toGrants(row: ResultRow, database: string): SourceGrant[] {
  const name = row.require('name')
  const grantedOn = row.require('granted_on')
  const grantee = toGrantee(row, database)
  if (grantee === undefined) return []
  const privilege = row.require('privilege')
  const grant = { grantee, privilege, withGrant: row.isTrue('grant_option') }
  // Any privilege on a database or schema opens it, which is not more than to use it.
  if (grantedOn === 'DATABASE' || grantedOn === 'SCHEMA') {
    const path = grantedOn === 'DATABASE' ? [name] : [database, name]
    return privilege === 'REFERENCE_USAGE' ? [] : [{ ...grant, path, effect: 'use' }]
  }
  const path = [database, row.require('table_schema'), name]
  return toEffects(privilege).map((effect) => ({ ...grant, path, effect }))
}

function toEffects(privilege: string): SourceGrant['effect'][] {
  if (privilege === 'SELECT') return ['read']
  if (privilege === 'OWNERSHIP') return ['read', 'write']
  return WRITES.has(privilege) ? ['write'] : []
}

/**
 * Returns the recipient of a privilege; undefined for applications and instances of classes, which are not people. A database
 * role only has privileges in its own database, whose name is not in its own.
 */
function toGrantee(row: ResultRow, database: string): Grantee | undefined {
  const name = row.require('grantee_name')
  switch (row.require('granted_to').replace('_', ' ')) {
    case 'ROLE':
    case 'ACCOUNT ROLE':
      return name === 'PUBLIC' ? PUBLIC : { kind: 'role', name }
    case 'DATABASE ROLE':
      return { kind: 'role', name: toDatabaseRole(database, name) }
    case 'USER':
      return { kind: 'user', name }
    default:
      return undefined
  }
}

function toDatabaseRole(database: string, name: string): string {
  return `${database}.${name}`
}

// Users activate all of their roles together, or one of them.
function toMember(row: ResultRow): SourceMember | undefined {
  const ofUser = row.get('role')
  if (ofUser !== undefined) {
    return {
      role: { kind: 'role', name: ofUser },
      member: { kind: 'user', name: row.require('grantee_name') },
      isInherited: true,
      isSettable: true,
    }
  }
  const database = row.get('table_catalog') ?? ''
  const isOfDatabase = row.require('granted_on').startsWith('DATABASE')
  const member = toGrantee(row, database)
  const name = row.require('name')
  if (member === undefined) return undefined
  return {
    role: { kind: 'role', name: isOfDatabase ? toDatabaseRole(database, name) : name },
    member,
    isInherited: true,
    isSettable: !isOfDatabase,
  }
}
