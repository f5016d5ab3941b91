// The shapes of servers in a DCS document. Every type has specific fields, some of them required.

import { choice, integer, map, object, set, text } from '../../shape/shape.ts'
import type { MapShape, ObjectShape, Shape } from '../../shape/shape.ts'
import { fieldOf, textOf } from '../../text/value.ts'

export type DcsVersion = '0.9.0' | '0.9.3' | '1.1.0' | '1.2.1'

const uri = text({ format: 'uri' })
const fileFormat = text({ allowed: ['parquet', 'delta', 'json', 'csv'] })

const FIELDS: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['port', integer()],
  ['location', uri],
  ['endpointUrl', uri],
  ['delimiter', text({ allowed: ['new_line', 'array'] })],
])

// Types whose `format` is one of a few values; elsewhere it is any text.
const FILE_TYPES = ['s3', 'gcs', 'sftp', 'azure']

type Types = { readonly [type: string]: readonly [required: string, others: string] }

const BIGQUERY = ['project dataset', ''] as const

const FIRST_TYPES: Types = {
  bigquery: BIGQUERY,
  BigQuery: BIGQUERY,
  s3: ['location', ''],
  redshift: ['account database schema', ''],
  snowflake: ['account database schema', ''],
  databricks: ['share', ''],
  kafka: ['host topic', ''],
}

const TYPES: Types = {
  bigquery: BIGQUERY,
  s3: ['location', 'endpointUrl format delimiter'],
  sftp: ['location', 'format delimiter'],
  redshift: ['account database schema', 'host clusterIdentifier port endpoint'],
  azure: ['location format', 'delimiter'],
  sqlserver: ['host database schema', 'port'],
  snowflake: ['account database schema', ''],
  databricks: ['catalog schema', 'host'],
  dataframe: ['', ''],
  glue: ['account database', 'location format'],
  postgres: ['host port database schema', ''],
  oracle: ['host port serviceName', ''],
  kafka: ['host topic', 'format'],
  pubsub: ['project topic', ''],
  kinesis: ['stream', 'region format'],
  trino: ['host port catalog schema', ''],
  local: ['path format', ''],
}

// Types that only some versions have.
function listTypes(version: DcsVersion): Types {
  if (version === '0.9.0') return FIRST_TYPES
  if (version === '0.9.3') {
    return { ...TYPES, BigQuery: BIGQUERY, gcs: ['location', 'format delimiter'] }
  }
  // An oversight of the standard: this spelling is allowed, but not specified.
  if (version === '1.1.0') return { ...TYPES, BigQuery: ['', ''] }
  return { ...TYPES, clickhouse: ['host port database', ''] }
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}

function createFields(type: string, names: readonly string[], version: DcsVersion) {
  return Object.fromEntries(
    names.map((name): [string, Shape] => {
      const isSftp = type === 'sftp' && name === 'location' && version !== '0.9.3'
      if (isSftp) return [name, text({ format: 'sftp address' })]
      if (name === 'format' && FILE_TYPES.includes(type)) return [name, fileFormat]
      return [name, FIELDS.get(name) ?? text()]
    }),
  )
}

/** Returns the shape of the servers of a document, which are a map by name. */
export function dcsServers(version: DcsVersion): MapShape {
  const types = listTypes(version)
  const role = object({ fields: { name: text(), description: text() }, required: ['name'] })
  const said = { description: text(), environment: text() }
  const isFirst = version === '0.9.0' || version === '0.9.3'
  const shared = isFirst ? {} : { ...said, roles: set(role) }
  // Since 1.2.0 a server may have a custom type.
  const type = version === '1.2.1' ? text() : text({ allowed: Object.keys(types) })
  const unknown = object({ fields: { type, ...shared }, required: ['type'] })
  const shapes = new Map<string, ObjectShape>(
    Object.entries(types).map(([name, [must, may]]) => {
      const fields = createFields(name, [...words(must), ...words(may)], version)
      const required = ['type', ...words(must)]
      return [name, object({ fields: { type, ...shared, ...fields }, required })]
    }),
  )
  const server = choice((value) => shapes.get(textOf(fieldOf(value, 'type')) ?? '') ?? unknown)
  return version === '0.9.3' ? map(server, { known: said }) : map(server)
}
