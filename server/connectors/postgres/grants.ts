import { guardReading, PUBLIC, toOutcomeBatches, toWholeOutcome } from '../access.ts'
import { SourceFailure, type Scope } from '../connector.ts'
import type { Grantee, GrantBatch, SourceGrant, SourceMember } from '../grant.ts'
import { beginStatement, textArray } from './catalog.ts'
import type { PostgresSetup } from './configuration.ts'
import type { PostgresConnection } from './connection.ts'
import type { CopyRow } from './copy-text.ts'
import type { PostgresConnections } from './home.ts'

/**
 * Grants are in the access control lists of the catalog, which every user may read. The information schema would show
 * another role nothing. Roles are not distinguished from users, because an option turns one into the other.
 */

const ROWS_MAX = 1000

/** Reads the grants in scopes, database by database, then the memberships. Errors: SourceFailure. */
export async function* readGrants(
  connecting: PostgresSetup,
  scopes: readonly Scope[],
  connections: PostgresConnections,
): AsyncGenerator<GrantBatch> {
  const byDatabase = Map.groupBy(scopes, ({ reading }) => reading)
  for (const [database, group] of byDatabase) {
    // A database proves nothing about schemas that were not read.
    const schemas = group.filter(({ path }) => path.length > 1)
    const paths = schemas.map(({ path }) => path)
    const batches = connections.read(database, (connection) =>
      closeOnFailure(connection, readDatabase(connecting, connection, database, schemas)),
    )
    yield* guardReading(paths, batches)
  }
  yield* connections.read(undefined, (connection) => readMembers(connecting, connection))
}

/** Closes a connection that fails in a transaction, so that no later statement runs in it. */
export async function* closeOnFailure(
  connection: PostgresConnection,
  batches: AsyncIterable<GrantBatch>,
): AsyncGenerator<GrantBatch> {
  try {
    yield* batches
  } catch (error) {
    const failure = connection.failure(error)
    await connection.close()
    throw failure
  }
}

async function* readDatabase(
  connecting: PostgresSetup,
  connection: PostgresConnection,
  database: string,
  scopes: readonly Scope[],
): AsyncGenerator<GrantBatch> {
  const schemas = scopes.flatMap(({ path }) => path.slice(1, 2))
  await connection.query('begin', beginStatement(connecting))
  for (const [name, statement] of [
    ['read grants of schemas', containersStatement(schemas)],
    ['read grants of tables', tablesStatement(schemas)],
    ['read grants of columns', columnsStatement(schemas)],
  ] as const) {
    yield* toBatches(connection.copy(name, statement), (row) => toGrant(database, row))
  }
  await connection.query('commit', 'commit')
  yield* toOutcomeBatches(scopes.map(({ path }) => toWholeOutcome(path)))
}

async function* toBatches(
  lists: AsyncIterable<readonly CopyRow[]>,
  toRow: (row: CopyRow) => SourceGrant,
): AsyncGenerator<GrantBatch> {
  for await (const rows of lists) {
    for (let at = 0; at < rows.length; at += ROWS_MAX) {
      yield { grants: rows.slice(at, at + ROWS_MAX).map(toRow) }
    }
  }
}

async function* readMembers(
  connecting: PostgresSetup,
  connection: PostgresConnection,
): AsyncGenerator<GrantBatch> {
  await connection.query('begin', beginStatement(connecting))
  for await (const rows of connection.copy('read members of roles', MEMBERS)) {
    for (let at = 0; at < rows.length; at += ROWS_MAX) {
      yield { members: rows.slice(at, at + ROWS_MAX).map(toMember) }
    }
  }
  for await (const rows of connection.copy('read administrators', ADMINISTRATORS)) {
    for (let at = 0; at < rows.length; at += ROWS_MAX) {
      yield { administrators: rows.slice(at, at + ROWS_MAX).map(([name]) => toRole(name)) }
    }
  }
  await connection.query('commit', 'commit')
  yield { membership: {} }
}

// The rows have: schema, table, whether everyone has it, role, privilege, whether it can be passed on, columns.
function toGrant(database: string, row: CopyRow): SourceGrant {
  const [schema, table, isPublic, role, privilege, withGrant, columns] = row
  if (privilege === undefined || privilege === null) throw unreadable()
  const names = columns === null || columns === undefined ? undefined : parseNames(columns)
  return {
    path: [database, schema, table].filter((part) => typeof part === 'string'),
    grantee: isPublic === 't' ? PUBLIC : toRole(role),
    privilege,
    effect: EFFECTS.get(privilege) ?? 'write',
    withGrant: withGrant === 't',
    ...(names === undefined ? {} : { columns: names }),
  }
}

const EFFECTS: ReadonlyMap<string, SourceGrant['effect']> = new Map([
  ['SELECT', 'read'],
  ['USAGE', 'use'],
  ['CONNECT', 'use'],
])

function toMember([role, member, isInherited, isSettable]: CopyRow): SourceMember {
  return {
    role: toRole(role),
    member: toRole(member),
    isInherited: isInherited === 't',
    isSettable: isSettable === 't',
  }
}

function toRole(name: string | null | undefined): Grantee {
  if (typeof name !== 'string') throw unreadable()
  return { kind: 'role', name }
}

function parseNames(text: string): string[] {
  const names: unknown = JSON.parse(text)
  if (!Array.isArray(names)) throw unreadable()
  return names.map(String)
}

function unreadable(): SourceFailure {
  return new SourceFailure('protocol', 'A grant of the source cannot be read.')
}

// pg_database_owner has one implicit member, the owner of each database, so its grants are those of this owner.
const GRANTEE = `
  left join pg_catalog.pg_roles r on r.oid = case acl.grantee
    when (select oid from pg_catalog.pg_roles where rolname = 'pg_database_owner')
      then (select datdba from pg_catalog.pg_database where datname = pg_catalog.current_database())
    else acl.grantee
  end
where (acl.grantee = 0 or r.oid is not null)`

const ACL_FIELDS = `(acl.grantee = 0), r.rolname::text, acl.privilege_type, acl.is_grantable`

// The role pg_write_all_data writes everywhere without an entry in any list.
function containersStatement(schemas: readonly string[]): string {
  return `copy (
select null::text, null::text, ${ACL_FIELDS}, null::text
from pg_catalog.pg_database d
cross join lateral pg_catalog.aclexplode(
  coalesce(d.datacl, pg_catalog.acldefault('d', d.datdba))
) acl
${GRANTEE}
and d.datname = pg_catalog.current_database() and acl.privilege_type = 'CONNECT'
union all
select n.nspname::text, null, ${ACL_FIELDS}, null
from pg_catalog.pg_namespace n
cross join lateral pg_catalog.aclexplode(
  coalesce(n.nspacl, pg_catalog.acldefault('n', n.nspowner))
) acl
${GRANTEE}
and n.nspname = any (${textArray(schemas)}) and acl.privilege_type = 'USAGE'
union all
select granted.schema, null, false, writer.rolname::text, granted.privilege, false, null
from pg_catalog.pg_roles writer
cross join (
  select null, unnest(array['INSERT', 'UPDATE', 'DELETE'])
  union all
  select unnest(${textArray(schemas)}), 'USAGE'
) as granted (schema, privilege)
where writer.rolname = 'pg_write_all_data'
) to stdout`
}

function tablesStatement(schemas: readonly string[]): string {
  return `copy (
select n.nspname::text, c.relname::text, ${ACL_FIELDS}, null::text
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
cross join lateral pg_catalog.aclexplode(
  coalesce(c.relacl, pg_catalog.acldefault('r', c.relowner))
) acl
${GRANTEE}
and n.nspname = any (${textArray(schemas)}) and c.relkind in ('r', 'p', 'v', 'm', 'f')
and acl.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')
) to stdout`
}

function columnsStatement(schemas: readonly string[]): string {
  return `copy (
select schema, relation, is_public, role, privilege, is_grantable,
  pg_catalog.json_agg(name order by number)::text
from (
  select n.nspname::text, c.relname::text, ${ACL_FIELDS}, a.attname::text, a.attnum
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  cross join lateral pg_catalog.aclexplode(a.attacl) acl
  ${GRANTEE}
  and n.nspname = any (${textArray(schemas)}) and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and a.attacl is not null and not a.attisdropped
  and acl.privilege_type in ('SELECT', 'INSERT', 'UPDATE')
) as one (schema, relation, is_public, role, privilege, is_grantable, name, number)
group by schema, relation, is_public, role, privilege, is_grantable
) to stdout`
}

// Before version 16, the member decided for all of its memberships; since then each one has options.
const MEMBERS = `copy (
select role.rolname::text, member.rolname::text,
  pg_catalog.bool_or(
    coalesce((pg_catalog.to_jsonb(m) ->> 'inherit_option')::boolean, member.rolinherit)
  ),
  pg_catalog.bool_or(coalesce((pg_catalog.to_jsonb(m) ->> 'set_option')::boolean, true))
from pg_catalog.pg_auth_members m
join pg_catalog.pg_roles role on role.oid = m.roleid
join pg_catalog.pg_roles member on member.oid = m.member
group by 1, 2
) to stdout`

const ADMINISTRATORS = `copy (
select rolname::text
from pg_catalog.pg_roles
where rolsuper
or exists (
  select from pg_catalog.pg_roles reader
  where reader.rolname = 'pg_read_all_data'
  and (reader.oid = pg_roles.oid or pg_catalog.pg_has_role(pg_roles.oid, reader.oid, 'USAGE'))
)
) to stdout`
