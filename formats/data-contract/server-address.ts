// The addresses by which a server of a contract and an ingested source are the same: so that pages lead from one to the
// other. A value with a variable of the author's own environment, `${HOST}`, is unknown, and equals nothing.

import { newTable } from '../name/table.ts'
import { asText, getField, isObject, type Value } from '../text/value.ts'
import type { Server } from './data-contract.ts'

/** The address of a server or source: comparable texts, the most significant first. */
interface Address {
  /** The names of connectors that read it. */
  sources: readonly string[]
  /** The texts that must be equal. */
  required: readonly string[]
  /** The texts that must be equal if both have them: the database, the warehouse. */
  optional: readonly (string | undefined)[]
}

type Read = (properties: Value) => Omit<Address, 'sources'> | undefined

const POSTGRES = ['postgres']
const MYSQL = ['mysql', 'mariadb']
const SQL_SERVER = ['mssql', 'fabric']

const SERVERS = newTable<{ sources: readonly string[]; read: Read }>({
  postgres: { sources: POSTGRES, read: readHost(5432) },
  postgresql: { sources: POSTGRES, read: readHost(5432) },
  mysql: { sources: MYSQL, read: readHost(3306) },
  mariadb: { sources: MYSQL, read: readHost(3306) },
  sqlserver: { sources: SQL_SERVER, read: readHost(1433) },
  synapse: { sources: SQL_SERVER, read: readHost(1433) },
  snowflake: { sources: ['snowflake'], read: readOne('account') },
  bigquery: { sources: ['bigquery'], read: readOne('project') },
  databricks: { sources: ['databricks'], read: readUrl('host') },
  glue: { sources: ['glue'], read: readOne('account') },
  iceberg: { sources: ['iceberg'], read: readUrl('catalogUrl', 'warehouse') },
})

const SOURCES = newTable<(configuration: Value) => Omit<Address, 'sources'>[]>({
  postgres: readHosts(5432),
  mysql: readHosts(3306),
  mariadb: readHosts(3306),
  mssql: readHosts(1433),
  fabric: readHosts(1433),
  snowflake: (configuration) => toList(readOne('account')(configuration)),
  bigquery: (configuration) => {
    const projects = getField(configuration, 'projects')
    const list = Array.isArray(projects) ? projects : []
    return list.flatMap((project) => toList(readOne('project')({ project })))
  },
  databricks: (configuration) => toList(readUrl('url')(configuration)),
  glue: (configuration) =>
    toList(readOne('account')({ account: getField(configuration, 'catalogId') ?? null })),
  iceberg: (configuration) => toList(readUrl('uri', 'warehouse')(configuration)),
})

/** Returns the names of the connectors that read servers of the type of a server. */
export function listSources({ type }: Server): readonly string[] {
  return SERVERS[type?.toLowerCase() ?? '']?.sources ?? []
}

/** Returns whether a source with a configuration reads the place of a server. */
export function isServerOfSource(
  { type, properties }: Server,
  source: { source: string; configuration: Value },
): boolean {
  const server = SERVERS[type?.toLowerCase() ?? '']
  const address = server?.sources.includes(source.source) ? server.read(properties) : undefined
  if (address === undefined) return false
  const others = SOURCES[source.source]?.(source.configuration) ?? []
  return others.some(({ required, optional }) => {
    const isSamePlace = required.join('\n') === address.required.join('\n')
    return isSamePlace && optional.every((value, at) => isCompatible(value, address.optional[at]))
  })
}

function isCompatible(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other
}

// Undefined for a missing text, and for one with a variable.
function readText(properties: Value, name: string): string | undefined {
  const value = getField(properties, name)
  const text = typeof value === 'number' ? String(value) : asText(value)?.trim()
  return text === undefined || text === '' || hasVariable(text) ? undefined : text
}

/** Returns whether a text contains a variable of the author's environment, so that its value is unknown. */
export function hasVariable(text: string): boolean {
  return text.includes('${')
}

function isUnknown(properties: Value, name: string): boolean {
  const value = getField(properties, name)
  return typeof value === 'string' && hasVariable(value)
}

function readHost(defaultPort: number): Read {
  return (properties) => {
    const host = readText(properties, 'host')
    if (host === undefined || isUnknown(properties, 'port') || isUnknown(properties, 'database')) {
      return undefined
    }
    const port = readText(properties, 'port') ?? String(defaultPort)
    return { required: [host.toLowerCase(), port], optional: [readText(properties, 'database')] }
  }
}

// A source may read several databases of a server, or those whose names match a pattern.
function readHosts(defaultPort: number): (configuration: Value) => Omit<Address, 'sources'>[] {
  return (configuration) => {
    const databases = getField(configuration, 'database')
    const list = Array.isArray(databases) && databases.length > 0 ? databases : [databases ?? null]
    const own = isObject(configuration) ? configuration : {}
    return list.flatMap((name) => {
      const database = typeof name === 'string' && !/[*?]/.test(name) ? name : null
      return toList(readHost(defaultPort)({ ...own, database }))
    })
  }
}

function readOne(name: string): Read {
  return (properties) => {
    const text = readText(properties, name)
    return text === undefined ? undefined : { required: [text.toLowerCase()], optional: [] }
  }
}

// The scheme, a final slash and the version of the API are no part of the place.
function readUrl(name: string, within?: string): Read {
  return (properties) => {
    const text = readText(properties, name)
    if (text === undefined || (within !== undefined && isUnknown(properties, within)))
      return undefined
    const address = URL.parse(text.includes('://') ? text : `https://${text}`)
    if (address === null) return undefined
    const path = address.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
    const optional = within === undefined ? [] : [readText(properties, within)]
    return { required: [address.host, path], optional }
  }
}

function toList(address: Omit<Address, 'sources'> | undefined): Omit<Address, 'sources'>[] {
  return address === undefined ? [] : [address]
}
