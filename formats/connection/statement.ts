import type { ServerLocation } from '../generate/server-location.ts'
import { listNameParts, writeSelect } from '../generate/sql-select.ts'
import type { Model } from '../schema/model.ts'
import { splitTableName } from '../schema/table-name.ts'
import { getServerPlatform } from '../schema/types/platform.ts'
import { put } from '../text/value.ts'
import type { LimitStyle, NameQuotes, QueryDialect } from './target.ts'

const ROWS = 10

const QUOTES: Readonly<Record<NameQuotes, (name: string) => string>> = {
  double: (name) => `"${name.replaceAll('"', '""')}"`,
  tick: (name) => `\`${name.replaceAll('`', '``')}\``,
  bracket: (name) => `[${name.replaceAll(']', ']]')}]`,
  escapedTick: (name) => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
}

const LIMITS: Readonly<Record<LimitStyle, { before?: string; after?: string }>> = {
  limit: { after: `\nLIMIT ${ROWS}` },
  top: { before: ` TOP ${ROWS}` },
  first: { before: ` FIRST ${ROWS}` },
  fetch: { after: `\nFETCH FIRST ${ROWS} ROWS ONLY` },
}

/** The name of a table, the outermost part first. */
export type TablePath = readonly string[]

/** Returns the name of the table of a model on a server. `properties` are texts of the server by name. */
export function findTablePath(
  model: Model,
  { type, dialect, get }: { type: string; dialect: QueryDialect; get: (name: string) => string },
  isOwnLanguage: boolean,
): TablePath {
  const { database, schema } = dialect.location
  const location: ServerLocation = {}
  put(location, 'database', toKnown(database, get))
  put(location, 'schema', toKnown(schema, get))
  const { name, physicalName = name, kind } = model
  const isTable = kind === 'table' || kind === 'view'
  // Trino and its relatives have the types of Hive, but names of three parts.
  const own = getServerPlatform(type)
  const isDeeper = own === undefined || (own === 'hive' && database !== undefined)
  const platform = isDeeper ? 'postgresql' : own
  const parts = isTable && isOwnLanguage ? splitTableName(physicalName, platform) : undefined
  if (parts === undefined) return listNameParts(model, location, false)
  const { table, schema: namespace, database: ownDatabase } = parts
  const split: Model = { ...model, physicalName: table }
  put(split, 'namespace', namespace ?? model.namespace)
  put(split, 'database', ownDatabase)
  return listNameParts(split, location, namespace !== undefined)
}

function toKnown(name: string | undefined, get: (name: string) => string): string | undefined {
  const text = name === undefined ? '' : get(name)
  return text === '' ? undefined : text
}

/** Writes a query of a few rows of a table, without a line feed at its end. */
export function writeStatement(
  path: TablePath,
  columns: readonly string[],
  { quotes, limit }: Pick<QueryDialect, 'quotes' | 'limit'>,
): string {
  const select = { columns, path, quote: QUOTES[quotes], limit: LIMITS[limit] }
  return writeSelect(select).trimEnd()
}
