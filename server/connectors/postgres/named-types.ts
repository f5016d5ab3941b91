import type { SourceColumn } from '../connector.ts'

/** Domains and enums of a database that are described at most; columns of further ones show their name only. */
const TYPES_MAX = 20_000

/** Values of an enum that a column lists at most. */
const ENUM_VALUES_MAX = 1000

/**
 * A domain or an enum: its oid, the oid of its array type, its name, of a domain the type that it is
 * based on with its oid and whether it forbids null, of an enum its labels as JSON. The first row has
 * only the server's system identifier, in the place of the name.
 */
export type TypeRow = [
  string | null,
  string | null,
  string,
  string | null,
  string | null,
  boolean,
  string[] | null,
]

/** What a column of a domain or an enum is, besides the name of that type. */
export interface TypeFacts {
  name: string
  baseType?: string
  isRequired: boolean
  enumValues?: readonly string[]
}

/** The domains and enums of a database, and the server that it is on. */
export interface DatabaseTypes {
  /** The system identifier of the cluster; undefined = the user may not see it. */
  serverId: string | undefined
  /** By oid. */
  scalars: ReadonlyMap<string, TypeFacts>
  /** What arrays hold, by the oid of the array. */
  arrays: ReadonlyMap<string, TypeFacts>
}

/**
 * The statement that describes domains, through to the type below all of them, and enums.
 * `isIdentified`: with the system identifier, which every user may see unless somebody revoked it.
 */
export function typesStatement(isIdentified: boolean): string {
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
  select domain.oid::text, domain.typarray::text, pg_catalog.format_type(domain.oid, null),
    pg_catalog.format_type(base.oid, domain.typtypmod), base.oid::text, domain.typnotnull, null::json
  from domain
  join pg_catalog.pg_type base on base.oid = domain.typbasetype and base.typtype <> 'd'
  union all
  select t.oid::text, t.typarray::text, pg_catalog.format_type(t.oid, null), null::text, null::text,
    false, (
      select pg_catalog.array_to_json(
        (pg_catalog.array_agg(e.enumlabel order by e.enumsortorder))[1:${ENUM_VALUES_MAX}]
      )
      from pg_catalog.pg_enum e
      where e.enumtypid = t.oid
    )
  from pg_catalog.pg_type t
  where t.typtype = 'e'
  limit ${TYPES_MAX}
)`
}

/** Reads the rows of the statement. */
export function readTypes(rows: readonly TypeRow[]): DatabaseTypes {
  const serverId = rows.find(([oid]) => oid === null)?.[2]
  const labels = new Map(rows.flatMap(([oid, , , , , , values]) => (values ? [[oid, values]] : [])))
  const scalars = new Map<string, TypeFacts>()
  const arrays = new Map<string, TypeFacts>()
  for (const [oid, arrayOid, name, baseType, baseOid, isRequired, values] of rows) {
    if (oid === null) continue
    const enumValues = values ?? labels.get(baseOid)
    const facts = {
      name,
      isRequired,
      ...(baseType === null ? {} : { baseType }),
      ...(enumValues === undefined ? {} : { enumValues }),
    }
    scalars.set(oid, facts)
    if (arrayOid !== null) arrays.set(arrayOid, facts)
  }
  return { serverId: serverId === '' ? undefined : serverId, scalars, arrays }
}

/** What the type of a column adds to the column. */
export function typeFacts(
  { scalars, arrays }: DatabaseTypes,
  oid: string | null,
): Partial<SourceColumn> {
  if (oid === null) return {}
  const scalar = scalars.get(oid)
  if (scalar !== undefined)
    return { ...(scalar.isRequired ? { required: true } : {}), ...partsOf(scalar) }
  const item = arrays.get(oid)
  return item === undefined ? {} : { items: { name: 'items', type: item.name, ...partsOf(item) } }
}

function partsOf({ baseType, enumValues }: TypeFacts): Partial<SourceColumn> {
  return {
    ...(baseType === undefined ? {} : { baseType }),
    ...(enumValues === undefined ? {} : { enumValues }),
  }
}
