// The connections of an output port: those of the servers of its contract, or that of its own server.

import type { DataContract, Server } from '../data-contract/data-contract.ts'
import type { OutputPort } from '../data-product/data-product.ts'
import type { Model } from '../schema/model.ts'
import { getField, type ObjectValue } from '../text/value.ts'
import { describeConnection, type Connection } from './connection.ts'
import { toText } from './facts.ts'
import { PLATFORM_RULES } from './platforms.ts'

/** The connections of a port for one of its models. */
export interface PortConnections {
  /** The names of all models, at most `MODELS_MAX`. */
  models: string[]
  /** The connections for the chosen model, those of production first. */
  servers: Connection[]
  /** The number of servers; the connections are at most `SERVERS_MAX`. */
  serverCount: number
}

/** The parts of documents that connections are made of. */
interface PortSource {
  contract?: DataContract | undefined
  port?: OutputPort | undefined
  roles: readonly string[]
  /** The name of a model; undefined = the first. */
  modelName?: string | undefined
}

/** The maximum number of connections. */
export const SERVERS_MAX = 20

/** The maximum number of names of models. */
const MODELS_MAX = 500

const PRODUCTION = /^(?:prod|prd|production|live)$/i

/** Describes the connections of a port; undefined = it has no model of the name. */
export function describePort({
  contract,
  port,
  roles,
  modelName,
}: PortSource): PortConnections | undefined {
  const own = port && toPortServer(port)
  const servers = listServers(contract, own)
  const models = contract?.models ?? []
  const model = findModel(models, modelName, own)
  if (modelName !== undefined && model === undefined) return undefined
  const isSpecification = contract?.schemaType !== undefined
  const shown = servers.slice(0, SERVERS_MAX)
  return {
    models: models.slice(0, MODELS_MAX).map(({ name }) => name),
    servers: shown.map((server) => describeConnection({ server, model, roles, isSpecification })),
    serverCount: servers.length,
  }
}

function isOther({ environment, name }: Server): boolean {
  return !PRODUCTION.test(environment ?? name)
}

// The sort is stable: servers of the same rank keep the order of the document.
function listServers(contract: DataContract | undefined, own: Server | undefined): Server[] {
  const servers = contract?.servers ?? []
  if (servers.length === 0) return own === undefined ? [] : [own]
  return servers.toSorted((a, b) => Number(isOther(a)) - Number(isOther(b)))
}

function findModel(
  models: readonly Model[],
  wanted: string | undefined,
  own: Server | undefined,
): Model | undefined {
  if (wanted !== undefined) return models.find(({ name }) => name === wanted)
  const names = ['table', 'view', 'topic'].map((name) => toText(getField(own?.properties, name)))
  const isOwn = ({ name, physicalName }: Model) =>
    [name, physicalName].some((one) => one !== undefined && names.includes(one))
  return models.find(isOwn) ?? models[0]
}

/** Returns the server of a port that its product describes; undefined = it describes none. */
function toPortServer({ name, type, location, server = {} }: OutputPort): Server | undefined {
  const properties: ObjectValue = { ...server }
  if (location !== undefined && properties.location === undefined) properties.location = location
  if (Object.keys(properties).length === 0) return undefined
  const named = toText(getField(server, 'type')) ?? type
  const own = toType(named) ?? inferType(properties) ?? named
  return { name, properties, origin: '', ...(own === undefined ? {} : { type: own }) }
}

// Products write the names of platforms as people do: `SQL Server`, `Snowflake`.
function toType(text: string | undefined): string | undefined {
  const type = text?.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return type !== undefined && PLATFORM_RULES[type] !== undefined ? type : undefined
}

const SCHEMES: readonly (readonly [RegExp, string])[] = [
  [/^s3[an]?:/i, 's3'],
  [/^gc?s:/i, 'gcs'],
  [/^(?:abfss?|wasbs?|az):/i, 'azure'],
  [/^sftp:/i, 'sftp'],
]

function inferType(properties: ObjectValue): string | undefined {
  const has = (name: string) => toText(getField(properties, name)) !== undefined
  if (has('project') && has('dataset')) return 'bigquery'
  if (has('account') && has('schema')) return 'snowflake'
  if (has('topic') && has('host')) return 'kafka'
  const location = toText(getField(properties, 'location')) ?? ''
  return SCHEMES.find(([scheme]) => scheme.test(location))?.[1]
}
