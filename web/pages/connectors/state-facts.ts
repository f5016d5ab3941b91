import { ExactNumber, isObject, truncate, type Value } from '../../../formats/text/value.ts'
import { toLabel } from '../../documents/to-label.ts'

/** A member of a connector's state that people look for. */
export interface StateFact {
  label: string
  kind: 'time' | 'position' | 'count'
  /** A time is an instant in ISO form. */
  text: string
}

// What connectors store has no schema, but common names: when they ran, how far they came, how much they did.
const TIMES = /(?:at|time|timestamp|date)$/i
const POSITIONS =
  /(?:id|offsets?|position|cursor|checkpoint|watermark|sequence|lsn|revision|version)$/i
const COUNTS = /(?:counts?|total|processed|created|updated|deleted|failed|errors)$/i

const FACTS_MAX = 30
const CHARACTERS_MAX = 200
const YEAR_2001_SECONDS = 1e9
const YEAR_2001_MS = 1e12
const YEAR_2100_SECONDS = 4.1e9
const YEAR_2100_MS = 4.1e12

/** Lists the known members of a state, also inside of objects: times first, then positions, then counts. */
export function listStateFacts(state: Value | undefined): StateFact[] {
  const facts = listFacts(state, '')
  const kinds = ['time', 'position', 'count']
  return facts.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind)).slice(0, FACTS_MAX)
}

function listFacts(value: Value | undefined, prefix: string): StateFact[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, one]): StateFact[] => {
    const label = prefix === '' ? toLabel(name) : `${prefix}: ${name}`
    if (POSITIONS.test(name) && isObject(one)) return listPositions(one, toLabel(name))
    if (isObject(one)) return prefix === '' ? listFacts(one, toLabel(name)) : []
    const time = TIMES.test(name) ? toInstant(one) : undefined
    if (time !== undefined) return [{ label, kind: 'time', text: time }]
    const text = toText(one)
    if (text === undefined) return []
    if (COUNTS.test(name) && typeof one !== 'string') return [{ label, kind: 'count', text }]
    return POSITIONS.test(name) ? [{ label, kind: 'position', text }] : []
  })
}

// A position for each topic, table or partition.
function listPositions(positions: { [key: string]: Value }, label: string): StateFact[] {
  return Object.entries(positions).flatMap(([name, value]): StateFact[] => {
    const text = Array.isArray(value) ? value.map(toText).join(', ') : toText(value)
    if (text === undefined) return []
    return [{ label: `${label}: ${name}`, kind: 'position', text: truncate(text, CHARACTERS_MAX) }]
  })
}

function toText(value: Value | undefined): string | undefined {
  if (value instanceof ExactNumber) return value.text
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? truncate(value, CHARACTERS_MAX) : undefined
}

function toInstant(value: Value): string | undefined {
  const number = Number(value instanceof ExactNumber ? value.text : value)
  if (typeof value !== 'string') {
    if (number >= YEAR_2001_MS && number < YEAR_2100_MS) return new Date(number).toISOString()
    if (number < YEAR_2001_SECONDS || number >= YEAR_2100_SECONDS) return undefined
    return new Date(number * 1000).toISOString()
  }
  return /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
}
