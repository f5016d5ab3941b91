// Converts the location of the data, which ODCS 2.2 has in fields of the document, to a server of v3.1.0.

import { canonicalText } from '../../shape/canonical.ts'
import { filled, objectsOf } from '../../data-product/fields.ts'
import { ACCEPTED, conforms, NOWHERE } from '../../shape/inspect.ts'
import { Notes } from '../../text/problem.ts'
import { platformOf } from '../../schema/types/platform.ts'
import { any, chosen, fieldShape, list, type Shape } from '../../shape/shape.ts'
import { fieldOf, isObject, type ObjectValue, textOf, type Value } from '../../text/value.ts'
import { ODCS_2 } from './odcs-2-models.ts'
import { odcsServerOf, SERVER } from './servers.ts'
import { customText } from '../custom-properties.ts'
import { readOdcs } from '../odcs/read.ts'

/** Servers, and the fields of the document that they fully represent. */
export interface ConvertedServers {
  servers: ObjectValue[]
  told: ReadonlySet<string>
}

/** Converts the location of a document's data. */
export function serversFromOdcs2(value: ObjectValue): ConvertedServers {
  const given = fieldOf(value, 'servers')
  if (objectsOf(given).length > 0) return serversAsGiven(given ?? null)
  const type = filled(fieldOf(value, 'sourcePlatform'))
  const server = filled(fieldOf(value, 'server'))
  const name =
    server ??
    type ??
    ['project', 'database'].flatMap((field) => filled(fieldOf(value, field)) ?? []).at(0)
  if (name === undefined) return { servers: [], told: new Set() }
  const raw = new Map<string, Value>()
  const told = new Set<string>()
  const take = (field: string, member: Value | undefined, as = field) => {
    if (member === undefined || member === null) return
    raw.set(as, member)
    told.add(field)
  }
  if (server !== undefined) told.add('server')
  if (hasField(type, 'host')) take('server', server, 'host')
  take('sourcePlatform', type, 'type')
  for (const field of ['host', 'port', 'project', 'database']) take(field, fieldOf(value, field))
  take('schema', textOf(fieldOf(value, 'schema')))
  const dataset = textOf(fieldOf(value, 'datasetName'))
  if (isStandard(type) && hasField(type, 'dataset') && dataset !== undefined)
    raw.set('dataset', dataset)
  const converted = odcsServerOf(name, Object.fromEntries(raw))
  return { servers: [withDriver(value, converted, told)], told }
}

// v3 has no field for drivers and the origin of data.
function withDriver(value: ObjectValue, server: ObjectValue, told: Set<string>): ObjectValue {
  const added = ['driver', 'driverVersion', 'sourceSystem'].flatMap((field): Value[] => {
    const member = fieldOf(value, field)
    if (member === undefined) return []
    told.add(field)
    return [{ property: `${ODCS_2}${field}`, value: member }]
  })
  return withCustom(server, [...customOf(server), ...added])
}

// Servers are none of that version's fields. They may be written as the later versions want them.
function serversAsGiven(given: Value): ConvertedServers {
  if (Array.isArray(given) && given.every(isObject) && conforms(given, list(SERVER))) {
    return { servers: given, told: new Set(['servers']) }
  }
  const document = { apiVersion: 'v2.2.2', servers: given }
  const { servers } = readOdcs(document, ACCEPTED, new Notes(NOWHERE))
  const converted = servers.map(({ name, type, properties }) => {
    const fields = Object.entries(properties).filter(([field]) => !OWN_FIELDS.has(field))
    const typed: [string, Value][] = type === undefined ? [] : [['type', type]]
    return odcsServerOf(name, Object.fromEntries([...typed, ...fields]))
  })
  return { servers: converted, told: new Set() }
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
  const plain = chosen(shape, { type })
  return plain.kind === 'object' ? fieldShape(plain, field) : undefined
}

/**
 * Gives a converted server under the name and type of the first one of a later document that is at the same place: in
 * version 2.2 servers have no names, and too few fields for most types. Without such a one it stays as it is.
 */
export function serverLike(server: ObjectValue, others: readonly ObjectValue[]): ObjectValue {
  const other = others.find((one) => isSamePlace(server, one))
  if (other === undefined) return server
  const fields = new Map<string, Value>(Object.entries(server))
  for (const field of ['server', 'type']) fields.set(field, fieldOf(other, field) ?? null)
  if (!isSame(server, other, 'host')) fields.delete('host')
  const own = customOf(server).filter((item) => !TYPE_PROPERTIES.has(propertyOf(item)))
  const type = customOf(other).filter((item) => propertyOf(item) === 'customType')
  return withCustom(Object.fromEntries(fields), [...type, ...own])
}

const TYPE_PROPERTIES = new Set(['customType', 'dcs.type'])

function isSamePlace(server: ObjectValue, other: ObjectValue): boolean {
  const [one, two] = [typeOf(server), typeOf(other)]
  const platform = platformOf(one)
  if (one !== two && (platform === undefined || platform !== platformOf(two))) return false
  return Object.keys(server).every((field) => {
    if (field === 'server' || field === 'type' || field === 'customProperties') return true
    // The server of 2.2 may be an address, or what people call it.
    const isName = field === 'host' && isSame(server, server, 'host', 'server')
    return isSame(server, other, field) || (isName && isSame(server, other, 'server'))
  })
}

function typeOf(server: ObjectValue): string | undefined {
  const type = filled(fieldOf(server, 'type'))
  const custom = customText(fieldOf(server, 'customProperties'), 'customType')
  return (type === 'custom' ? (custom ?? type) : type)?.toLowerCase()
}

function isSame(a: ObjectValue, b: ObjectValue, field: string, other = field): boolean {
  const [one, two] = [fieldOf(a, field), fieldOf(b, other)]
  return (
    one !== undefined && two !== undefined && canonicalText(one, any) === canonicalText(two, any)
  )
}

function customOf(server: ObjectValue): Value[] {
  const custom = fieldOf(server, 'customProperties')
  return Array.isArray(custom) ? custom : []
}

function propertyOf(item: Value): string {
  return textOf(fieldOf(item, 'property')) ?? ''
}

function withCustom(server: ObjectValue, customProperties: Value[]): ObjectValue {
  const { customProperties: _, ...rest } = server
  return customProperties.length === 0 ? rest : { ...rest, customProperties }
}
