// Where a server of a contract points: the platform whose assets it can have, the address of the server, and the path of
// a model on it. The path of an ingested asset has the same parts in the same order.

import { getServerType, TABLE_LANGUAGES } from '../data-contract/contract-fields.ts'
import { readServerAddress } from '../data-contract/server-address.ts'
import type { DataContract, Server } from '../data-contract/data-contract.ts'
import { nonBlankText } from '../data-product/fields.ts'
import { newTable } from '../name/table.ts'
import type { Model } from '../schema/model.ts'
import { splitTableName } from '../schema/table-name.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { getField } from '../text/value.ts'
import { hasPlaceholder } from '../text/variables.ts'

/** The location of a model of a contract on one of its servers. */
export interface ServerPlace {
  /** The platform of the assets that the server can have: a key of `PLATFORM_ASSETS`, or the type of the server in lower case. */
  platform: string | undefined
  /** The parts of the name on the platform, `['sales', 'public', 'orders']`. */
  path: string[] | undefined
  /** The comparable address of the server, `db.example:5432`; undefined = the contract does not give it. */
  address: string | undefined
  /** Why the model has no path, a sentence; undefined = it has one. */
  unplacedBecause: string | undefined
}

/** The assets of a platform: those of a source, and only or never those of a product that the same connector reads. */
interface PlatformAssets {
  /** The `info.source` of the assets. */
  source: string
  /** The beginning that their types must have, `redshift_`; undefined = any. */
  only?: string
  /** The beginning that their types must not have. */
  never?: string
}

/** One part of a path before the name: the members of the server that may give it, and its value if none does. */
interface Part {
  what: string
  names: readonly string[]
  otherwise?: string
}

interface PlatformPlace {
  platform: string
  assets: readonly PlatformAssets[]
  /** The language of names; undefined = names are never split. */
  names?: Platform
  parts: readonly Part[]
  /** Whether one part has all remaining parts of a qualified name: the namespace of Iceberg. */
  isJoined?: true
}

const DATABASE: Part = { what: 'database', names: ['database'] }
const POSTGRES: PlatformPlace = {
  platform: 'postgres',
  assets: [{ source: 'postgres', never: 'redshift_' }],
  names: 'postgresql',
  parts: [DATABASE, { what: 'schema', names: ['schema'], otherwise: 'public' }],
}
const REDSHIFT: PlatformPlace = {
  ...POSTGRES,
  platform: 'redshift',
  assets: [{ source: 'postgres', only: 'redshift_' }],
}
const MYSQL: PlatformPlace = {
  platform: 'mysql',
  assets: [{ source: 'mysql' }, { source: 'mariadb' }],
  names: 'mysql',
  parts: [DATABASE],
}
const SQL_SERVER: PlatformPlace = {
  platform: 'sqlserver',
  assets: [{ source: 'mssql' }, { source: 'fabric' }],
  names: 'sqlserver',
  parts: [DATABASE, { what: 'schema', names: ['schema'], otherwise: 'dbo' }],
}
const GLUE: PlatformPlace = {
  platform: 'glue',
  assets: [{ source: 'glue' }],
  names: 'hive',
  parts: [DATABASE],
}

const PLACES = newTable<PlatformPlace>({
  postgres: POSTGRES,
  postgresql: POSTGRES,
  cloudsql: POSTGRES,
  alloydb: POSTGRES,
  cockroachdb: POSTGRES,
  yugabytedb: POSTGRES,
  redshift: REDSHIFT,
  mysql: MYSQL,
  mariadb: MYSQL,
  sqlserver: SQL_SERVER,
  synapse: SQL_SERVER,
  mssql: SQL_SERVER,
  fabric: SQL_SERVER,
  snowflake: {
    platform: 'snowflake',
    assets: [{ source: 'snowflake' }],
    names: 'snowflake',
    parts: [DATABASE, { what: 'schema', names: ['schema'] }],
  },
  bigquery: {
    platform: 'bigquery',
    assets: [{ source: 'bigquery' }],
    names: 'bigquery',
    parts: [
      { what: 'project', names: ['project'] },
      { what: 'dataset', names: ['dataset'] },
    ],
  },
  databricks: {
    platform: 'databricks',
    assets: [{ source: 'databricks' }],
    names: 'databricks',
    parts: [
      { what: 'catalog', names: ['catalog'] },
      { what: 'schema', names: ['schema'] },
    ],
  },
  glue: GLUE,
  athena: { ...GLUE, parts: [{ what: 'schema', names: ['schema'] }] },
  iceberg: {
    platform: 'iceberg',
    assets: [{ source: 'iceberg' }],
    names: 'iceberg',
    parts: [{ what: 'namespace', names: ['namespace', 'schema'] }],
    isJoined: true,
  },
})

// Their data is in files, streams or channels: an asset with the same location is only a candidate.
const LOCATIONS = newTable<readonly string[]>({
  s3: ['location'],
  azure: ['location'],
  sftp: ['location'],
  local: ['path', 'location'],
  kinesis: ['stream', 'location'],
  pubsub: ['topic', 'location'],
})

// The members of other databases that are a part of the name of a table, from the top.
const OTHER_PARTS: readonly (readonly string[])[] = [
  ['catalog', 'database', 'serviceName'],
  ['schema'],
]

/** The platforms whose servers give only a location, which never links an asset automatically. */
export const LOCATION_PLATFORMS: readonly string[] = Object.keys(LOCATIONS)

/** The assets of each platform that a connector reads. Those of another platform have its name as their source. */
export const PLATFORM_ASSETS: ReadonlyMap<string, readonly PlatformAssets[]> = new Map(
  Object.values(PLACES).map(({ platform, assets }) => [platform, assets]),
)

/** The facts of a contract that its places depend on. */
type Owner = Pick<DataContract, 'models' | 'schemaType'>

/** Finds the place of a model of a contract on one of its servers. */
export function findPlace(server: Server, model: Model, contract: Owner): ServerPlace {
  const type = getServerType(server)?.toLowerCase()
  if (type === undefined || type === '' || type === 'custom' || type === 'api') {
    const unplacedBecause =
      type === 'api' ? 'An API has no tables.' : 'The server has no type that is a platform.'
    return { platform: undefined, path: undefined, address: undefined, unplacedBecause }
  }
  const known = PLACES[type]
  const platform = known?.platform ?? type
  const address = readServerAddress(server)
  const path = getPath(server, type, known, model, contract)
  return typeof path === 'string'
    ? { platform, path: undefined, address, unplacedBecause: path }
    : { platform, path, address, unplacedBecause: undefined }
}

// The path, or the reason why there is none.
function getPath(
  { properties }: Server,
  type: string,
  known: PlatformPlace | undefined,
  model: Model,
  { models, schemaType }: Owner,
): string[] | string {
  const name = model.physicalName ?? model.name
  if (type === 'kafka') {
    const topic = readText(properties, 'topic')
    return checkVariable(
      model.physicalName ?? (models.length === 1 ? (topic ?? name) : name),
      'name of the topic',
    )
  }
  const locations = LOCATIONS[type]
  if (locations !== undefined) {
    // datacontract-cli reads `s3://bucket/{model}/*.csv` for each model.
    const location = readFirst(properties, locations)?.replaceAll('{model}', () => model.name)
    return location === undefined
      ? 'The server has no location.'
      : checkVariable(location, 'location')
  }
  if (hasPlaceholder(name)) return 'The name of the table is a variable.'
  if (known === undefined) {
    const parts = OTHER_PARTS.flatMap((names) => readFirst(properties, names) ?? [])
    const variable = parts.some(hasPlaceholder)
    return variable ? 'The database of the server is a variable.' : [...parts, name]
  }
  const { namespace } = model
  if (schemaType === 'dbt' && namespace !== undefined) {
    return `The schema of "${namespace}" depends on the settings of the dbt project.`
  }
  const qualifier = TABLE_LANGUAGES.has(schemaType)
    ? splitNamespace(namespace, known, readFirst(properties, ['database']))
    : []
  if (qualifier.some(hasPlaceholder)) return 'The schema of the table is a variable.'
  const qualified = [...qualifier, ...splitName(name, known)].slice(-(known.parts.length + 1))
  const above = known.parts.map((part, at): string | { why: string } => {
    const own = qualified[at - known.parts.length + qualified.length - 1]
    if (own !== undefined) return own
    const given = readFirst(properties, part.names) ?? part.otherwise
    if (given === undefined) return { why: `The server has no ${part.what}.` }
    return hasPlaceholder(given) ? { why: `The ${part.what} is a variable.` } : given
  })
  const path: string[] = []
  for (const part of above) {
    if (typeof part !== 'string') return part.why
    path.push(part)
  }
  return [...path, qualified.at(-1) ?? name]
}

// A script names a schema with its database or project. One of PostgreSQL names only the database where it runs; other dots
// are a part of a quoted name.
function splitNamespace(
  namespace: string | undefined,
  { names, parts }: PlatformPlace,
  database: string | undefined,
): string[] {
  if (namespace === undefined || namespace === '') return []
  const at = parts.length < 2 ? -1 : namespace.lastIndexOf('.')
  const above = namespace.slice(0, Math.max(at, 0))
  const isOther = names === 'postgresql' && above.toLowerCase() !== database?.toLowerCase()
  return at === -1 || isOther ? [namespace] : [above, namespace.slice(at + 1)]
}

// The last parts of the path, as the name gives them: at least the object.
function splitName(name: string, { names, parts, isJoined }: PlatformPlace): string[] {
  const split = names && splitTableName(name, names)
  if (split === undefined) return [name]
  const { database, schema, table } = split
  const all = [database, schema, table].filter((part) => part !== undefined)
  if (isJoined === true && all.length > 2) return [all.slice(0, -1).join('.'), table]
  return all.slice(-(parts.length + 1))
}

function checkVariable(name: string, what: string): string[] | string {
  return hasPlaceholder(name) ? `The ${what} is a variable.` : [name]
}

function readFirst(properties: Server['properties'], names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = readText(properties, name)
    if (text !== undefined) return text
  }
  return undefined
}

function readText(properties: Server['properties'], name: string): string | undefined {
  const value = getField(properties, name)
  return typeof value === 'number' ? String(value) : nonBlankText(value)
}
