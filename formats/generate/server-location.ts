import { getServerType } from '../data-contract/contract-fields.ts'
import type { Server } from '../data-contract/data-contract.ts'
import { nonBlankText } from '../data-product/fields.ts'
import { getDialect } from '../schema/sql/quote.ts'
import { getServerPlatform } from '../schema/types/platform.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { getField, put } from '../text/value.ts'
import { hasPlaceholder } from '../text/variables.ts'

/** The location of the tables of a server; a part is absent if the server does not have it. */
export interface ServerLocation {
  /** The database, project or catalog. */
  database?: string
  /** The schema or dataset. */
  schema?: string
}

// The properties of a server in ODCS. A query within PostgreSQL cannot name its database.
const PROPERTIES: ReadonlyMap<Platform, { database?: string; schema: string }> = new Map<
  Platform,
  { database?: string; schema: string }
>([
  ['postgresql', { schema: 'schema' }],
  ['mysql', { schema: 'database' }],
  ['sqlserver', { database: 'database', schema: 'schema' }],
  ['snowflake', { database: 'database', schema: 'schema' }],
  ['bigquery', { database: 'project', schema: 'dataset' }],
  ['databricks', { database: 'catalog', schema: 'schema' }],
  ['hive', { schema: 'database' }],
])

// The value of a placeholder is unknown.
function readKnown(properties: Server['properties'], name: string): string | undefined {
  const text = nonBlankText(getField(properties, name))
  return text === undefined || hasPlaceholder(text) ? undefined : text
}

/** The server for which files are generated. */
interface GenerationTarget {
  platform: Platform
  location: ServerLocation
}

/** Finds the first server whose SQL can be written; without one, PostgreSQL without a location. */
export function findTarget(servers: readonly Server[]): GenerationTarget {
  for (const server of servers) {
    const { properties } = server
    const platform = getServerPlatform(getServerType(server))
    if (platform === undefined || getDialect(platform) === undefined) continue
    const location: ServerLocation = {}
    const names = PROPERTIES.get(platform)
    if (names?.database !== undefined) {
      put(location, 'database', readKnown(properties, names.database))
    }
    if (names !== undefined) {
      put(location, 'schema', readKnown(properties, names.schema))
    }
    return { platform, location }
  }
  return { platform: 'postgresql', location: {} }
}
