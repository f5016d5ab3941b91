import { SourceFailure, type ForeignKey } from '../connector.ts'
import type { ResultRow } from './result-row.ts'
import { SHOW_ROWS_MAX, toInClause } from './show.ts'
import type { SnowflakeClient } from './statement-client.ts'

/** The keys of one table. */
export interface TableKeys {
  primaryKey: readonly string[]
  /** Every unique key, also of one column. */
  uniqueKeys: readonly (readonly string[])[]
  foreignKeys: readonly ForeignKey[]
}

const KINDS = ['PRIMARY KEYS', 'UNIQUE KEYS', 'IMPORTED KEYS'] as const
type Kind = (typeof KINDS)[number]

/** The keys of the schemas of one database. */
export interface KeyReader {
  /** Returns the keys of a schema by the names of tables. Errors: those of SnowflakeClient, too_large. */
  getKeys(schema: string): Promise<ReadonlyMap<string, TableKeys>>
}

/**
 * Creates a reader of keys. SHOW returns at most 10,000 key columns: if a database has more, its schemas
 * are read one by one.
 */
export function newKeyReader(client: SnowflakeClient, database: string): KeyReader {
  const ofDatabase = new Map<Kind, Promise<Map<string, ResultRow[]> | undefined>>()
  const readDatabase = async (kind: Kind): Promise<Map<string, ResultRow[]> | undefined> => {
    const rows = await showKeys(client, kind, [database])
    return rows && Map.groupBy(rows, (row) => row.require(toColumn(kind, 'schema_name')))
  }
  const readSchema = async (kind: Kind, schema: string): Promise<ResultRow[]> => {
    const known = ofDatabase.get(kind) ?? readDatabase(kind)
    ofDatabase.set(kind, known)
    const bySchema = await known
    if (bySchema !== undefined) return bySchema.get(schema) ?? []
    const rows = await showKeys(client, kind, [database, schema])
    if (rows !== undefined) return rows
    const message = `${database}.${schema} has more than ${SHOW_ROWS_MAX} columns in ${kind.toLowerCase()}, which SHOW does not return. Disable “Include keys” to read its tables`
    throw new SourceFailure('too_large', message)
  }
  return {
    async getKeys(schema) {
      const tables = new Map<string, TableKeys>()
      for (const kind of KINDS) addKeys(tables, kind, await readSchema(kind, schema))
      return tables
    },
  }
}

/** Returns the rows of keys; undefined if there may be more. */
async function showKeys(
  client: SnowflakeClient,
  kind: Kind,
  path: readonly string[],
): Promise<ResultRow[] | undefined> {
  const what = `the ${kind.toLowerCase()} of ${path.join('.')}`
  const rows: ResultRow[] = []
  for await (const page of client.run({ sql: `SHOW ${kind} ${toInClause(path)}`, what })) {
    rows.push(...page)
  }
  return rows.length < SHOW_ROWS_MAX ? rows : undefined
}

// Imported keys name both sides; `fk` is the table that has the key.
function toColumn(kind: Kind, name: string): string {
  return kind === 'IMPORTED KEYS' ? `fk_${name}` : name
}

function addKeys(tables: Map<string, TableKeys>, kind: Kind, rows: readonly ResultRow[]): void {
  const nameColumn = kind === 'IMPORTED KEYS' ? 'fk_name' : 'constraint_name'
  const keys = Map.groupBy(rows, (row) =>
    JSON.stringify([row.require(toColumn(kind, 'table_name')), row.get(nameColumn)]),
  )
  for (const unordered of keys.values()) {
    const ordered = unordered.toSorted(bySequence)
    const [first] = ordered
    if (first === undefined) continue
    const table = first.require(toColumn(kind, 'table_name'))
    const columns = ordered.map((row) => row.require(toColumn(kind, 'column_name')))
    const keys = tables.get(table) ?? { primaryKey: [], uniqueKeys: [], foreignKeys: [] }
    tables.set(table, addKey(keys, kind, columns, ordered))
  }
}

function addKey(
  keys: TableKeys,
  kind: Kind,
  columns: readonly string[],
  rows: readonly ResultRow[],
): TableKeys {
  switch (kind) {
    case 'PRIMARY KEYS':
      return { ...keys, primaryKey: columns }
    case 'UNIQUE KEYS':
      return { ...keys, uniqueKeys: [...keys.uniqueKeys, columns] }
    case 'IMPORTED KEYS': {
      const references = ['database', 'schema', 'table'].map(
        (level) => rows[0]?.require(`pk_${level}_name`) ?? '',
      )
      const referencedColumns = rows.map((row) => row.require('pk_column_name'))
      const foreignKey = { columns, references, referencedColumns }
      return { ...keys, foreignKeys: [...keys.foreignKeys, foreignKey] }
    }
  }
}

function bySequence(one: ResultRow, other: ResultRow): number {
  return (one.getNumber('key_sequence') ?? 0) - (other.getNumber('key_sequence') ?? 0)
}
