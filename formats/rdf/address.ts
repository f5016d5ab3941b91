// The addresses at which data are available: URIs of servers, as catalogs and lineage tools write them
// (`postgresql://host:5432/database`, `s3://bucket/folder`).

import type { Server } from '../data-contract/data-contract.ts'
import type { InputPort, OutputPort } from '../data-product/data-product.ts'
import { nonBlankText } from '../data-product/fields.ts'
import { getField, type Value } from '../text/value.ts'
import { hasPlaceholder } from '../text/variables.ts'
import { encode, escapeIri } from './iris.ts'

/** The maximum number of addresses of a contract. */
const ADDRESSES_MAX = 10
const CHARACTERS_MAX = 2000

/** The properties of a server that have a complete address; the first one that is present decides. */
const LOCATIONS = ['location', 'catalogUrl', 'endpointUrl', 'url'] as const

/** The names of the parts of an address in a type of server. */
interface Parts {
  /** Absent = the type. */
  scheme?: string
  /** The property with the host, or with what identifies the account. Absent = `host`. */
  host?: string
  /** The properties of the path. Absent = `database`. */
  path?: readonly string[]
}

// Types whose parts have other names than host, port and database.
const PARTS: ReadonlyMap<string, Parts> = new Map<string, Parts>([
  ['bigquery', { host: 'project', path: ['dataset'] }],
  ['btrieve', { scheme: 'zen' }],
  ['databricks', { path: ['catalog', 'schema'] }],
  ['dremio', { path: ['schema'] }],
  ['exasol', { path: ['schema'] }],
  ['fastobjects', { scheme: 'poet' }],
  ['kafka', { path: ['topic'] }],
  ['oracle', { path: ['serviceName'] }],
  ['postgres', { scheme: 'postgresql' }],
  ['presto', { path: ['catalog', 'schema'] }],
  ['pubsub', { host: 'project', path: ['topic'] }],
  ['snowflake', { host: 'account', path: ['database', 'schema'] }],
  ['trino', { path: ['catalog', 'schema'] }],
])

// Types that name no host of their own: the rest of a server describes the data, not where they are.
const WITHOUT_HOST: ReadonlySet<string> = new Set(['custom', 'duckdb', 'local'])

/** Returns the distinct addresses of the servers of a contract, at most ten. */
export function listServerAddresses(servers: readonly Server[]): string[] {
  const addresses = servers.map(({ type, properties }) => findServerAddress(type, properties))
  return [...new Set(addresses.filter((one) => one !== undefined))].slice(0, ADDRESSES_MAX)
}

/** Returns the address that a port itself names; undefined if it names none. */
export function findPortAddress(port: InputPort | OutputPort): string | undefined {
  const server = 'server' in port ? port.server : undefined
  if (port.location !== undefined) return toAddress(port.location)
  if (server === undefined) return undefined
  return findServerAddress(port.type ?? nonBlankText(getField(server, 'type')), server)
}

/**
 * Returns the address of a server; undefined if it has none, or only one with a variable (`${HOST}`), whose value the
 * catalog does not have.
 */
function findServerAddress(
  serverType: string | undefined,
  properties: { [key: string]: Value },
): string | undefined {
  for (const name of LOCATIONS) {
    const location = nonBlankText(getField(properties, name))
    if (location !== undefined) return toAddress(location)
  }
  const type = serverType?.trim().toLowerCase() ?? ''
  if (!/^[a-z][a-z0-9+.-]+$/.test(type) || WITHOUT_HOST.has(type)) return undefined
  const { scheme = type, host: hostName = 'host', path = ['database'] } = PARTS.get(type) ?? {}
  const authority = findAuthority(properties, hostName)
  if (authority === undefined) return undefined
  if (authority.includes('://')) return toAddress(authority)
  const segments = path.map((name) => nonBlankText(getField(properties, name))?.trim())
  // A part without the one before it would be taken for that one.
  const end = segments.indexOf(undefined)
  const known = end < 0 ? segments : segments.slice(0, end)
  if (known.some((segment = '') => hasPlaceholder(segment))) return undefined
  return toAddress(
    [`${scheme}://${authority}`, ...known.map((segment) => encode(segment ?? ''))].join('/'),
  )
}

const HOST = /^(?:[\p{L}\p{N}._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/u
const PORT = /^\d{1,5}$/

// Returns a host with its port, or a complete address in the place of a host.
function findAuthority(properties: { [key: string]: Value }, hostName: string): string | undefined {
  // Kafka has a list of servers, each of which lists the others.
  const [host = ''] = (nonBlankText(getField(properties, hostName)) ?? '').split(',')
  const name = host.trim()
  if (name.includes('://')) return name
  if (!HOST.test(name)) return undefined
  const port = hostName === 'host' ? getField(properties, 'port') : undefined
  if (port === undefined || port === null || /:\d+$/.test(name)) return name
  const text = typeof port === 'number' ? String(port) : (nonBlankText(port)?.trim() ?? '')
  return PORT.test(text) ? `${name}:${text}` : undefined
}

// A scheme with an authority, or one of the schemes without. `host:9092` has neither.
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]+:\/\/[^/?#]|jdbc:[a-z]|urn:[a-z]|arn:[a-z])/i
// They name a file of one machine, a person, or a script.
const NO_SERVICE = /^(?:file|mailto|tel|javascript|vbscript|data|about|blob):/i
// In these, the text before `@` is not a user but a container.
const WITH_CONTAINER = /^(?:abfss?|wasbs?):/i
const USER = /^([a-z][a-z0-9+.-]+:\/\/)[^/?#]*@/i
// An address is sent on to other catalogs; JDBC has users and passwords in many forms.
const CREDENTIAL = /^jdbc:.*@|[?&;](?:user|uid|sig|\w*(?:password|pwd|secret|token|signature))=/i

/** Returns an address as an IRI without its user and password; undefined if a text is none. */
function toAddress(text: string): string | undefined {
  const address = text.trim()
  if (address.length > CHARACTERS_MAX || hasPlaceholder(address)) return undefined
  const named = WITH_CONTAINER.test(address) ? address : address.replace(USER, '$1')
  const isService = ABSOLUTE.test(named) && !NO_SERVICE.test(named) && !CREDENTIAL.test(named)
  return isService ? escapeIri(named) : undefined
}
