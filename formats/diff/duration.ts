// Parses the measures of service levels (durations, frequencies, amounts) in any unit.

import { asText, type Value } from '../text/value.ts'

/** An amount in a dimension; only amounts with the same dimension are comparable. */
export interface Measure {
  of: string
  amount: number
  /** Of a time of day in a zone: the second of the day in UTC. */
  utc?: number
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
// The mean year of the Gregorian calendar.
const YEAR = 365.2425 * DAY

const SECONDS: ReadonlyMap<string, number> = new Map([
  ...listUnits(0.001, 'ms millisecond milliseconds'),
  ...listUnits(1, 's sec secs second seconds'),
  ...listUnits(MINUTE, 'm min mins minute minutes'),
  ...listUnits(HOUR, 'h hr hrs hour hours'),
  ...listUnits(DAY, 'd day days'),
  ...listUnits(7 * DAY, 'w wk week weeks'),
  ...listUnits(YEAR / 12, 'mo mon month months'),
  ...listUnits(YEAR / 4, 'quarter quarters'),
  ...listUnits(YEAR, 'y yr yrs year years'),
])

const INTERVALS: ReadonlyMap<string, number> = new Map([
  ['hourly', HOUR],
  ['daily', DAY],
  ['weekly', 7 * DAY],
  ['monthly', YEAR / 12],
  ['quarterly', YEAR / 4],
  ['yearly', YEAR],
  ['annually', YEAR],
])

const ENDLESS = new Set(['unlimited', 'forever', 'indefinite', 'infinite'])

const AMOUNT = /^([-+]?\d{1,15}(?:\.\d{1,15})?)\s*([a-z%]*)$/
const ISO =
  /^p(?:(\d{1,9}(?:\.\d{1,9})?)y)?(?:(\d{1,9}(?:\.\d{1,9})?)m)?(?:(\d{1,9}(?:\.\d{1,9})?)w)?(?:(\d{1,9}(?:\.\d{1,9})?)d)?(?:t(?:(\d{1,9}(?:\.\d{1,9})?)h)?(?:(\d{1,9}(?:\.\d{1,9})?)m)?(?:(\d{1,9}(?:\.\d{1,9})?)s)?)?$/
const ISO_SECONDS = [YEAR, YEAR / 12, 7 * DAY, DAY, HOUR, MINUTE, 1]
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:t\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:z|[-+]\d{2}:\d{2}))?$/
const CLOCK = /^(\d{2}):(\d{2})(?::(\d{2}))?(?:(z)|([-+])(\d{2}):(\d{2}))?$/
const CHARS_MAX = 100

function listUnits(seconds: number, words: string): [string, number][] {
  return words.split(' ').map((word) => [word, seconds])
}

/**
 * Parses an amount: `99.9%`, `25h`, 24 with the unit `hours`, `P1Y`, `daily`, `unlimited`, a date, a time of day.
 * Returns undefined if the value is not an amount.
 */
export function readMeasure(value: Value, unit: string | undefined): Measure | undefined {
  if (value === true) return { of: 'flag', amount: 1 }
  if (value === false) return { of: 'flag', amount: 0 }
  if (typeof value === 'number') return toMeasure(value, unit?.trim().toLowerCase() ?? '')
  const text = asText(value)?.trim().toLowerCase()
  if (text === undefined || text.length > CHARS_MAX) return undefined
  if (ENDLESS.has(text)) return { of: 'seconds', amount: Number.POSITIVE_INFINITY }
  const interval = INTERVALS.get(text)
  if (interval !== undefined) return { of: 'seconds', amount: interval }
  const amount = AMOUNT.exec(text)
  if (amount !== null) return toMeasure(Number(amount[1]), amount[2] || (unit?.toLowerCase() ?? ''))
  if (INSTANT.test(text)) return parseInstant(text)
  return parseClock(text) ?? parseIsoDuration(text)
}

function toMeasure(amount: number, unit: string): Measure {
  const seconds = SECONDS.get(unit)
  if (seconds !== undefined) return { of: 'seconds', amount: amount * seconds }
  const isShare = unit === '%' || unit === 'percent' || unit === 'percentage'
  return { of: isShare ? 'percent' : unit, amount }
}

function parseInstant(text: string): Measure | undefined {
  const milliseconds = Date.parse(text.toUpperCase())
  return Number.isNaN(milliseconds) ? undefined : { of: 'instant', amount: milliseconds }
}

// Times of day in different zones have no order, but may be equal.
function parseClock(text: string): Measure | undefined {
  const clock = CLOCK.exec(text)
  if (clock === null) return undefined
  const [, hour, minute, second = '0', z = '', sign = '', zoneHour = '0', zoneMinute = '0'] = clock
  const amount = toSeconds(hour, minute) + Number(second)
  const offset = toSeconds(zoneHour, zoneMinute) * (sign === '-' ? -1 : 1)
  if (z === '' && sign === '') return { of: 'time', amount }
  return { of: `time ${offset}`, amount, utc: (amount - offset + 2 * DAY) % DAY }
}

function toSeconds(hour: string | undefined, minute: string | undefined): number {
  return Number(hour) * HOUR + Number(minute) * MINUTE
}

function parseIsoDuration(text: string): Measure | undefined {
  const parts = ISO.exec(text)
  if (parts === null || text === 'p' || text.endsWith('t')) return undefined
  const seconds = ISO_SECONDS.map((size, at) => Number(parts[at + 1] ?? 0) * size)
  return { of: 'seconds', amount: seconds.reduce((sum, part) => sum + part, 0) }
}
