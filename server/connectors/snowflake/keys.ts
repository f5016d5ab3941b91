import type { ForeignKey } from '../connector.ts'
import { mapConcurrently } from '../http/parallel.ts'
import type { ResultRow } from './result-row.ts'
import { SHOW_ROWS_MAX, toInClause } from './show.ts'
import type { SnowflakeClient } from './statement-client.ts'
import { isStatementFailure } from './statement-error.ts'

/** The keys of one table. */
export interface TableKeys {
  primaryKey: readonly string[]
  /** Every unique key, also of one column. */
  uniqueKeys: readonly (readonly string[])[]
  foreignKeys: readonly ForeignKey[]
}

const KINDS = ['PRIMARY KEYS', 'UNIQUE KEYS', 'IMPORTED KEYS'] as const
type Kind = (typeof KINDS)[number]

/** The keys of one schema, by the names of tables. */
interface SchemaKeys {
  tables: ReadonlyMap<string, TableKeys>
  /** The reasons why the keys of some tables are unknown. */
  faults: ReadonlyMap<string, string>
}

/** The keys of the schemas of one database. */
interface KeyReader {
  /** Returns the keys of a schema; `listTables` is only called if it has too many. Errors: those of SnowflakeClient. */
  getKeys(schema: string, listTables: TableNames): Promise<SchemaKeys>
}

/** Returns the names of the tables of a schema. */
export type TableNames = () => Promise<readonly string[]>

/**
 * Creates a reader of keys. SHOW returns at most 10,000 key columns: if a database has more, its schemas
 * are read one by one, and then the tables of a schema.
 */
export function newKeyReader(client: SnowflakeClient, database: string): KeyReader {
  const ofDatabase = new Map<Kind, Promise<Map<string, ResultRow[]> | undefined>>()
  const readDatabase = async (kind: Kind): Promise<Map<string, ResultRow[]> | undefined> => {
    const rows = await showKeys(client, kind, [database])
    return rows && Map.groupBy(rows, (row) => row.require(toColumn(kind, 'schema_name')))
  }
  const readSchema = async (kind: Kind, schema: string): Promise<ResultRow[] | undefined> => {
    const known = ofDatabase.get(kind) ?? readDatabase(kind)
    ofDatabase.set(kind, known)
    const bySchema = await known
    if (bySchema !== undefined) return bySchema.get(schema) ?? []
    return await showKeys(client, kind, [database, schema])
  }
  return {
    async getKeys(schema, listTables) {
      const tables = new Map<string, TableKeys>()
      const faults = new Map<string, string>()
      let names: Promise<readonly string[]> | undefined
      for (const kind of KINDS) {
        const rows = await readSchema(kind, schema)
        if (rows !== undefined) {
          addKeys(tables, kind, rows)
          continue
        }
        const message = `${database}.${schema} has more than ${SHOW_ROWS_MAX} columns in ${kind.toLowerCase()}: SHOW runs for each of its tables.`
        client.setup.log('info', message)
        await mapConcurrently(await (names ??= listTables()), async (table) => {
          const keys = await showTableKeys(client, kind, [database, schema, table])
          if (typeof keys === 'string') faults.set(table, keys)
          else addKeys(tables, kind, keys)
        })
      }
      return { tables, faults }
    },
  }
}

/** Returns the rows of the keys of one table, or the reason why they are unknown. */
async function showTableKeys(
  client: SnowflakeClient,
  kind: Kind,
  path: readonly string[],
): Promise<ResultRow[] | string> {
  try {
    const rows = await showKeys(client, kind, path)
    return rows ?? `It has more than ${SHOW_ROWS_MAX} columns in ${kind.toLowerCase()}.`
  } catch (error) {
    // It was dropped, or its keys are hidden.
    if (!isStatementFailure(error)) throw error
    return error.message
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
