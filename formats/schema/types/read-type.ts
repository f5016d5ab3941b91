// Reads types of platforms: from the text, by the platform's table, to the values.

import type { LogicalType } from '../model.ts'
import { isNational, isPadded } from './compare-types.ts'
import type { NativeType, Platform } from './native-type.ts'
import { sizedVector, withDimensions } from './read-vector.ts'
import { nestedText, parametersText } from './type-text.ts'
import { findRow, findRows, SQL_TABLES } from './tables.ts'
import { type InnerType, parseTypeText, type TypeSyntax } from './type-syntax.ts'
import type { TypeRow } from './type-table.ts'

/** A longer text is not a type. */
const TYPE_CHARS_MAX = 100_000

const NAMED_OTHERWISE = new Set<Platform | undefined>(['avro', 'json-schema', 'protobuf'])

/** Words that have no effect on the values of a number. */
const IDLE_WORDS = / (?:signed|auto_increment)(?= |$)/g

/**
 * Reads the text of a type (`VARCHAR(10)`, `array<struct<a:int>>`). Without a platform, it is looked up
 * in the tables of all SQL platforms, and a type without a length or digits has none. A type that is in
 * no table is `unknown`.
 */
export function readNativeType(text: string, platform?: Platform): NativeType {
  const trimmed = text.trim()
  const syntax = trimmed.length > TYPE_CHARS_MAX ? undefined : parseTypeText(trimmed)
  const native = syntax && nativeType(syntax, platform)
  if (native !== undefined) return native
  // Avro and Protobuf have names that are not words of SQL: `timestamp-millis`,
  // `google.protobuf.Timestamp`.
  const row = NAMED_OTHERWISE.has(platform) ? findRow(trimmed.toLowerCase(), platform) : undefined
  return row === undefined ? { text: trimmed, logicalType: 'unknown' } : plain(row, row.name)
}

// A collation decides which texts are equal, a character set which are possible.
function nativeType(syntax: TypeSyntax, platform: Platform | undefined): NativeType | undefined {
  const native = bareType(syntax, platform)
  const { collation } = syntax
  if (native === undefined || collation === undefined) return native
  return { ...native, detail: [native.detail, collation].filter(Boolean).join(' ') }
}

function bareType(syntax: TypeSyntax, platform: Platform | undefined): NativeType | undefined {
  // Numbers that MySQL fills with zeros are unsigned.
  const words = syntax.words
    .replaceAll(IDLE_WORDS, '')
    .replace(/(?: unsigned)? zerofill(?: unsigned)?/, ' unsigned')
  const { parameters } = syntax
  if (words === 'nullable' && syntax.inner?.[0] !== undefined) {
    return nativeType(syntax.inner[0].type, platform)
  }
  if (words.endsWith(' array') && syntax.inner === undefined) {
    const type = { ...syntax, words: words.slice(0, -' array'.length) }
    if (type.words.endsWith(' array')) return undefined
    return nested('items', 'array', [{ type, required: false }], platform)
  }
  const exact = parameters && findRow(`${words}(${parameters.join(',')})`, platform)
  if (exact !== undefined) return plain(exact, exact.name)
  const sized = platform === undefined ? sizedVector(syntax) : undefined
  if (sized !== undefined) return sized
  const row = findRow(words, platform) ?? openRow(words, platform)
  if (syntax.inner !== undefined) return holding(words, row, syntax.inner, platform)
  if (row === undefined) return undefined
  if (row.name === 'enum' || row.name === 'set') return enumeration(row, parameters ?? [])
  const native = scalar(row, words, parameters, platform)
  return native === undefined || platform !== undefined
    ? native
    : withReadings(native, words, parameters)
}

// A word without a platform is read as each platform reads it. A type that they disagree about keeps its own word, since
// another name of it may be read differently.
function withReadings(
  native: NativeType,
  words: string,
  parameters: readonly string[] | undefined,
): NativeType {
  const readings = listReadings(native, words, parameters)
  if (readings === undefined) return native
  const again = parseTypeText(native.text)
  const others = again && listReadings(native, again.words, again.parameters)
  const isSame = others !== undefined && describe(others) === describe(readings)
  const text = isSame ? native.text : withParameters(words, parameters?.join(',') ?? '')
  return { ...native, text, readings }
}

function listReadings(
  native: NativeType,
  words: string,
  parameters: readonly string[] | undefined,
): NativeType[] | undefined {
  const rows = findRows(words)
  const readings = rows?.map((row, at) => {
    const platform = SQL_TABLES[at]?.platform
    // Only SQL Server has a `varchar` of one character if no length is given, which no other document means.
    const own = platform === 'sqlserver' && row.length !== undefined ? undefined : platform
    return scalar(row, row.name.toLowerCase(), parameters, own) ?? native
  })
  return readings?.every((one) => describe([one]) === describe([native])) === true
    ? undefined
    : readings
}

// The names of types only matter where the order of types depends on them.
function describe(readings: readonly NativeType[]): string {
  return JSON.stringify(
    readings.map((one) => [isPadded(one), isNational(one), { ...one, text: '' }]),
  )
}

// `interval day to second` belongs to `interval`.
function openRow(words: string, platform: Platform | undefined): TypeRow | undefined {
  const first = words.split(' ', 1)[0] ?? ''
  const row = first === words ? undefined : findRow(first, platform)
  return row?.open === true ? row : undefined
}

function plain(row: TypeRow, text: string): NativeType {
  const { logicalType, format, bits, unsigned, withTimeZone, isZoneAmbiguous, maxLength } = row
  const { fraction, storedBits, inBytes, isBasic, isExact, detail } = row
  return {
    text,
    logicalType,
    ...(format === undefined ? {} : { format }),
    ...(bits === undefined ? {} : { bits }),
    ...(unsigned === undefined ? {} : { unsigned }),
    ...(withTimeZone === undefined ? {} : { withTimeZone }),
    ...(isZoneAmbiguous === undefined ? {} : { isZoneAmbiguous }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(fraction === undefined ? {} : { scale: fraction }),
    ...(storedBits === undefined ? {} : { storedBits }),
    ...(inBytes === undefined ? {} : { inBytes }),
    ...(isBasic === undefined ? {} : { isBasic }),
    ...(isExact === undefined ? {} : { isExact }),
    ...(detail === undefined ? {} : { detail }),
  }
}

function scalar(
  row: TypeRow,
  words: string,
  parameters: readonly string[] | undefined,
  platform: Platform | undefined,
): NativeType | undefined {
  if (row.open === true) {
    const rest = words.slice(row.name.length)
    // The text is written into SQL statements, so it must not contain anything that ends the type.
    if (parameters?.some((parameter) => !/^[\w ]*$/.test(parameter)) === true) return undefined
    const text = `${rest}${parametersText(parameters ?? [])}`
    return withDetail(plain(row, `${row.name}${text}`), text)
  }
  if (row.elements !== undefined)
    return withDimensions(plain(row, row.name), row.elements, parameters)
  if (row.length !== undefined) return withLength(row, parameters, platform)
  if (row.digits !== undefined) return withDigits(row, parameters, platform)
  if (row.seconds !== undefined) return withSeconds(row, parameters)
  if (row.single !== undefined && parameters !== undefined) {
    const digits = parameters.length === 1 ? getCount(parameters[0]) : undefined
    const single = digits !== undefined && digits <= 24 ? findRow(row.single, platform) : row
    return digits === undefined || single === undefined ? undefined : plain(single, single.name)
  }
  if (row.double !== undefined && parameters !== undefined) return withBinaryDigits(row, parameters)
  return parameters === undefined || row.shown === true ? plain(row, row.name) : undefined
}

function withDetail(native: NativeType, text: string): NativeType {
  const detail = text.trim().toLowerCase().replaceAll(/\s/g, '')
  return detail === '' ? native : { ...native, detail }
}

// `float(53)` of MySQL is a double, and `float(7,2)` has at most seven digits.
function withBinaryDigits(row: TypeRow, parameters: readonly string[]): NativeType | undefined {
  const [digits, fraction] = parameters.map(getCount)
  if (digits === undefined || parameters.length > 2) return undefined
  if (parameters.length === 2) {
    const text = `(${digits},${fraction ?? 0})`
    return fraction === undefined ? undefined : withDetail(plain(row, `${row.name}${text}`), text)
  }
  const double = digits > 24 ? findRow(row.double ?? '', 'mysql') : row
  return double && plain(double, double.name)
}

function withLength(
  row: TypeRow,
  parameters: readonly string[] | undefined,
  platform: Platform | undefined,
): NativeType | undefined {
  const { otherwise, unlimited } = row.length ?? {}
  if (parameters === undefined) {
    const length = platform === undefined ? undefined : otherwise
    const read = plain(row, row.name)
    return length === undefined ? read : { ...read, maxLength: length }
  }
  const [given = ''] = parameters
  if (given.toLowerCase() === 'max') return plain(row, `${row.name}(max)`)
  // In Oracle, the length may be in characters or in bytes.
  const length = getCount(given.replace(/ (?:char|byte)$/i, ''))
  if (length === undefined || parameters.length > 1) return undefined
  if (length === unlimited) return plain(row, row.name)
  const text = length === otherwise ? row.name : `${row.name}(${length})`
  const isBytes = / byte$/i.test(given)
  return { ...plain(row, text), maxLength: length, ...(isBytes && { inBytes: true }) }
}

function withDigits(
  row: TypeRow,
  parameters: readonly string[] | undefined,
  platform: Platform | undefined,
): NativeType | undefined {
  const { fixed, ...defaults } = row.digits ?? {}
  if (fixed === true) {
    return parameters === undefined ? { ...plain(row, row.name), ...defaults } : undefined
  }
  if (parameters === undefined && (platform === undefined || defaults.precision === undefined)) {
    return plain(row, row.name)
  }
  const precision = parameters === undefined ? defaults.precision : getCount(parameters[0])
  const scale = parameters === undefined ? defaults.scale : getScale(parameters)
  if (precision === undefined || scale === undefined) return undefined
  // If all numbers are decimals, those without a fraction are the integers.
  const isInteger = platform === 'snowflake' && scale === 0
  const shown =
    precision === defaults.precision && scale === defaults.scale && !isInteger
      ? row.name
      : withParameters(row.name, `${precision},${scale}`)
  const logicalType: LogicalType = isInteger ? 'integer' : row.logicalType
  return { ...plain(row, shown), logicalType, precision, scale }
}

function getScale(parameters: readonly string[]): number | undefined {
  if (parameters.length > 2) return undefined
  if (parameters.length === 1) return 0
  return getCount(parameters[1])
}

function withSeconds(
  row: TypeRow,
  parameters: readonly string[] | undefined,
): NativeType | undefined {
  const scale = parameters === undefined ? row.seconds : getCount(parameters[0])
  if (scale === undefined) return undefined
  const text = scale === row.seconds ? row.name : withParameters(row.name, `${scale}`)
  return { ...plain(row, text), scale }
}

// The parameters follow the first word: `timestamp(3) with time zone`, `decimal(10,2) unsigned`.
function withParameters(name: string, parameters: string): string {
  const [first = '', ...rest] = name.split(' ')
  return [parameters === '' ? first : `${first}(${parameters})`, ...rest].join(' ')
}

function enumeration(row: TypeRow, words: readonly string[]): NativeType {
  const text = words.map((word) => `'${word.replaceAll("'", "''")}'`).join(',')
  const read = plain(row, words.length === 0 ? row.name : `${row.name}(${text})`)
  if (words.length === 0) return { ...read, detail: 'words' }
  // The values of a set are lists of its words.
  return row.name === 'set' ? { ...read, detail: text } : { ...read, enum: [...words] }
}

function holding(
  words: string,
  row: TypeRow | undefined,
  inner: readonly InnerType[],
  platform: Platform | undefined,
): NativeType | undefined {
  const holds = row?.holds ?? (words === 'list' ? 'items' : undefined) ?? getHolds(words)
  return holds === undefined ? undefined : nested(holds, words, inner, platform, row)
}

// An array may be written `integer[]` if no type is called array.
function getHolds(words: string): TypeRow['holds'] {
  return words === 'array' ? 'items' : undefined
}

function nested(
  holds: NonNullable<TypeRow['holds']>,
  words: string,
  inner: readonly InnerType[],
  platform: Platform | undefined,
  row?: TypeRow,
): NativeType | undefined {
  const parts = inner.map(({ type }) => nativeType(type, platform) ?? unreadType(type))
  // PostgreSQL ignores the number of dimensions: `int[][]` is the type `int[]`.
  if (platform === 'postgresql' && holds === 'items' && parts[0]?.items !== undefined)
    return parts[0]
  const base = row === undefined ? { logicalType: 'array' as const } : plain(row, row.name)
  const [first, second] = parts
  let read: Omit<NativeType, 'text'>
  if (holds === 'fields') read = { ...base, fields: getFields(inner, parts) }
  else if (holds === 'items' && first !== undefined && parts.length === 1) {
    read = { ...base, items: first }
  } else if (holds === 'entries' && first !== undefined && second !== undefined) {
    if (parts.length > 2) return undefined
    read = { ...base, keys: first, values: second }
  } else return undefined
  return { ...read, text: nestedText(row?.name ?? words, read, platform) }
}

function getFields(
  inner: readonly InnerType[],
  parts: readonly NativeType[],
): NonNullable<NativeType['fields']> {
  return inner.flatMap(({ name, required, description }, at) => {
    const type = parts[at]
    if (type === undefined) return []
    const field = { name: name ?? `_field_${at + 1}`, type, required }
    return [description === undefined ? field : { ...field, description }]
  })
}

function unreadType({ words, parameters }: TypeSyntax): NativeType {
  return { text: `${words}${parametersText(parameters ?? [])}`, logicalType: 'unknown' }
}

function getCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined
}
