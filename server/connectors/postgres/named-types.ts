import type { SourceColumn } from '../connector.ts'

/**
 * The maximum number of described domains and enums of a database; columns of further ones only
 * show the type's name.
 */
const TYPES_MAX = 20_000

/** The maximum number of enum values of a column. */
const ENUM_VALUES_MAX = 1000

/**
 * A domain or an enum: its oid, the oid of its array type, its name; for a domain its base type
 * with oid and whether it forbids null; for an enum its labels as JSON. The first row only has the
 * server's system identifier, instead of a name.
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

/** Properties that a domain or an enum adds to a column. */
export interface TypeFacts {
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
 * Returns the statement that describes domains, down to their base types, and enums. `isIdentified`
 * adds the system identifier, which every user may see unless the privilege was revoked.
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

/** Parses the rows of the statement. */
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

/** Returns the properties that a column's type adds to it. */
export function typeFacts(
  { scalars, arrays }: DatabaseTypes,
  oid: string | null,
): Partial<SourceColumn> {
  if (oid === null) return {}
  const scalar = scalars.get(oid)
  if (scalar !== undefined)
    return { ...(scalar.isRequired ? { required: true } : {}), ...toColumnParts(scalar) }
  const item = arrays.get(oid)
  return item === undefined
    ? {}
    : { items: { name: 'items', type: item.name, ...toColumnParts(item) } }
}

function toColumnParts({ baseType, enumValues }: TypeFacts): Partial<SourceColumn> {
  return {
    ...(baseType === undefined ? {} : { baseType }),
    ...(enumValues === undefined ? {} : { enumValues }),
  }
}
