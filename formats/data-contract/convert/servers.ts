// Converts servers and service levels from DCS to ODCS v3.1.0.

import { listObjects } from '../../data-product/fields.ts'
import { conforms } from '../../shape/inspect.ts'
import { any, resolveShape, fieldShape, type Shape, shapeAt } from '../../shape/shape.ts'
import { isObject, getField, type ObjectValue, asText, type Value } from '../../text/value.ts'
import { Draft } from '../odcs/draft.ts'
import { odcsShape } from '../odcs/shape.ts'
import { type OdcsVersion, WRITTEN_VERSION } from '../odcs/write.ts'

/** The shape of a server. */
export const SERVER = serverShape(WRITTEN_VERSION)

function serverShape(version: OdcsVersion): Shape {
  return shapeAt(odcsShape(version), ['servers', 0]) ?? any
}

/**
 * Converts a server; a server that the standard does not support becomes a custom one. Addresses may
 * have placeholders such as `{model}`, as in the examples of the standard.
 */
export function toOdcsServer(
  name: string,
  raw: ObjectValue,
  version: OdcsVersion = WRITTEN_VERSION,
): ObjectValue {
  const shape = serverShape(version)
  const type = asText(getField(raw, 'type'))?.toLowerCase() ?? 'custom'
  const known = serverAs(type, name, raw, shape)
  const filledIn = Object.fromEntries(
    Object.entries(known).map(([field, value]) => [field, withoutPlaceholders(value)]),
  )
  return conforms(filledIn, shape) ? known : serverAs('custom', name, raw, shape)
}

function withoutPlaceholders(value: Value): Value {
  return typeof value === 'string' ? value.replaceAll(/\{[\w.-]{1,100}\}/g, 'x') : value
}

function serverAs(type: string, name: string, raw: ObjectValue, server: Shape): ObjectValue {
  const shape = resolveShape(server, { type })
  const draft = new Draft()
  draft.set('server', name)
  draft.set('type', type)
  for (const [field, value] of Object.entries(raw)) {
    if (field === 'type') {
      if (type === 'custom') draft.add('customType', value)
      else if (value !== type) draft.add('dcs.type', value)
      continue
    }
    if (field === 'roles' && Array.isArray(value)) {
      const roles = odcsRoles(value)
      if (roles !== undefined) {
        draft.set('roles', roles)
        continue
      }
    }
    const place = fieldShape(shape, field)
    const isOwn = ['server', 'customProperties', 'id'].includes(field)
    const isValid = place !== undefined && conforms(withoutPlaceholders(value), place)
    if (isValid && !isOwn) draft.set(field, value)
    else draft.add(field === 'customType' || isOwn ? `dcs.${field}` : field, value)
  }
  return draft.result()
}

function odcsRoles(roles: readonly Value[]): Value[] | undefined {
  const converted = roles.flatMap((role): Value[] => {
    const name = getField(role, 'name')
    const description = getField(role, 'description')
    const names = isObject(role) ? Object.keys(role) : ['?']
    const isPlain = names.every((field) => field === 'name' || field === 'description')
    if (typeof name !== 'string' || !isPlain) return []
    if (description === undefined) return [{ role: name }]
    return typeof description === 'string' ? [{ role: name, description }] : []
  })
  return converted.length === roles.length ? converted : undefined
}

// The ODCS names of the service levels, and their fields for the value, the element, and the schedule.
const LEVELS: { readonly [name: string]: readonly [property: string, value: string] } = {
  availability: ['generalAvailability', 'percentage'],
  retention: ['retention', 'period'],
  latency: ['latency', 'threshold'],
  freshness: ['freshness', 'threshold'],
  frequency: ['frequency', 'interval'],
  support: ['support', 'time'],
  backup: ['backup', 'interval'],
}

const PLACES: { readonly [field: string]: string } = {
  description: 'description',
  timestampField: 'element',
  cron: 'schedule',
}

/** Converts service levels; returns those that ODCS supports, and the parts that it cannot represent. */
export function odcsServiceLevels(levels: ObjectValue): {
  levels: Value[]
  rest: [string, Value][]
} {
  const converted: Value[] = []
  const rest: [string, Value][] = []
  for (const [name, level] of Object.entries(levels)) {
    const [property, main] = (Object.hasOwn(LEVELS, name) && LEVELS[name]) || []
    if (property === undefined || main === undefined || !isObject(level)) {
      rest.push([name, level])
      continue
    }
    const draft = new Draft()
    draft.set('property', property)
    const value = getField(level, main)
    const amount = typeof value === 'string' ? splitAmount(value) : undefined
    draft.set('value', amount?.value ?? (typeof value === 'string' ? value : null))
    draft.set('unit', amount?.unit)
    // The text is preserved if it cannot be reconstructed from value and unit.
    if (amount !== undefined && value !== `${amount.value}${amount.unit}`) {
      rest.push([`${name}.${main}`, value ?? null])
    }
    for (const [field, member] of Object.entries(level)) {
      if (field === main && typeof member === 'string') continue
      const place = Object.hasOwn(PLACES, field) ? PLACES[field] : undefined
      if (place !== undefined && typeof member === 'string') draft.set(place, member)
      else rest.push([`${name}.${field}`, member])
    }
    converted.push(draft.result())
  }
  return { levels: converted, rest }
}

const AMOUNT = /^(\d{1,9}(?:\.\d{1,6})?) ?([a-z]{1,12})$/i
const UNITS = new Set(
  's sec second seconds m min minute minutes h hour hours d day days w week weeks month months y yr year years'.split(
    ' ',
  ),
)
const ISO_AMOUNT = /^P(?:(\d{1,9})([YMWD])|T(\d{1,9})([HMS]))$/
const ISO_UNITS: ReadonlyMap<string, string> = new Map([
  ['Y', 'y'],
  ['M', 'months'],
  ['W', 'weeks'],
  ['D', 'd'],
  ['TH', 'h'],
  ['TM', 'minutes'],
  ['TS', 's'],
])

// Splits `25h` and `PT1H` into value and unit, as defined by ODCS.
function splitAmount(text: string): { value: number; unit: string } | undefined {
  const [, digits, unit = ''] = AMOUNT.exec(text) ?? []
  if (digits !== undefined && String(Number(digits)) === digits && UNITS.has(unit.toLowerCase())) {
    return { value: Number(digits), unit }
  }
  const [, days, dayUnit = '', hours, hourUnit = ''] = ISO_AMOUNT.exec(text) ?? []
  const isoUnit = ISO_UNITS.get(hours === undefined ? dayUnit : `T${hourUnit}`)
  return isoUnit === undefined ? undefined : { value: Number(days ?? hours), unit: isoUnit }
}

/** Converts policies; undefined if ODCS would reject one of them. */
export function odcsPolicies(
  policies: Value,
): { type: string; url: string; description?: string }[] | undefined {
  if (!Array.isArray(policies)) return undefined
  const converted = listObjects(policies).flatMap(({ item }) => {
    const [type, url] = [asText(getField(item, 'type')), asText(getField(item, 'url'))]
    const description = getField(item, 'description')
    if (type === undefined || url === undefined || Object.keys(item).length > 3) return []
    if (description === undefined) return Object.keys(item).length === 2 ? [{ type, url }] : []
    return typeof description === 'string' ? [{ type, url, description }] : []
  })
  return converted.length === policies.length ? converted : undefined
}
