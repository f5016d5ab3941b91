// The values of a rule, in the form in which a database compares them with a column. A value that no value of the column
// can equal is left out: it is neither valid nor missing.

import type { ActualColumn } from '../actual.ts'
import { ExactNumber, type Value } from '../../text/value.ts'
import { VALUE_CHARACTERS_MAX, VALUES_MAX, type ComparedValues } from './measure.ts'

/** Values for a statement, or why they cannot be compared with the column. */
type ComparedReading = { ok: true; values: ComparedValues } | { ok: false; reason: string }

/** Reads the values with which a column is compared; null among them has no meaning. */
export function readComparedValues(list: readonly Value[], column: ActualColumn): ComparedReading {
  const given = list.filter((value) => value !== null)
  if (given.length > VALUES_MAX) {
    return { ok: false, reason: `the rule has more than ${VALUES_MAX} values` }
  }
  const kind = findKind(column)
  if (kind === undefined) {
    const type = column.field.physicalType ?? column.field.logicalType
    return { ok: false, reason: `values of the type ${type} are not compared` }
  }
  const texts = given.flatMap((value) => READERS[kind](value) ?? [])
  if (texts.some((text) => text.length > VALUE_CHARACTERS_MAX)) {
    return { ok: false, reason: `a value has more than ${VALUE_CHARACTERS_MAX} characters` }
  }
  return { ok: true, values: { kind, texts: [...new Set(texts)] } }
}

// The same value of binary floating point has several texts, and a timestamp depends on a zone.
const DECIMAL = /^(?:numeric|decimal|dec|fixed)\b/
const INTEGER = /^(?:tiny|small|medium|big)?int|^(?:small|big)?serial/
const BOOLEAN = /^(?:bool|tinyint\(1\))/

function findKind({ field, baseType }: ActualColumn): ComparedValues['kind'] | undefined {
  const { logicalType } = field
  const type = (baseType ?? field.physicalType ?? '').trim().toLowerCase()
  if (logicalType === 'string') return 'text'
  if (logicalType === 'date') return 'date'
  if (logicalType === 'boolean') return BOOLEAN.test(type) ? 'boolean' : undefined
  const isNumber = logicalType === 'integer' || logicalType === 'number'
  return isNumber && (INTEGER.test(type) || DECIMAL.test(type)) ? 'number' : undefined
}

type Reader = (value: Value) => string | undefined

const READERS: Readonly<Record<ComparedValues['kind'], Reader>> = {
  text: readText,
  number: readDecimal,
  boolean: readBoolean,
  date: readDate,
}

// A database has no NUL and no half of a surrogate pair in its texts.
function readText(value: Value): string | undefined {
  const text = toText(value)
  return text?.isWellFormed() === true && !text.includes('\0') ? text : undefined
}

function toText(value: Value): string | undefined {
  if (value instanceof ExactNumber) return value.text
  return typeof value === 'object' ? undefined : String(value)
}

const DECIMAL_TEXT = /^-?\d{1,30}(?:\.\d{1,30})?$/

function readDecimal(value: Value): string | undefined {
  const text = toText(value)?.trim() ?? ''
  if (typeof value === 'boolean') return undefined
  if (DECIMAL_TEXT.test(text)) return text
  const number = text === '' ? Number.NaN : Number(text)
  if (!Number.isInteger(number)) return undefined
  const whole = BigInt(number).toString()
  return DECIMAL_TEXT.test(whole) ? whole : undefined
}

function readBoolean(value: Value): string | undefined {
  const text = toText(value)?.trim().toLowerCase()
  if (text === 'true' || text === '1') return 'true'
  return text === 'false' || text === '0' ? 'false' : undefined
}

const DATE_TEXT = /^\d{4}-\d{2}-\d{2}$/

function readDate(value: Value): string | undefined {
  const text = toText(value)?.trim() ?? ''
  const time = DATE_TEXT.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // JavaScript takes the 30th of February as the second of March.
  return new Date(time).getTime() === time && new Date(time).toISOString().startsWith(text)
    ? text
    : undefined
}
