import type { Server } from '../data-contract/data-contract.ts'
import { findPlatform } from '../data-contract/contract-fields.ts'
import { nonBlankText } from '../data-product/fields.ts'
import { getDialect } from '../schema/sql/quote.ts'
import { getServerPlatform } from '../schema/types/platform.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { getField, put } from '../text/value.ts'

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

/** Returns where the tables of the first supported server are. */
export function getServerLocation(servers: readonly Server[]): ServerLocation {
  const location: ServerLocation = {}
  for (const { type, properties } of servers) {
    const platform = getServerPlatform(type)
    const names = platform === undefined ? undefined : PROPERTIES.get(platform)
    if (names === undefined) continue
    const { database, schema } = names
    if (database !== undefined) {
      put(location, 'database', nonBlankText(getField(properties, database)))
    }
    put(location, 'schema', nonBlankText(getField(properties, schema)))
    return location
  }
  return location
}

/** Returns the platform whose SQL the first supported server understands; without one, PostgreSQL. */
export function getDialectPlatform(servers: readonly Server[]): Platform {
  const { platform = 'postgresql' } = findPlatform(servers)
  return getDialect(platform) === undefined ? 'postgresql' : platform
}
