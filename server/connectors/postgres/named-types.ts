import { omitEmpty } from '../asset-parts.ts'
import type { Setup, SourceColumn } from '../connector.ts'
import type { PostgresConnection } from './connection.ts'
import { getErrorCode } from '../sql/driver-failure.ts'

/** Limits of the domains and enums of a database. */
export interface TypeLimits {
  /** The number that one statement returns. */
  pageRows: number
  /** Columns of further types only show the type's name. */
  typesMax: number
}

const LIMITS: TypeLimits = { pageRows: 20_000, typesMax: 200_000 }

/** An enum with more values is shown without them. */
const ENUM_VALUES_MAX = 1000

/**
 * A domain or an enum: its oid, the oid of its array type, its name; for a domain its base type
 * with oid and whether it forbids null; for an enum its labels as JSON. The first row only has the
 * server's system identifier, instead of a name.
 */
type TypeRow = [
  string | null,
  string | null,
  string,
  string | null,
  string | null,
  boolean,
  string[] | null,
]

/** Properties that a domain or an enum adds to a column. */
interface TypeFacts {
  name: string
  baseType?: string
  isRequired: boolean
  enumValues?: readonly string[]
}

/** The domains and enums of a database, and its server. */
export interface DatabaseTypes {
  /** The system identifier of the cluster; undefined = the user may not see it. */
  serverId: string | undefined
  /** By oid. */
  scalars: ReadonlyMap<string, TypeFacts>
  /** The element types of arrays, by the oid of the array type. */
  arrays: ReadonlyMap<string, TypeFacts>
}

/**
 * Describes the domains and enums of a database, in a transaction with the savepoint that `rollBack` returns to.
 * Errors: the driver's.
 */
export async function describeTypes(
  connection: PostgresConnection,
  { log }: Pick<Setup, 'log'>,
  rollBack: string,
  { pageRows, typesMax }: TypeLimits = LIMITS,
): Promise<DatabaseTypes> {
  const rows = await describeFirst(connection, rollBack, pageRows)
  const read = async (after: string) =>
    await connection.query<TypeRow>('describe types', typesStatement(false, after, pageRows))
  let page = rows
  // Each page also has the row of the server.
  for (; page.length > pageRows && rows.length <= typesMax; rows.push(...page)) {
    page = await read(page.findLast(([oid]) => oid !== null)?.[0] ?? '0')
  }
  if (page.length > pageRows) {
    const message = `${connection.database} has more than ${typesMax} domains and enums: columns of further ones only show the name of their type.`
    log('warn', message)
  }
  return readTypes(rows)
}

async function describeFirst(
  connection: PostgresConnection,
  rollBack: string,
  pageRows: number,
): Promise<TypeRow[]> {
  const read = async (isIdentified: boolean) =>
    await connection.query<TypeRow>('describe types', typesStatement(isIdentified, '0', pageRows))
  try {
    return await read(true)
  } catch (error) {
    // The privilege to call the function that returns the server's identifier was revoked.
    if (getErrorCode(error) !== '42501') throw error
    await connection.query('roll back', rollBack)
    return await read(false)
  }
}

/**
 * Returns the statement that describes domains, down to their base types, and enums, in the order of their oids.
 * `isIdentified` adds the system identifier, which every user may see unless the privilege was revoked.
 */
function typesStatement(isIdentified: boolean, after: string, limit: number): string {
  return `
with recursive domain as (
  select oid, typarray, typbasetype, typtypmod, typnotnull
  from pg_catalog.pg_type
  where typtype = 'd'
  union all
  select domain.oid, domain.typarray, below.typbasetype, below.typtypmod,
    domain.typnotnull or below.typnotnull
  from domain
  join pg_catalog.pg_type below on below.oid = domain.typbasetype and below.typtype = 'd'
)
select null::text, null::text, ${isIdentified ? 'system_identifier::text' : `''`}, null::text, null::text, false, null::json
${isIdentified ? 'from pg_catalog.pg_control_system()' : ''}
union all (
  select named.oid::text, named.typarray::text, pg_catalog.format_type(named.oid, null),
    named.base_type, named.base_oid, named.is_required, (
      select case when pg_catalog.count(*) <= ${ENUM_VALUES_MAX}
        then pg_catalog.array_to_json(pg_catalog.array_agg(e.enumlabel order by e.enumsortorder)) end
      from pg_catalog.pg_enum e
      where named.is_enum and e.enumtypid = named.oid
    )
  from (
    select domain.oid, domain.typarray, pg_catalog.format_type(base.oid, domain.typtypmod) as base_type,
      base.oid::text as base_oid, domain.typnotnull as is_required, false as is_enum
    from domain
    join pg_catalog.pg_type base on base.oid = domain.typbasetype and base.typtype <> 'd'
    union all
    select t.oid, t.typarray, null::text, null::text, false, true
    from pg_catalog.pg_type t
    where t.typtype = 'e'
  ) as named
  where named.oid > ${after}
  order by named.oid
  limit ${limit}
)`
}

/** Parses the rows of the statements. */
function readTypes(rows: readonly TypeRow[]): DatabaseTypes {
  const serverId = rows.find(([oid]) => oid === null)?.[2]
  const labels = new Map(rows.flatMap(([oid, , , , , , values]) => (values ? [[oid, values]] : [])))
  const scalars = new Map<string, TypeFacts>()
  const arrays = new Map<string, TypeFacts>()
  for (const [oid, arrayOid, name, baseType, baseOid, isRequired, values] of rows) {
    if (oid === null) continue
    const named = { baseType, enumValues: values ?? labels.get(baseOid) }
    const facts = { name, isRequired, ...omitEmpty(named) }
    scalars.set(oid, facts)
    if (arrayOid !== null) arrays.set(arrayOid, facts)
  }
  return { serverId: serverId === '' ? undefined : serverId, scalars, arrays }
}

/** Returns the properties that a column's type adds to it. */
export function typeFacts(
  { scalars, arrays }: DatabaseTypes,
  oid: string | null,
): Partial<SourceColumn> {
  if (oid === null) return {}
  const scalar = scalars.get(oid)
  if (scalar !== undefined) {
    const { isRequired: required, baseType, enumValues } = scalar
    return omitEmpty({ required, baseType, enumValues })
  }
  const item = arrays.get(oid)
  if (item === undefined) return {}
  const { name, isRequired: _, ...parts } = item
  return { items: { name: 'items', type: name, ...parts } }
}
