// The facts of a server: the parts of its address that people copy.

import { newTable } from '../name/table.ts'
import { ExactNumber, getField, isObject, type ObjectValue, type Value } from '../text/value.ts'
import {
  findOddity,
  hasHiddenCharacter,
  hasSecret,
  isSecretName,
  revealHidden,
} from './value-check.ts'

/** A part of the address of a server. */
export interface Fact {
  /** The name of the property: `host`. */
  name: string
  /** Its name for people: `Host`. */
  label: string
  value: string
  /** Why nothing to paste contains it, a sentence. */
  warning?: string
}

// The properties of the standards, the most significant first.
const LABELS = newTable({
  host: 'Host',
  port: 'Port',
  account: 'Account',
  endpoint: 'Endpoint',
  endpointUrl: 'Endpoint',
  catalogUrl: 'Catalog address',
  location: 'Location',
  path: 'Path',
  project: 'Project',
  catalog: 'Catalog',
  database: 'Database',
  serviceName: 'Service',
  dataset: 'Dataset',
  schema: 'Schema',
  namespace: 'Namespace',
  warehouse: 'Warehouse',
  workgroup: 'Workgroup',
  region: 'Region',
  regionName: 'Region',
  stagingDir: 'Staging directory',
  clusterIdentifier: 'Cluster',
  topic: 'Topic',
  stream: 'Stream',
  share: 'Share',
  format: 'Format',
  delimiter: 'Delimiter',
  encoding: 'Encoding',
})

/** The names of the properties that rules read. */
export const ADDRESS_NAMES: readonly string[] = Object.keys(LABELS)

const OTHER_NAMES = new Set(
  'id server type environment roles customProperties additionalProperties table view customType'.split(
    ' ',
  ),
)

const FACTS_MAX = 40
const VALUE_CHARACTERS_MAX = 1000

/** Returns a text, number or boolean as text; undefined for other values and blank texts. */
export function toText(value: Value | undefined): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return value instanceof ExactNumber ? value.text : undefined
}

/** Lists the facts of a server: its properties that are texts or numbers, without credentials. */
export function listFacts(
  properties: ObjectValue,
  findValueOddity: (name: string, text: string) => string | undefined,
): Fact[] {
  const known = ADDRESS_NAMES.flatMap((name) => {
    const text = toText(getField(properties, name))
    if (text === undefined) return []
    const warning = findValueOddity(name, text)
    return [toFact({ name, label: LABELS[name] ?? name, text, warning })]
  })
  const others = Object.entries(properties).filter(
    ([name]) => LABELS[name] === undefined && !OTHER_NAMES.has(name),
  )
  const rest = [...others, ...listCustomProperties(properties)].flatMap(([name, value]) => {
    const text = toText(value)
    if (text === undefined || isSecretName(name)) return []
    return [toFact({ name, label: toLabel(name), text })]
  })
  return [...known, ...rest].slice(0, FACTS_MAX)
}

function listCustomProperties(properties: ObjectValue): [string, Value][] {
  const list = getField(properties, 'customProperties')
  if (!Array.isArray(list)) return isObject(list) ? Object.entries(list) : []
  return list.flatMap((item): [string, Value][] => {
    const name = toText(getField(item, 'property'))
    const value = getField(item, 'value')
    return name === undefined || value === undefined || OTHER_NAMES.has(name) ? [] : [[name, value]]
  })
}

// `clusterIdentifier` becomes `Cluster identifier`.
function toLabel(name: string): string {
  const words = revealHidden(name.slice(0, 80)).replaceAll(/([a-z])([A-Z])/g, (_, end, start) => {
    return `${end} ${String(start).toLowerCase()}`
  })
  const spaced = words.replaceAll(/[_-]+/g, ' ').trim()
  return `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}`
}

/** Creates a fact. Hidden characters become escapes, and an address with a password is not shown. */
export function toFact({
  name,
  label,
  text,
  warning,
}: {
  name: string
  label: string
  text: string
  warning?: string | undefined
}): Fact {
  if (hasSecret(text)) {
    return { name, label, value: '<secret>', warning: 'Contains a password or a signature.' }
  }
  const isLong = text.length > VALUE_CHARACTERS_MAX
  const whole = isLong ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text
  const value = hasHiddenCharacter(whole) ? revealHidden(whole) : whole
  const own = warning ?? (hasHiddenCharacter(text) ? findOddity(name, text) : undefined)
  return { name, label, value, ...(own === undefined ? {} : { warning: own }) }
}
