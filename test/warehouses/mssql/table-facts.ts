/** The rows of the statement for the facts about tables, by the catalog view of each of its selects. */

import type { ColumnModel, DatabaseModel, ObjectModel } from './catalog.ts'
import type { TdsValue } from './tds.ts'

/** The position, the facts and the long text of a row. */
type Fact = readonly [position: number, facts: readonly TdsValue[], body?: string | null]

/** One select of the statement. */
interface Select {
  kind: number
  view: string
  text: string
}

const FACTS_COUNT = 7

/** Yields the rows of a statement, sorted by object, kind and position. */
export function* listFacts(database: DatabaseModel, text: string): Generator<TdsValue[]> {
  const [objects = '', ...parts] = text.split(/\)\s*(?=select o\.object_id)|union all/)
  const selects = parts.map(parseSelect)
  const schemas = parseSchemas(database, objects)
  const views: TdsValue[] = [...objects.matchAll(/'([UV])'/g)].map(([, type = '']) => type)
  for (const object of database.objects) {
    const { type = 'U', schema, isShipped = false, temporalType, ledgerType } = object
    if (!views.includes(type) || !schemas.has(schema)) continue
    if (isShipped && objects.includes('is_ms_shipped = 0')) continue
    if (temporalType === 1 && objects.includes('h.temporal_type = 1')) continue
    if (ledgerType === 1 && objects.includes('h.ledger_type = 1')) continue
    if (database.schemas[schema]?.isHidden === true && object.isGranted === undefined) continue
    for (const select of selects) {
      const facts = FACTS[select.view]?.(object, select.text, database.schemas[schema]?.owner) ?? []
      for (const [position, cells, body = null] of facts) {
        const texts = Array.from({ length: FACTS_COUNT }, (_, at) => toText(cells[at] ?? null))
        yield [object.id, select.kind, position, ...texts, body]
      }
    }
  }
}

function toText(value: TdsValue): string | null {
  return value === null ? null : String(value)
}

function parseSelect(text: string): Select {
  const kind = /o\.object_id,\s+(\d+),/.exec(text)?.[1]
  // The totals of storage have two views, of which the second decides.
  const view = text.includes('.sys.allocation_units')
    ? 'allocation_units'
    : /\.sys\.(\w+)/.exec(text.slice(text.indexOf('from o')))?.[1]
  if (kind === undefined || view === undefined) throw new Error(`cannot parse ${text}`)
  return { kind: Number(kind), view, text }
}

function parseSchemas(database: DatabaseModel, text: string): Set<string> {
  const ids = /schema_id in \(([\d, ]+)\)/.exec(text)?.[1]?.split(', ').map(Number) ?? []
  const named = Object.entries(database.schemas).filter(([, { id }]) => ids.includes(id))
  return new Set(named.map(([name]) => name))
}

const FACTS: Record<string, (object: ObjectModel, text: string, schemaOwner?: string) => Fact[]> = {
  schemas: ({ schema, name, type = 'U', isExternal, isGranted, ...more }, text, schemaOwner) => {
    const { owner = schemaOwner ?? 'dbo' } = more
    const ownerName = text.includes('database_principals') ? owner : null
    const external = text.includes('is_external') ? Number(isExternal ?? false) : null
    const isWhole = text.includes('has_perms_by_name') ? Number(isGranted ?? true) : null
    return [[0, [schema, name, `${type} `, external, ownerName, isWhole]]]
  },
  columns: ({ columns }, text) =>
    columns.map((column, at) => [at + 1, toColumnFacts(column, text)]),
  extended_properties: ({ description, columns }) => [
    ...(description === undefined ? [] : [[0, [], description] as const]),
    ...pickColumns(columns, ({ description: text }) => text && [[], text]),
  ],
  default_constraints: ({ columns }) =>
    pickColumns(columns, ({ default: text }) => text && [[], text]),
  computed_columns: ({ columns }) =>
    pickColumns(
      columns,
      ({ computed, isPersisted = false }) => computed && [[Number(isPersisted)], computed],
    ),
  identity_columns: ({ columns }) =>
    pickColumns(columns, ({ identity }) => identity && [identity, null]),
  indexes: ({ keys = [], columns }, text) =>
    keys.flatMap(({ isPrimary = false, columns: names, isFiltered, isDisabled }, at) => {
      if (isFiltered === true && text.includes('has_filter = 0')) return []
      if (isDisabled === true && text.includes('is_disabled = 0')) return []
      return names.map((name, ordinal): Fact => [
        (at + 1) * 1000 + ordinal + 1,
        [at + 1, Number(isPrimary), findId(columns, name)],
      ])
    }),
  foreign_keys: ({ foreignKeys = [], columns }) =>
    foreignKeys
      .flatMap(({ name, columns: own, references: [schema, table, ...referenced] }) =>
        own.map((column, at): Fact => [
          at + 1,
          [name, findId(columns, column), schema, table, referenced[at] ?? null],
        ]),
      )
      .toSorted(([one], [other]) => one - other),
  sql_modules: ({ definition, type }) => (type === 'V' ? [[0, [], definition ?? null]] : []),
  sql_expression_dependencies: ({ dependencies = [] }) => dependencies.map((path) => [0, path]),
  index_columns: ({ partitionColumn, columns }) =>
    partitionColumn === undefined ? [] : [[1, [findId(columns, partitionColumn)]]],
  partitions: ({ rows }) => (rows === undefined ? [] : [[0, [rows]]]),
  allocation_units: ({ bytes }) => (bytes === undefined ? [] : [[0, [bytes]]]),
  sensitivity_classifications: ({ labels, columns }) => [
    ...(labels === undefined ? [] : [[0, labels] as const]),
    ...pickColumns(columns, ({ labels: own }) => own && [own, null]),
  ],
}

function toColumnFacts(column: ColumnModel, text: string): TdsValue[] {
  const { name, type, maxLength = 0, precision = 0, scale = 0, isNullable = true } = column
  const generation = text.includes('generated_always_type') ? (column.generatedAlways ?? 0) : null
  return [name, type, maxLength, precision, scale, Number(isNullable), generation]
}

function pickColumns(
  columns: readonly ColumnModel[],
  pick: (column: ColumnModel) => readonly [readonly TdsValue[], string | null] | '' | undefined,
): Fact[] {
  return columns.flatMap((column, at) => {
    const fact = pick(column)
    return fact ? [[at + 1, ...fact] as const] : []
  })
}

function findId(columns: readonly ColumnModel[], name: string): number {
  return columns.findIndex((column) => column.name === name) + 1
}
