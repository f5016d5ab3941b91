// The shapes of servers in an ODCS 3 document: each type of server has specific fields, some of them required.

import { nearestName } from '../../shape/nearest.ts'
import {
  choice,
  integer,
  object,
  type ObjectShape,
  set,
  type Shape,
  text,
} from '../../shape/shape.ts'
import { type ObjectValue, textOf, fieldOf } from '../../text/value.ts'
import { odcsRole, type OdcsParts } from './parts-shape.ts'

const uri = text({ format: 'uri' })

const FIELDS: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['port', integer()],
  ['location', uri],
  ['endpointUrl', uri],
  ['stagingDir', uri],
])

// The required and the optional fields of each type. The name of a field determines its shape.
const HOST_PORT = ['host port', 'database'] as const
const TYPES: { readonly [type: string]: readonly [required: string, others: string] } = {
  api: ['location', ''],
  athena: ['stagingDir schema', 'catalog regionName'],
  azure: ['location format', 'delimiter'],
  bigquery: ['project dataset', ''],
  clickhouse: ['host port database', ''],
  databricks: ['catalog schema', 'host'],
  denodo: HOST_PORT,
  dremio: ['host port', 'schema'],
  duckdb: ['database', 'schema'],
  glue: ['account database', 'location format'],
  cloudsql: ['host port database schema', ''],
  db2: ['host port database', 'schema'],
  hive: ['host database', 'port'],
  impala: ['host database', 'port'],
  informix: ['host database', 'port'],
  kafka: ['host', 'format'],
  kinesis: ['', 'region format'],
  local: ['path format', ''],
  mysql: ['host port database', ''],
  oracle: ['host port serviceName', ''],
  postgresql: ['host port database schema', ''],
  postgres: ['host port database schema', ''],
  presto: ['host', 'catalog schema'],
  pubsub: ['project', ''],
  redshift: ['database schema', 'host region account'],
  s3: ['location', 'endpointUrl format delimiter'],
  sftp: ['location', 'format delimiter'],
  snowflake: ['account database schema', 'host port warehouse'],
  sqlserver: ['host database schema', 'port'],
  synapse: ['host port database', ''],
  trino: ['host port catalog schema', ''],
  vertica: ['host port database schema', ''],
  zen: ['host database', 'port'],
  custom: [
    '',
    'account catalog database dataset delimiter endpointUrl format host location path port project region regionName schema serviceName stagingDir warehouse',
  ],
}

// The types that v3.1.0 added.
const LATER_TYPES = ['hive', 'impala', 'zen']

const FILE_FORMAT = text({ allowed: ['parquet', 'delta', 'json', 'csv'] })
const DELIMITER = text({ allowed: ['new_line', 'array'] })

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}

// Fields whose shape differs for a version or type.
function exceptions(type: string, { version, closed }: OdcsParts): { [name: string]: Shape } {
  const isFile = ['azure', 's3', 'sftp'].includes(type)
  return {
    ...(isFile && !closed ? { format: FILE_FORMAT, delimiter: DELIMITER } : {}),
    ...(type === 'sftp' ? { location: text({ format: 'sftp address' }) } : {}),
    ...(type === 'custom' ? { stagingDir: text(), ...(closed ? { stream: text() } : {}) } : {}),
    // An oversight of the first versions.
    ...(type === 'duckdb' && !closed ? { schema: integer() } : {}),
    ...(type === 'athena' && version === 'v3.2.0' ? { workgroup: text() } : {}),
  }
}

function required(type: string, usual: string, { version }: OdcsParts): string[] {
  if (type !== 'athena') return words(usual)
  // The first two versions required the field under a wrong name; the last one does not require it.
  if (version === 'v3.2.0') return ['schema']
  const isMisnamed = version === 'v3.0.0' || version === 'v3.0.1'
  return [isMisnamed ? 'staging_dir' : 'stagingDir', 'schema']
}

/** Returns the shape of a server. */
export function odcsServer(parts: OdcsParts): Shape {
  const { id, closed, customProperties } = parts
  const types = Object.keys(TYPES).filter((type) => closed || !LATER_TYPES.includes(type))
  const base = {
    ...id,
    server: text(),
    type: text({ allowed: types }),
    description: text(),
    environment: text(),
    roles: set(odcsRole(parts)),
    customProperties,
  }
  const unknown = object({ fields: base, required: ['server', 'type'], closed })
  const shapes = new Map<string, ObjectShape>(
    types.map((type) => {
      const [must = '', may = ''] = TYPES[type] ?? []
      const own = words(`${must} ${may}`).map((name) => [name, FIELDS.get(name) ?? text()] as const)
      const shape = object({
        fields: { ...base, ...Object.fromEntries(own), ...exceptions(type, parts) },
        required: ['server', 'type', ...required(type, must, parts)],
        closed,
      })
      return [type, shape]
    }),
  )
  // A misspelt type is treated as the intended type, so that the fields of that type are not reported as unknown.
  return choice((value: ObjectValue) => {
    const type = textOf(fieldOf(value, 'type')) ?? ''
    return shapes.get(type) ?? shapes.get(nearestName(type, shapes.keys()) ?? '') ?? unknown
  })
}
