// Access agreements of Bitol (OAAS v0.9.0, RFC 0056): the fields, and how lists of the standard correspond to objects of
// the catalog. https://github.com/bitol-io/tsc/blob/main/rfcs/0056-oaas.md

import { ROLES_MAX } from '../../agreement/agreement.ts'
import { any, list, object, text, type ObjectShape } from '../../shape/shape.ts'
import { asText, getField, isObject, jsonText } from '../../text/value.ts'
import type { ObjectValue, Value } from '../../text/value.ts'

/** The `kind` of access agreements. */
export const OAAS_KIND = 'AccessAgreement'

/** The versions that are read; the last one is written. */
export const OAAS_VERSIONS = ['v0.9.0'] as const

/** The fields of an access agreement. */
export const OAAS_SHAPE: ObjectShape = object({
  fields: {
    apiVersion: text(),
    kind: text(),
    id: text(),
    name: text(),
    version: text(),
    status: text({ allowed: ['requested', 'approved', 'rejected'] }),
    startTimestamp: text({ format: 'date-time' }),
    endTimestamp: text({ format: 'date-time' }),
    nextReassessmentTimestamp: text({ format: 'date-time' }),
    description: object({
      fields: { purpose: text(), usage: text(), limitations: text(), terms: text() },
      required: ['purpose'],
    }),
    provider: object({
      fields: {
        teamId: text(),
        dataProductId: text(),
        outputPortId: text(),
        dataContractId: text(),
        dataContractVersion: text(),
      },
      required: ['teamId', 'dataProductId', 'outputPortId'],
    }),
    consumer: object({ fields: { teamId: text(), dataProductId: text(), userId: text() } }),
    roles: list(object({ fields: { role: text() }, required: ['role'] }), { itemsMax: ROLES_MAX }),
    tags: list(text()),
    authoritativeDefinitions: list(
      object({ fields: { type: text(), url: text() }, required: ['type', 'url'] }),
    ),
    customProperties: list(
      object({ fields: { property: text(), value: any }, required: ['property', 'value'] }),
    ),
  },
  required: ['apiVersion', 'kind', 'id', 'status', 'description', 'provider', 'consumer'],
})

/** The fields of the first and the second level that the catalog has no member for. They are texts. */
export const OTHER_TEXTS: ReadonlySet<string> = new Set([
  'name',
  'version',
  'description.usage',
  'description.limitations',
])

/** The objects whose fields are mapped one by one; the fields of the document itself have no such name. */
export const SECTIONS = ['description', 'provider', 'consumer'] as const

/** The prefix of members of `custom` that hold fields of the standard. */
export const CUSTOM_PREFIX = 'oaas.'

/** The custom property for states that the standard has no word for. */
export const STATE_PROPERTY = 'portbook.state'

/** Returns whether a document is an access agreement of Bitol. */
export function isOaas(value: Value | undefined): value is ObjectValue {
  return getField(value, 'kind') === OAAS_KIND
}

/** A list of the standard, and the names of the two fields that the catalog keeps as one member of an object. */
interface NamedList {
  field: string
  name: string
  value: string
}

/** Links to external sources. */
export const LINKS: NamedList = { field: 'authoritativeDefinitions', name: 'type', value: 'url' }

/** Properties of platforms. */
export const PROPERTIES: NamedList = {
  field: 'customProperties',
  name: 'property',
  value: 'value',
}

/** Returns the items of a list; none if the value is not a list. */
export function listItems(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : []
}

/**
 * Returns a list as an object, with the first item of each name. Properties with the prefix of the standard's fields are
 * left out.
 */
export function toNamed(items: readonly Value[], { name, value }: NamedList): ObjectValue {
  const named = new Map<string, Value>()
  for (const item of items) {
    const key = asText(getField(item, name))
    const content = getField(item, value)
    if (key === undefined || key.startsWith(CUSTOM_PREFIX) || content === undefined) continue
    if (!named.has(key)) named.set(key, content)
  }
  return Object.fromEntries(named)
}

/**
 * Returns an object as a list. `kept` are the items that were sent, with their further fields: those that the object
 * still has stay, with its values, and so do those that it cannot hold.
 */
export function fromNamed(
  members: ObjectValue,
  kept: readonly Value[],
  { name, value }: NamedList,
): Value[] {
  const rest = new Map(Object.entries(members))
  const names = new Set<string>()
  const items = kept.flatMap((item): Value[] => {
    const key = asText(getField(item, name))
    if (key === undefined || !isObject(item)) return []
    if (key.startsWith(CUSTOM_PREFIX)) return [item]
    if (!Object.hasOwn(members, key)) return []
    if (names.has(key)) return [item]
    names.add(key)
    const content = rest.get(key) ?? null
    rest.delete(key)
    return [{ ...item, [value]: content }]
  })
  return [...items, ...[...rest].map(([key, content]) => ({ [name]: key, [value]: content }))]
}

/** Returns roles as a list of the standard. `kept` are the items that were sent, with their further fields. */
export function toRoles(roles: readonly string[], kept: readonly Value[]): Value[] {
  const byRole = new Map(kept.map((item) => [asText(getField(item, 'role')), item]))
  return roles.map((role) => byRole.get(role) ?? { role })
}

/** Returns whether two lists have the same text. */
export function isSameList(a: readonly Value[], b: readonly Value[]): boolean {
  return jsonText([...a]) === jsonText([...b])
}

/** Returns the first day of an instant, and whether it is the beginning of that day in UTC; undefined = no instant. */
function splitInstant(text: string): { day: string; isWhole: boolean } | undefined {
  try {
    const [day = '', time] = Temporal.Instant.from(text).toString().split('T')
    return { day, isWhole: time === '00:00:00Z' }
  } catch {
    return undefined
  }
}

/** A day, and whether the text has a time of day that the day does not keep. */
interface ReadDay {
  /** `YYYY-MM-DD`. */
  day: string
  isRounded: boolean
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Reads an instant as a day in UTC. An end inside of a day is the next day. Undefined = no instant of the years 0 to 9999. */
export function readDay(text: string, isEnd: boolean): ReadDay | undefined {
  const instant = splitInstant(text)
  if (instant === undefined || !DAY.test(instant.day)) return undefined
  const { day, isWhole } = instant
  if (isWhole || !isEnd) return { day, isRounded: !isWhole }
  const next = Temporal.PlainDate.from(day).add({ days: 1 }).toString()
  return DAY.test(next) ? { day: next, isRounded: true } : undefined
}

/** Writes a day as the instant at which it begins in UTC. */
export function writeDay(day: string): string {
  return `${day}T00:00:00Z`
}
