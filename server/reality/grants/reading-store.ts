import { sql, type RawBuilder } from 'kysely'
import type { Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { GroupReading, IntegrationKey, OmittedFindings, TableGroup } from './grants.ts'

/** The settings by which the grants of an integration are read, and the last reading. */
export interface GrantState {
  enabled: boolean
  pattern: string | null
  readAt: Instant | null
  attemptedAt: Instant | null
  incompleteBecause: string | null
  membersBecause: string | null
  gates: readonly number[]
  delayHours: number
  runId: string | null
  omitted: readonly OmittedFindings[]
}

const STATE = sql`
    select enabled, pattern, read_at as "readAt", attempted_at as "attemptedAt",
      incomplete_because as "incompleteBecause", members_because as "membersBecause", gates,
      delay_hours as "delayHours", run_id as "runId", omitted
    from grant_reading`

/** Finds the state of an integration's grants; undefined = they were never enabled. */
export async function findState(
  db: Database,
  { organizationId, integrationId }: IntegrationKey,
): Promise<GrantState | undefined> {
  const { rows } = await sql<GrantState>`${STATE}
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
  `.execute(db)
  return rows[0]
}

/** Finds the state and locks it until the end of the transaction, so that comparisons of one integration take turns. */
export async function lockState(
  db: Database,
  { organizationId, integrationId }: IntegrationKey,
): Promise<GrantState | undefined> {
  const { rows } = await sql<GrantState>`${STATE}
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
    for update
  `.execute(db)
  return rows[0]
}

/** The last reading of the grants on a table. */
interface TableCoverage {
  path: string
  /** By the last run that tried, with all memberships. */
  isCurrent: boolean
  isComplete: boolean
  incompleteBecause: string | null
}

/** Finds for tables whether their grants were read. The nearest object that contains a table decides. */
export async function listCoverage(
  db: Database,
  { organizationId, integrationId }: IntegrationKey,
  paths: readonly string[],
): Promise<TableCoverage[]> {
  const { rows } = await sql<TableCoverage>`
    select given.path,
      current.value as "isCurrent",
      current.value and scope.incomplete_because is null as "isComplete",
      scope.incomplete_because as "incompleteBecause"
    from unnest(${paths}::text[]) as given (path)
    join grant_reading as reading on reading.organization_id = ${organizationId}
      and reading.integration_id = ${integrationId}
    left join lateral (
      select scope.read_at, scope.incomplete_because
      from grant_scope as scope
      where scope.organization_id = ${organizationId}
        and scope.integration_id = ${integrationId}
        and scope.path = any(${selectCovering(sql`given.path`)})
      order by length(scope.path) desc
      limit 1
    ) as scope on true
    cross join lateral (
      select coalesce(
        scope.read_at >= reading.attempted_at and reading.members_read_at >= reading.attempted_at,
        false
      )
    ) as current (value)
  `.execute(db)
  return rows
}

// The paths, JSON lists, of a table and of everything that contains it.
function selectCovering(path: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array(
          select '[' || coalesce(string_agg(part.value::text, ',' order by part.number), '') || ']'
          from generate_series(0, json_array_length(${path}::json)) as depth (length)
          left join json_array_elements(${path}::json) with ordinality as part (value, number)
            on part.number <= depth.length
          group by depth.length
        )`
}

/** The limits of the readings of an integration. */
interface ReadingScope {
  groups: readonly TableGroup[]
  gates: readonly number[]
}

/**
 * Lists what mapped grantees and everyone may do with groups of tables. A grantee acts as itself or as a role that it can
 * set, and has what this role inherits, and what everyone has. It reads a table if the same acting role may select from it
 * and has each privilege of use that the platform asks for; a denial wins.
 */
export async function listReadings(
  db: Database,
  key: IntegrationKey,
  { groups, gates }: ReadingScope,
): Promise<GroupReading[]> {
  const { rows } = await sql<GroupReading>`
    with recursive ${selectPermissions(key, groups)},
    ${selectActing(key)},
    ${selectSeats(gates)},
    reading as (
      select acting.kind, acting.name, seat.number,
        count(distinct seat.path) filter (where seat.may_read) as table_count,
        count(distinct seat.path) filter (where seat.may_read and everyone.path is null) as own_count,
        bool_or(seat.may_read and seat.reads_all_columns) as reads_all_columns,
        bool_or(seat.may_read and seat.is_direct and acting.is_self) as is_direct,
        min(case when acting.is_self then seat.via else acting.as_name end)
          filter (where seat.may_read) as via,
        array_agg(distinct written.privilege) filter (where written.privilege is not null) as writes,
        bool_or(seat.has_grant_option) as has_grant_option, bool_or(seat.is_wide) as is_wide
      from acting
      join seat on seat.as_kind = acting.as_kind
        and seat.as_name = acting.as_name
      left join everyone on everyone.path = seat.path
        and everyone.number = seat.number
      left join lateral unnest(seat.writes) as written (privilege) on true
      group by acting.kind, acting.name, seat.number
    ),
    administering as (
      select distinct acting.kind, acting.name
      from acting
      join grantee_administrator as administrator on ${isIn(key, 'administrator')}
        and administrator.grantee_kind = acting.as_kind
        and administrator.grantee_name = acting.as_name
    )
    select number as "group", kind as "granteeKind", name as "granteeName",
      table_count::integer as "tableCount", own_count::integer as "ownCount",
      reads_all_columns as "readsAllColumns", case when not is_direct then via end as via,
      coalesce(writes, '{}') as writes, has_grant_option as "hasGrantOption",
      is_wide as "isContainerWide", false as "isAdministrator"
    from reading
    where (kind, name) not in (select kind, name from administering)
      and (table_count > 0 or writes is not null or has_grant_option or is_wide)
    union all
    select number, 'public', '', count(*)::integer, 0, true, null, '{}', false, false, false
    from everyone
    group by number
    union all
    select given.number, administering.kind, administering.name, 1, 1, true, null, '{}', false, false, true
    from administering
    cross join (select distinct number from covering) as given
  `.execute(db)
  return rows
}

/** SQL fragment, two tables of a `with`: the objects that contain tables, and the grants on them. */
function selectPermissions(
  key: IntegrationKey,
  groups: readonly TableGroup[],
): RawBuilder<unknown> {
  const tables = groups.flatMap(({ paths }, group) => paths.map((path) => ({ group, path })))
  return sql`covering as materialized (
      select given.number, given.path, object.path as object,
        json_array_length(object.path::json) as depth,
        json_array_length(given.path::json) as table_depth
      from unnest(
        ${tables.map(({ group }) => group)}::integer[],
        ${tables.map(({ path }) => path)}::text[]
      ) as given (number, path)
      cross join lateral unnest(${selectCovering(sql`given.path`)}) as object (path)
    ),
    permission as materialized (
      select covering.number, covering.path, covering.depth, covering.table_depth,
        held.grantee_kind as kind, held.grantee_name as name, held.effect, held.privilege,
        held.columns, held.with_grant
      from covering
      join asset_grant as held on ${isIn(key, 'held')}
        and held.path = covering.object
    )`
}

/**
 * SQL fragment, four tables of a `with`: the rights of acting roles on tables, with those of everyone (`seat`), and the tables
 * that everyone reads (`everyone`).
 */
function selectSeats(gates: readonly number[]): RawBuilder<unknown> {
  const isOpen = sql`count(distinct depth)
          filter (where effect = 'use' and depth = any(${gates}::integer[])) = ${gates.length}`
  const reads = sql`bool_or(effect = 'read') and ${isOpen}
          and not coalesce(bool_or(effect = 'deny' and columns is null), false)`
  return sql`own as materialized (
      select held.as_kind, held.as_name, permission.*, true as is_own,
        (held.kind, held.name) = (held.as_kind, held.as_name) as is_direct
      from held
      join permission on permission.kind = held.kind
        and permission.name = held.name
    ),
    combined as (
      select *
      from own
      union all
      select own.as_kind, own.as_name, permission.*, false, false
      from (select distinct as_kind, as_name, path from own) as own
      join permission on permission.path = own.path
        and permission.kind = 'public'
    ),
    everyone as materialized (
      select number, path
      from permission
      where kind = 'public'
      group by number, path
      having ${reads}
    ),
    seat as materialized (
      select as_kind, as_name, number, path, coalesce(${reads}, false) as may_read,
        bool_or(effect = 'read' and columns is null) as reads_all_columns,
        coalesce(bool_or(effect = 'read' and is_direct), false) as is_direct,
        min(name) filter (where effect = 'read' and is_own and not is_direct) as via,
        array(
          select unnest(array_agg(privilege) filter (where effect = 'write' and is_own))
          except
          select unnest(array_agg(privilege) filter (where effect = 'deny_write' and columns is null))
        ) as writes,
        bool_or(is_own and with_grant and effect in ('read', 'write')) as has_grant_option,
        bool_or(is_own and depth < table_depth and effect in ('read', 'write')) as is_wide
      from combined
      group by as_kind, as_name, number, path
      having ${isOpen}
    )`
}

/** SQL fragment, two tables of a recursive `with`: the roles as which mapped grantees can act, and what each of them holds. */
function selectActing(key: IntegrationKey): RawBuilder<unknown> {
  return sql`acting as (
      select grantee_kind as kind, grantee_name as name, grantee_kind as as_kind,
        grantee_name as as_name, true as is_self
      from grantee_identity as identity
      where ${isIn(key, 'identity')}
        and subject_kind <> 'platform'
      union
      select acting.kind, acting.name, edge.role_kind, edge.role,
        (edge.role_kind, edge.role) = (acting.kind, acting.name)
      from acting
      join grantee_member as edge on ${isIn(key, 'edge')}
        and edge.member_kind = acting.as_kind
        and edge.member = acting.as_name
        and edge.is_settable
    ),
    held as (
      select distinct as_kind, as_name, as_kind as kind, as_name as name
      from acting
      union
      select held.as_kind, held.as_name, edge.role_kind, edge.role
      from held
      join grantee_member as edge on ${isIn(key, 'edge')}
        and edge.member_kind = held.kind
        and edge.member = held.name
        and edge.is_inherited
    )`
}

/** SQL condition: a row belongs to an integration; `name` is that of its table in the statement. */
function isIn(
  { organizationId, integrationId }: IntegrationKey,
  name: string,
): RawBuilder<unknown> {
  return sql`${sql.ref(`${name}.organization_id`)} = ${organizationId}
        and ${sql.ref(`${name}.integration_id`)} = ${integrationId}`
}
