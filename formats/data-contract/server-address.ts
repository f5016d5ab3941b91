// The addresses by which a server of a contract and an ingested source are the same: pages lead from one to the other,
// and promises are linked with assets of the same address. A value with a placeholder, `${HOST}`, is unknown, and equals
// nothing.

import { newTable } from '../name/table.ts'
import { asText, getField, isObject, type Value } from '../text/value.ts'
import { hasPlaceholder } from '../text/variables.ts'
import { getServerType } from './contract-fields.ts'
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
  cloudsql: { sources: POSTGRES, read: readHost(5432) },
  alloydb: { sources: POSTGRES, read: readHost(5432) },
  cockroachdb: { sources: POSTGRES, read: readHost(26_257) },
  yugabytedb: { sources: POSTGRES, read: readHost(5433) },
  redshift: { sources: POSTGRES, read: readHost(5439) },
  mysql: { sources: MYSQL, read: readHost(3306) },
  mariadb: { sources: MYSQL, read: readHost(3306) },
  sqlserver: { sources: SQL_SERVER, read: readHost(1433) },
  synapse: { sources: SQL_SERVER, read: readHost(1433) },
  mssql: { sources: SQL_SERVER, read: readHost(1433) },
  fabric: { sources: SQL_SERVER, read: readHost(1433) },
  snowflake: { sources: ['snowflake'], read: readAccount },
  bigquery: { sources: ['bigquery'], read: readOne('project') },
  databricks: { sources: ['databricks'], read: readUrl('host') },
  glue: { sources: ['glue'], read: readCatalog },
  iceberg: { sources: ['iceberg'], read: readUrl('catalogUrl', 'warehouse') },
})

const SOURCES = newTable<(configuration: Value) => Omit<Address, 'sources'>[]>({
  postgres: readHosts(5432),
  mysql: readHosts(3306),
  mariadb: readHosts(3306),
  mssql: readHosts(1433),
  fabric: readHosts(1433),
  snowflake: (configuration) => toList(readAccount(configuration)),
  bigquery: (configuration) => {
    const projects = getField(configuration, 'projects')
    const list = Array.isArray(projects) ? projects : []
    return list.flatMap((project) => toList(readOne('project')({ project })))
  },
  databricks: (configuration) => toList(readUrl('url')(configuration)),
  glue: (configuration) =>
    toList(readCatalog({ account: getField(configuration, 'catalogId') ?? null })),
  iceberg: (configuration) => toList(readUrl('uri', 'warehouse')(configuration)),
})

/** Returns the names of the connectors that read servers of the type of a server. */
export function listSources(server: Server): readonly string[] {
  return SERVERS[toKey(server)]?.sources ?? []
}

/** Returns whether a source with a configuration reads the place of a server. */
export function isServerOfSource(
  server: Server,
  source: { source: string; configuration: Value },
): boolean {
  const known = SERVERS[toKey(server)]
  const address = known?.sources.includes(source.source) ? known.read(server.properties) : undefined
  if (address === undefined) return false
  const others = SOURCES[source.source]?.(source.configuration) ?? []
  return others.some(({ required, optional }) => {
    const isSamePlace = required.join('\n') === address.required.join('\n')
    return isSamePlace && optional.every((value, at) => isCompatible(value, address.optional[at]))
  })
}

function toKey(server: Server): string {
  return getServerType(server)?.toLowerCase() ?? ''
}

function isCompatible(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other
}

// Undefined for a missing text, and for one with a placeholder.
function readText(properties: Value, name: string): string | undefined {
  const value = getField(properties, name)
  const text = typeof value === 'number' ? String(value) : asText(value)?.trim()
  return text === undefined || text === '' || hasPlaceholder(text) ? undefined : text
}

function isUnknown(properties: Value, name: string): boolean {
  const value = getField(properties, name)
  return typeof value === 'string' && hasPlaceholder(value)
}

function readHost(defaultPort: number): Read {
  return (properties) => {
    const host = readText(properties, 'host')
    if (host === undefined || isUnknown(properties, 'port') || isUnknown(properties, 'database')) {
      return undefined
    }
    const port = readText(properties, 'port') ?? String(defaultPort)
    return { required: [toHost(host), port], optional: [readText(properties, 'database')] }
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

// A name may end with the dot of the root.
function toHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

// Host names of accounts have a hyphen where SQL has a dot: `org.account` is `org-account`.
function readAccount(properties: Value): ReturnType<Read> {
  const account = readText(properties, 'account')
  const host = account?.toLowerCase().replaceAll('.', '-')
  return host === undefined ? undefined : { required: [host], optional: [] }
}

// People write the twelve digits of an account of AWS in groups.
function readCatalog(properties: Value): ReturnType<Read> {
  const account = readText(properties, 'account')?.toLowerCase()
  const digits = account?.replaceAll(/[\s-]/g, '')
  const known = digits !== undefined && /^\d{12}$/.test(digits) ? digits : account
  return known === undefined ? undefined : { required: [known], optional: [] }
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

/**
 * Returns the address of a server as a text that equal addresses share: `db.example:5432`, an account, a host with a path;
 * several brokers in alphabetical order, with commas. A catalog of Glue has `account=` or `region=` in front. Undefined if
 * the server gives none, and for platforms whose paths contain it.
 */
export function readServerAddress(one: Server): string | undefined {
  const { properties } = one
  const name = toKey(one)
  if (name === 'bigquery') return undefined
  if (name === 'kafka') return readBrokers(properties)
  if (name === 'athena') {
    const region = readText(properties, 'regionName') ?? readText(properties, 'region')
    return region === undefined ? undefined : `region=${region.toLowerCase()}`
  }
  // Only the host counts, also if the database is a variable.
  const place = { ...properties, database: null, warehouse: null }
  const server = SERVERS[name]
  if (server !== undefined) return toText(name, server.read(place))
  const host = readText(properties, 'host')
  if (host === undefined) return undefined
  const port = readText(properties, 'port')
  return port === undefined ? toHost(host) : `${toHost(host)}:${port}`
}

/** Lists the addresses of a source, as `readServerAddress` returns those of servers; none if its configuration has none. */
export function listSourceAddresses(source: string, configuration: Value): string[] {
  if (source === 'bigquery') return []
  const addresses = SOURCES[source]?.(configuration) ?? []
  const texts = addresses.flatMap((address) => toText(source, address) ?? [])
  const region = source === 'glue' ? readText(configuration, 'region') : undefined
  return [...new Set(region === undefined ? texts : [...texts, `region=${region.toLowerCase()}`])]
}

/**
 * Compares the address of a promise with those of a source: `unknown` if one of them is, `different` if both are given
 * and have none in common.
 */
export function compareAddresses(
  promised: string | undefined,
  addresses: readonly string[],
): 'same' | 'different' | 'unknown' {
  if (promised === undefined) return 'unknown'
  const comparable = addresses.filter((address) => getKind(address) === getKind(promised))
  if (comparable.length === 0) return 'unknown'
  const wanted = new Set(promised.split(','))
  const isSame = comparable.some((address) => address.split(',').some((one) => wanted.has(one)))
  return isSame ? 'same' : 'different'
}

function getKind(address: string): string | undefined {
  return /^(?:account|region)(?==)/.exec(address)?.[0]
}

function toText(name: string, address: Omit<Address, 'sources'> | undefined): string | undefined {
  if (address === undefined) return undefined
  const [first = '', second = ''] = address.required
  if (name === 'glue') return `account=${first}`
  return second === '' || second.startsWith('/') ? `${first}${second}` : `${first}:${second}`
}

function readBrokers(properties: Value): string | undefined {
  const list = readText(properties, 'host') ?? readText(properties, 'bootstrapServers')
  const brokers = list?.split(',').flatMap((broker) => toHost(broker.trim()) || [])
  return brokers === undefined || brokers.length === 0 ? undefined : brokers.toSorted().join(',')
}
