import { EXACT, quoteName, quoteText, type MssqlStatement } from './statements.ts'

/** The statements about principals and permissions. */

/** The permissions that count. */
export const PERMISSIONS = [
  'SELECT',
  'INSERT',
  'UPDATE',
  'DELETE',
  'ALTER',
  'CONTROL',
  'CONNECT',
] as const

/** The privilege of an owner, who has CONTROL without a permission. */
export const OWNERSHIP = 'OWNERSHIP'

const SID_CHARACTERS_MAX = 200
const DEFINITION_PERMISSIONS = `N'VIEW DEFINITION', N'VIEW SECURITY DEFINITION'`

/** Returns the statement whether the user sees all permissions: of a database, or of the server. */
export function visibilityStatement(database: string | undefined): MssqlStatement {
  if (database === undefined) {
    return { name: 'visible permissions of the server', text: `select ${mayView('null', 'ANY ')}` }
  }
  const sys = `${quoteName(database)}.sys`
  return {
    name: `visible permissions of ${database}`,
    text: `
select ${mayView(`${quoteText(quoteName(database))}, 'DATABASE'`, '')}, (
  select count(*)
  from ${sys}.database_permissions x
  where x.state = 'D' and x.permission_name in (${DEFINITION_PERMISSIONS}) and x.class in (1, 3)
)`,
  }
}

function mayView(securable: string, scope: string): string {
  const target = securable === 'null' ? 'null, null' : securable
  // Since SQL Server 2022, a smaller permission suffices; older versions do not have it.
  return `case when has_perms_by_name(${target}, 'VIEW ${scope}DEFINITION') = 1
  or has_perms_by_name(${target}, 'VIEW ${scope}SECURITY DEFINITION') = 1 then 1 else 0 end`
}

/**
 * Returns the statement for the logins that may read everything: name, type and security identifier. Roles of the server
 * contain each other.
 */
export function serverStatement(): MssqlStatement {
  return {
    name: 'administrators of the server',
    text: `
with reach as (
  select p.principal_id
  from sys.server_principals p
  where p.name = N'sysadmin' or exists (
    select 1
    from sys.server_permissions x
    where x.grantee_principal_id = p.principal_id and x.class = 100 and x.state in ('G', 'W')
    and x.permission_name in (N'CONTROL SERVER', N'SELECT ALL USER SECURABLES')
  )
  union all
  select m.member_principal_id
  from sys.server_role_members m
  join reach r on r.principal_id = m.role_principal_id
)
select distinct p.name ${EXACT}, p.type ${EXACT}, convert(nvarchar(${SID_CHARACTERS_MAX}), p.sid, 1)
from reach r
join sys.server_principals p on p.principal_id = r.principal_id`,
  }
}

/** Returns the statement for the users and roles of a database: id, name, type, security identifier, whether it is a fixed role. */
export function principalsStatement(database: string): MssqlStatement {
  return {
    name: `principals of ${database}`,
    text: `
select p.principal_id, p.name ${EXACT}, p.type ${EXACT},
  convert(nvarchar(${SID_CHARACTERS_MAX}), p.sid, 1), cast(p.is_fixed_role as int)
from ${quoteName(database)}.sys.database_principals p
order by 1`,
  }
}

/** Returns the statement for the ids of roles and their members. */
export function membersStatement(database: string): MssqlStatement {
  return {
    name: `members of roles of ${database}`,
    text: `
select m.role_principal_id, m.member_principal_id
from ${quoteName(database)}.sys.database_role_members m`,
  }
}

/**
 * Returns the statement for permissions on the database, on schemas and on their tables, and for their owners: id of the
 * grantee, schema, object, permission, state and column. Rows of one object and grantee are adjacent.
 */
export function permissionsStatement(database: string, schemas: readonly string[]): MssqlStatement {
  const sys = `${quoteName(database)}.sys`
  const names = schemas.length === 0 ? 'null' : schemas.map(quoteText).join(', ')
  const isWanted = `s.name ${EXACT} in (${names})`
  const isTable = `o.type in ('U', 'V')`
  return {
    name: `permissions of ${database}`,
    text: `
select x.grantee_principal_id, s.name ${EXACT}, o.name ${EXACT}, x.permission_name ${EXACT}, x.state ${EXACT}, c.name ${EXACT}
from ${sys}.database_permissions x
left join ${sys}.objects o on x.class = 1 and o.object_id = x.major_id
left join ${sys}.schemas s on x.class in (1, 3)
  and s.schema_id = case x.class when 3 then x.major_id else o.schema_id end
left join ${sys}.columns c on x.class = 1 and x.minor_id > 0
  and c.object_id = x.major_id and c.column_id = x.minor_id
where x.state <> 'R'
and x.permission_name in (${PERMISSIONS.map(quoteText).join(', ')})
and (x.class = 0 or (x.class = 3 and ${isWanted}) or (x.class = 1 and ${isTable} and ${isWanted}))
union all
select s.principal_id, s.name ${EXACT}, null, N'${OWNERSHIP}', 'G', null
from ${sys}.schemas s
where ${isWanted}
union all
select o.principal_id, s.name ${EXACT}, o.name ${EXACT}, N'${OWNERSHIP}', 'G', null
from ${sys}.objects o
join ${sys}.schemas s on s.schema_id = o.schema_id
where o.principal_id is not null and ${isTable} and ${isWanted}
order by 2, 3, 1, 4, 5, 6`,
  }
}
