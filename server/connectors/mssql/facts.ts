import {
  DESCRIPTION,
  EXACT,
  quoteName,
  quoteText,
  type CatalogFeatures,
  type DatabaseContext,
  type MssqlStatement,
} from './statements.ts'
import type { TdsCell, TdsRow } from './rows.ts'

/**
 * One statement returns all facts about a database's tables: one select for each part of the catalog, sorted
 * so that the rows of a table are adjacent. Nothing needs to be buffered, and the number of statements does
 * not depend on the number of tables. Parts that a product does not have are omitted.
 */

/** The kinds of rows, in the order in which the rows of a table arrive. */
export const FACT_KINDS = {
  table: 0,
  column: 1,
  description: 2,
  default: 3,
  computed: 4,
  identity: 5,
  key: 6,
  foreignKey: 7,
  view: 8,
  dependency: 9,
  partition: 10,
  rows: 11,
  size: 12,
  label: 13,
} as const

/** A row of the statement. */
export interface TableFact {
  objectId: number
  kind: number
  /** The id of the column, or the position within a key. */
  position: number
  /** The columns of this kind of row; they depend on its part of the statement. */
  facts: readonly TdsCell[]
  /** A long text. */
  body: string | undefined
}

/** The selection of tables. */
export interface FactsRequest extends DatabaseContext {
  schemaIds: readonly number[]
  includeViews: boolean
  /** Whether only some tables may be visible, so that each is checked. */
  isPartial: boolean
  /** Whether to omit everything optional, for a product that rejects the complete statement. */
  isMinimal: boolean
}

const FACTS_COUNT = 7
const INDEX_COLUMNS_MAX = 1000
// Slightly more than a document keeps, so that truncation is visible.
const DEFINITION_CHARACTERS_MAX = 70_000
// More than the 7,500 bytes of an extended property.
const DESCRIPTION_CHARACTERS_MAX = 4000

/** One select of the statement. Its `from` begins with the objects `o`. */
interface FactPart {
  kind: number
  /** The optional views that it needs. */
  needs: readonly string[]
  from: string
  position: string
  facts?: readonly string[]
  body?: string
}

/** Parses the rows of the statement. */
export async function* readFactRows(
  pages: AsyncIterable<readonly TdsRow[]>,
): AsyncGenerator<TableFact[]> {
  for await (const rows of pages) yield rows.map(readFactRow)
}

function readFactRow([objectId, kind, position, ...cells]: TdsRow): TableFact {
  const body = cells[FACTS_COUNT]
  return {
    objectId: Number(objectId),
    kind: Number(kind),
    position: Number(position),
    facts: cells.slice(0, FACTS_COUNT),
    body: typeof body === 'string' && body !== '' ? body : undefined,
  }
}

/**
 * Returns the statement for the times in UTC at which rows of tables were last changed, by the ids of the tables. The server
 * counts them since it started, in its own time zone. Needs VIEW DATABASE PERFORMANCE STATE, before SQL Server 2022 VIEW SERVER
 * STATE; Fabric does not have the view.
 */
export function updatesStatement(database: string): MssqlStatement {
  return {
    name: `changes of ${database}`,
    text: `
select u.object_id,
  convert(nvarchar(30), dateadd(minute, datediff(minute, getdate(), getutcdate()), max(u.last_user_update)), 126) + 'Z'
from ${quoteName(database)}.sys.dm_db_index_usage_stats u
where u.database_id = db_id(${quoteText(database)})
and u.last_user_update is not null
group by u.object_id`,
  }
}

/** Returns the statement for all facts about the tables of schemas; `readFactRows` parses its rows. */
export function factsStatement(request: FactsRequest): MssqlStatement {
  const { database, features, isMinimal } = request
  const sys = `${quoteName(database)}.sys`
  const parts = [
    createTablePart(request, sys),
    createColumnPart(features, sys),
    ...createTextParts(sys),
    ...createKeyParts(sys),
    ...createViewParts(sys).filter(() => request.includeViews),
    ...createStorageParts(sys),
  ].filter(({ needs }) => needs.every((view) => !isMinimal && features.has(view)))
  return {
    name: `tables of ${database}`,
    text: `
with o as (
${selectObjects(request, sys)}
)${parts.map(toSelect).join('\nunion all')}
order by 1, 2, 3`,
  }
}

function selectObjects({ features, schemaIds, includeViews }: FactsRequest, sys: string): string {
  // The rows of a table's past belong to that table.
  const history = ['temporal_type', 'ledger_type']
    .filter((column) => features.has(`tables.${column}`))
    .map(
      (column) =>
        `\nand not exists (select 1 from ${sys}.tables h where h.object_id = b.object_id and h.${column} = 1)`,
    )
    .join('')
  return `select b.object_id, b.schema_id, b.name, b.type, b.principal_id
from ${sys}.objects b
where b.type in (${includeViews ? `'U', 'V'` : `'U'`})
and b.is_ms_shipped = 0
and b.schema_id in (${schemaIds.join(', ')})${history}`
}

function createTablePart(request: FactsRequest, sys: string): FactPart {
  const { features, database, isPartial, hasPrivilegeCheck } = request
  const hasOwner = features.has('database_principals')
  const hasExternal = features.has('tables.is_external')
  const joins = [
    `o join ${sys}.schemas s on s.schema_id = o.schema_id`,
    ...(hasExternal ? [`left join ${sys}.tables t on t.object_id = o.object_id`] : []),
    // An object without an owner belongs to that of its schema.
    ...(hasOwner
      ? [
          `left join ${sys}.database_principals p on p.principal_id = coalesce(o.principal_id, s.principal_id)`,
        ]
      : []),
  ]
  const name = `${quoteText(`${quoteName(database)}.`)} + quotename(s.name) + '.' + quotename(o.name)`
  const mayRead = (permission: string): string =>
    `has_perms_by_name(${name}, 'OBJECT', '${permission}') = 1`
  const isWhole =
    isPartial && hasPrivilegeCheck
      ? `case when ${mayRead('VIEW DEFINITION')} or ${mayRead('SELECT')} then 1 else 0 end`
      : 'null'
  return {
    kind: FACT_KINDS.table,
    needs: [],
    from: joins.join('\n'),
    position: '0',
    facts: [
      's.name',
      'o.name',
      'o.type',
      hasExternal ? 't.is_external' : 'null',
      hasOwner ? 'p.name' : 'null',
      isWhole,
    ],
  }
}

function createColumnPart(features: CatalogFeatures, sys: string): FactPart {
  const isGenerated = features.has('columns.generated_always_type')
  return {
    kind: FACT_KINDS.column,
    needs: [],
    // An alias type has the number of its base type; a type of the runtime has no base type.
    from: `o join ${sys}.columns c on c.object_id = o.object_id
left join ${sys}.types a on a.user_type_id = c.user_type_id
left join ${sys}.types b on b.user_type_id = c.system_type_id`,
    position: 'c.column_id',
    facts: [
      'c.name',
      'coalesce(b.name, a.name)',
      'c.max_length',
      'c.precision',
      'c.scale',
      'c.is_nullable',
      isGenerated ? 'c.generated_always_type' : 'null',
    ],
  }
}

function createTextParts(sys: string): FactPart[] {
  return [
    {
      kind: FACT_KINDS.description,
      needs: ['extended_properties'],
      from: `o join ${sys}.extended_properties e on e.major_id = o.object_id and e.class = 1 and e.name = ${DESCRIPTION}`,
      position: 'e.minor_id',
      body: `cast(e.value as nvarchar(${DESCRIPTION_CHARACTERS_MAX}))`,
    },
    {
      kind: FACT_KINDS.default,
      needs: ['default_constraints'],
      from: `o join ${sys}.default_constraints d on d.parent_object_id = o.object_id`,
      position: 'd.parent_column_id',
      body: `left(d.definition, ${DEFINITION_CHARACTERS_MAX})`,
    },
    {
      kind: FACT_KINDS.computed,
      needs: ['computed_columns'],
      from: `o join ${sys}.computed_columns c on c.object_id = o.object_id`,
      position: 'c.column_id',
      facts: ['c.is_persisted'],
      body: `left(c.definition, ${DEFINITION_CHARACTERS_MAX})`,
    },
    {
      kind: FACT_KINDS.identity,
      needs: ['identity_columns'],
      from: `o join ${sys}.identity_columns i on i.object_id = o.object_id`,
      position: 'i.column_id',
      facts: ['cast(i.seed_value as nvarchar(60))', 'cast(i.increment_value as nvarchar(60))'],
    },
    {
      kind: FACT_KINDS.label,
      needs: ['sensitivity_classifications'],
      from: `o join ${sys}.sensitivity_classifications l on l.major_id = o.object_id and l.class = 1`,
      position: 'l.minor_id',
      facts: ['cast(l.label as nvarchar(200))', 'cast(l.information_type as nvarchar(200))'],
    },
  ]
}

function createKeyParts(sys: string): FactPart[] {
  return [
    {
      kind: FACT_KINDS.key,
      needs: ['indexes', 'index_columns'],
      // A filtered index is not unique over the whole table.
      from: `o join ${sys}.indexes i on i.object_id = o.object_id
and (i.is_primary_key = 1 or i.is_unique = 1)
and i.is_disabled = 0 and i.is_hypothetical = 0 and i.has_filter = 0
join ${sys}.index_columns k on k.object_id = i.object_id and k.index_id = i.index_id and k.key_ordinal > 0`,
      position: `i.index_id * ${INDEX_COLUMNS_MAX} + k.key_ordinal`,
      facts: ['i.index_id', 'i.is_primary_key', 'k.column_id'],
    },
    {
      kind: FACT_KINDS.foreignKey,
      needs: ['foreign_keys', 'foreign_key_columns'],
      from: `o join ${sys}.foreign_keys f on f.parent_object_id = o.object_id
join ${sys}.foreign_key_columns x on x.constraint_object_id = f.object_id
join ${sys}.objects r on r.object_id = x.referenced_object_id
join ${sys}.schemas s on s.schema_id = r.schema_id
join ${sys}.columns c on c.object_id = x.referenced_object_id and c.column_id = x.referenced_column_id`,
      position: 'x.constraint_column_id',
      facts: ['f.name', 'x.parent_column_id', 's.name', 'r.name', 'c.name'],
    },
  ]
}

function createViewParts(sys: string): FactPart[] {
  return [
    {
      kind: FACT_KINDS.view,
      needs: ['sql_modules'],
      from: `o join ${sys}.sql_modules m on m.object_id = o.object_id and o.type = 'V'`,
      position: '0',
      body: `left(m.definition, ${DEFINITION_CHARACTERS_MAX})`,
    },
    {
      kind: FACT_KINDS.dependency,
      needs: ['sql_expression_dependencies'],
      from: `o join (
select distinct d.referencing_id, d.referenced_id
from ${sys}.sql_expression_dependencies d
where d.referencing_class = 1 and d.referenced_class = 1
) d on d.referencing_id = o.object_id and o.type = 'V'
join ${sys}.objects r on r.object_id = d.referenced_id and r.type in ('U', 'V')
join ${sys}.schemas s on s.schema_id = r.schema_id`,
      position: '0',
      facts: ['s.name', 'r.name'],
    },
  ]
}

function createStorageParts(sys: string): FactPart[] {
  return [
    {
      kind: FACT_KINDS.partition,
      needs: ['index_columns'],
      from: `o join ${sys}.index_columns k on k.object_id = o.object_id and k.index_id in (0, 1) and k.partition_ordinal > 0`,
      position: 'k.partition_ordinal',
      facts: ['k.column_id'],
    },
    {
      kind: FACT_KINDS.rows,
      needs: ['partitions'],
      from: `o join (
select p.object_id, sum(p.rows) as row_count
from ${sys}.partitions p where p.index_id in (0, 1) group by p.object_id
) p on p.object_id = o.object_id and o.type = 'U'`,
      position: '0',
      facts: ['p.row_count'],
    },
    {
      kind: FACT_KINDS.size,
      needs: ['partitions', 'allocation_units'],
      from: `o join (
select p.object_id, sum(u.total_pages) * 8192 as bytes
from ${sys}.partitions p
join ${sys}.allocation_units u on u.container_id = case u.type when 2 then p.partition_id else p.hobt_id end
group by p.object_id
) p on p.object_id = o.object_id and o.type = 'U'`,
      position: '0',
      facts: ['p.bytes'],
    },
  ]
}

function toSelect({ kind, from, position, facts = [], body = 'null' }: FactPart): string {
  const texts = Array.from(
    { length: FACTS_COUNT },
    (_, at) => `cast(${facts[at] ?? 'null'} as nvarchar(300)) ${EXACT}`,
  )
  const long = `cast(${body} as nvarchar(max)) ${EXACT}`
  return `
select ${['o.object_id', kind, `cast(${position} as int)`, ...texts, long].join(',\n  ')}
from ${from}`
}
