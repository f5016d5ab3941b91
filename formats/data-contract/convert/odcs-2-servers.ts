// Converts the location of the data, which an ODCS 2.2 document gives in top-level fields, to a server of v3.1.0.

import { canonicalText } from '../../shape/canonical.ts'
import { nonBlankText, listObjects } from '../../data-product/fields.ts'
import { ACCEPTED, conforms, NOWHERE } from '../../shape/inspect.ts'
import { Notes } from '../../text/problem.ts'
import { getServerPlatform } from '../../schema/types/platform.ts'
import { any, resolveShape, fieldShape, list, type Shape } from '../../shape/shape.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../../text/value.ts'
import { ODCS_2 } from './odcs-2-models.ts'
import { toOdcsServer, SERVER } from './servers.ts'
import { getServerType, readServer } from '../contract-fields.ts'
import { readOdcs } from '../odcs/read.ts'

/** Servers, and the fields of the document that they fully represent. */
interface ConvertedServers {
  servers: ObjectValue[]
  converted: ReadonlySet<string>
}

/** Converts the location of a document's data. */
export function serversFromOdcs2(value: ObjectValue): ConvertedServers {
  const given = getField(value, 'servers')
  if (listObjects(given).length > 0) return readGivenServers(given ?? null)
  const type = nonBlankText(getField(value, 'sourcePlatform'))
  const server = nonBlankText(getField(value, 'server'))
  const name =
    server ??
    type ??
    ['project', 'database'].flatMap((field) => nonBlankText(getField(value, field)) ?? []).at(0)
  if (name === undefined) return { servers: [], converted: new Set() }
  const raw = new Map<string, Value>()
  const converted = new Set<string>()
  const take = (field: string, member: Value | undefined, as = field) => {
    if (member === undefined || member === null) return
    raw.set(as, member)
    converted.add(field)
  }
  if (server !== undefined) converted.add('server')
  if (hasField(type, 'host')) take('server', server, 'host')
  take('sourcePlatform', type, 'type')
  for (const field of ['host', 'port', 'project', 'database']) take(field, getField(value, field))
  take('schema', asText(getField(value, 'schema')))
  const dataset = asText(getField(value, 'datasetName'))
  if (isStandard(type) && hasField(type, 'dataset') && dataset !== undefined)
    raw.set('dataset', dataset)
  const convertedServer = toOdcsServer(name, Object.fromEntries(raw))
  return { servers: [withDriver(value, convertedServer, converted)], converted }
}

// Since v3 servers have no fields for the driver and the source system.
function withDriver(value: ObjectValue, server: ObjectValue, converted: Set<string>): ObjectValue {
  const added = ['driver', 'driverVersion', 'sourceSystem'].flatMap((field): Value[] => {
    const member = getField(value, field)
    if (member === undefined) return []
    converted.add(field)
    return [{ property: `${ODCS_2}${field}`, value: member }]
  })
  return withCustom(server, [...getCustomProperties(server), ...added])
}

// That version has no servers. They may have the structure of later versions.
function readGivenServers(given: Value): ConvertedServers {
  if (Array.isArray(given) && given.every(isObject) && conforms(given, list(SERVER))) {
    return { servers: given, converted: new Set(['servers']) }
  }
  const document = { apiVersion: 'v2.2.2', servers: given }
  const { servers } = readOdcs(document, ACCEPTED, new Notes(NOWHERE))
  const converted = servers.map(({ name, type, properties }) => {
    const fields = Object.entries(properties).filter(([field]) => !OWN_FIELDS.has(field))
    const typed: [string, Value][] = type === undefined ? [] : [['type', type]]
    return toOdcsServer(name, Object.fromEntries([...typed, ...fields]))
  })
  return { servers: converted, converted: new Set() }
}

const OWN_FIELDS = new Set(['type', 'server', 'id', 'customProperties', 'customType'])

function isStandard(type: string | undefined): boolean {
  return conforms(type?.toLowerCase() ?? '', fieldIn(SERVER, '', 'type') ?? any)
}

function hasField(type: string | undefined, field: string): boolean {
  const known = isStandard(type) ? type : undefined
  return fieldIn(SERVER, known?.toLowerCase() ?? 'custom', field) !== undefined
}

function fieldIn(shape: Shape, type: string, field: string): Shape | undefined {
  return fieldShape(resolveShape(shape, { type }), field)
}

/**
 * Returns a converted server with the name and type of the first server of a later document that has the same
 * location: in version 2.2 servers have no names, and too few fields for most types. Returns it unchanged if there is
 * no such server.
 */
export function alignServer(server: ObjectValue, others: readonly ObjectValue[]): ObjectValue {
  const other = others.find((one) => isSamePlace(server, one))
  if (other === undefined) return server
  const fields = new Map<string, Value>(Object.entries(server))
  for (const field of ['server', 'type']) fields.set(field, getField(other, field) ?? null)
  if (!isSame(server, other, 'host')) fields.delete('host')
  const own = getCustomProperties(server).filter((item) => !TYPE_PROPERTIES.has(getProperty(item)))
  const type = getCustomProperties(other).filter((item) => getProperty(item) === 'customType')
  return withCustom(Object.fromEntries(fields), [...type, ...own])
}

const TYPE_PROPERTIES = new Set(['customType', 'dcs.type'])

function isSamePlace(server: ObjectValue, other: ObjectValue): boolean {
  const [one, two] = [getType(server), getType(other)]
  const platform = getServerPlatform(one)
  if (one !== two && (platform === undefined || platform !== getServerPlatform(two))) return false
  return Object.keys(server).every((field) => {
    if (field === 'server' || field === 'type' || field === 'customProperties') return true
    // The server of 2.2 may be an address or a display name.
    const isName = field === 'host' && isSame(server, server, 'host', 'server')
    return isSame(server, other, field) || (isName && isSame(server, other, 'server'))
  })
}

function getType(server: ObjectValue): string | undefined {
  return getServerType(readServer('', server, ''))?.toLowerCase()
}

function isSame(a: ObjectValue, b: ObjectValue, field: string, other = field): boolean {
  const [one, two] = [getField(a, field), getField(b, other)]
  return (
    one !== undefined && two !== undefined && canonicalText(one, any) === canonicalText(two, any)
  )
}

function getCustomProperties(server: ObjectValue): Value[] {
  const custom = getField(server, 'customProperties')
  return Array.isArray(custom) ? custom : []
}

function getProperty(item: Value): string {
  return asText(getField(item, 'property')) ?? ''
}

function withCustom(server: ObjectValue, customProperties: Value[]): ObjectValue {
  const { customProperties: _, ...rest } = server
  return customProperties.length === 0 ? rest : { ...rest, customProperties }
}
