// Writes types: from the values of a field to the text that declares them on a platform.

import type { Value } from '../../text/value.ts'
import type { Field } from '../model.ts'
import { foldName, legalColumns, quoteInnerName } from './legal-name.ts'
import type { NativeType, Platform } from './native-type.ts'
import { readNativeType } from './read-type.ts'
import { SPELLINGS, type Spellings } from './spellings.ts'
import { collectLosses, differences, secondsDigits } from './type-losses.ts'
import { typedField } from './typed-field.ts'
import { TYPE_DEPTH_MAX } from './type-syntax.ts'

/**
 * Returns the text by which a platform that speaks SQL declares a field's type: the field's own text where that is valid
 * there and means the same, otherwise the type with the same meaning. `losses` are sentences about what the text drops.
 */
export function writeNativeType(
  field: Field,
  platform: Platform,
): { text: string; losses: string[] } {
  const spellings = SPELLINGS.get(platform)
  if (spellings === undefined) {
    return { text: field.logicalType, losses: [`${platform} has no types in SQL.`] }
  }
  const text = writtenText(field, platform, spellings, 0)
  const losses: string[] = []
  collectLosses('', field, typedField(readNativeType(text, platform)), { text, spellings, losses })
  return { text, losses }
}

function writtenText(field: Field, platform: Platform, own: Spellings, depth: number): string {
  const isNested = holdsOthers(field)
  if (field.physicalType !== undefined && !isNested) {
    const native = readNativeType(field.physicalType, platform)
    const isKnown = native.logicalType !== 'unknown' && isWritable(native, platform, own)
    if (isKnown && differences(field, typedField(native)).length === 0) return native.text
  }
  if (isNested && depth < TYPE_DEPTH_MAX) {
    return nestedText(field, platform, own, depth) ?? own.object
  }
  return scalarText(field, platform, own)
}

function holdsOthers({ items, keys, fields }: Field): boolean {
  return items !== undefined || keys !== undefined || fields !== undefined
}

const LENGTH = /^([a-z ]+)\((\d+)\)$/

// Documents may contain types of another platform, or sizes that this one does not accept.
function isWritable(native: NativeType, platform: Platform, own: Spellings): boolean {
  const { text, logicalType, precision, scale = 0 } = native
  if (own.unwritable.test(text)) return false
  if (logicalType === 'time' || logicalType === 'timestamp') return scale <= own.secondsMax
  if (native.enum !== undefined) return enumText(native.enum) === text
  const [, name = '', length] = LENGTH.exec(text.toLowerCase()) ?? []
  if (length !== undefined && precision === undefined) {
    return !Object.hasOwn(own.lengths, name) || Number(length) <= (own.lengths[name] ?? 0)
  }
  if (precision === undefined || !text.includes('(')) return true
  return decimalText(precision, scale, platform, own) === text || fitsDigits(native, own)
}

function fitsDigits({ text, precision = 0, scale = 0 }: NativeType, own: Spellings): boolean {
  const [precisionMax, scaleMax] = own.digitsMax
  return (
    precision <= precisionMax && scale <= scaleMax && scale <= precision && !/NUMERIC/.test(text)
  )
}

function nestedText(
  { logicalType, format, items, keys, values, fields }: Field,
  platform: Platform,
  own: Spellings,
  depth: number,
): string | undefined {
  const [open, close] = platform === 'snowflake' ? ['(', ')'] : ['<', '>']
  const inner = (field: Field): string => writtenText(field, platform, own, depth + 1)
  if (items !== undefined && logicalType !== 'array') {
    return platform === 'bigquery' && format === 'range' ? `RANGE<${inner(items)}>` : undefined
  }
  if (items !== undefined) {
    // BigQuery does not support lists of lists.
    if (platform === 'bigquery' && items.items !== undefined) return undefined
    if (own.array === 'brackets') return items.items === undefined ? `${inner(items)}[]` : undefined
    return own.array && `${own.array}${open}${inner(items)}${close}`
  }
  if (keys !== undefined && values !== undefined) {
    const key = inner(keys)
    // Keys in Snowflake are texts and whole numbers; Spark does not compare maps.
    if (platform === 'snowflake' && !/^(?:VARCHAR|NUMBER\(\d+,0\))/.test(key)) return undefined
    if (key.startsWith('map<') || key === 'variant') return undefined
    return own.map && `${own.map}${open}${key},${inner(values)}${close}`
  }
  if (fields === undefined || fields.length === 0 || own.struct === undefined) return undefined
  const between = platform === 'databricks' || platform === 'hive' ? ':' : ' '
  const names = legalColumns(
    fields.map((field) => field.name),
    platform,
  )
  const written = fields.map((field, at) => {
    const name = names[at]?.name ?? field.name
    const required = field.required && platform !== 'bigquery' && platform !== 'hive'
    return `${quoteInnerName(name, platform)}${between}${inner(field)}${required ? ' NOT NULL' : ''}`
  })
  return `${own.struct}${open}${written.join(', ')}${close}`
}

function scalarText(field: Field, platform: Platform, own: Spellings): string {
  const { logicalType, format, maxLength } = field
  const formatted = format === undefined ? undefined : formatText(format, own)
  if (formatted !== undefined) return formatted
  switch (logicalType) {
    case 'string':
      return (
        (platform === 'mysql' && maxLength === undefined ? enumText(field.enum) : undefined) ??
        withLength(maxLength, own.stringMax, own.stringWithLength, own.string)
      )
    case 'binary':
      return withLength(maxLength, own.binaryMax, own.binaryWithLength, own.binary)
    case 'integer':
      return integerText(field, platform, own)
    case 'number':
      return numberText(field, platform, own)
    case 'time':
    case 'timestamp':
      return momentText(field, own)
    case 'boolean':
    case 'date':
      return own[logicalType]
    case 'array':
    case 'map':
      return bareHolder(logicalType, platform, own)
    case 'vector':
      return vectorText(field, platform, own)
    case 'object':
      return own.object
    case 'unknown':
      return own.string
  }
}

const VECTOR_DIMENSIONS_MAX = 4096

function vectorText({ vector }: Field, platform: Platform, own: Spellings): string {
  const { dimensions = 0, elementType } = vector ?? {}
  const isWhole = elementType === 'int8' || elementType === 'uint8' || elementType === 'binary'
  if (platform === 'snowflake' && dimensions > 0 && dimensions <= VECTOR_DIMENSIONS_MAX) {
    return `VECTOR(${isWhole ? 'INT' : 'FLOAT'},${dimensions})`
  }
  const number = elementType === 'float64' ? own.double : own.float
  const element = isWhole ? own.integers[1] : number
  if (own.array === 'brackets') return `${element}[]`
  if (platform === 'snowflake') return 'ARRAY'
  return own.array === undefined ? own.object : `${own.array}<${element}>`
}

// An array or map of unknown elements.
function bareHolder(logicalType: 'array' | 'map', platform: Platform, own: Spellings): string {
  if (platform === 'databricks') {
    return logicalType === 'array' ? 'array<variant>' : 'map<string,variant>'
  }
  return platform === 'snowflake' && logicalType === 'array' ? 'ARRAY' : own.object
}

function formatText(format: string, own: Spellings): string | undefined {
  return Object.hasOwn(own.formats, format) ? own.formats[format] : undefined
}

function withLength(
  length: number | undefined,
  lengthMax: number,
  limited: string,
  unlimited: string,
): string {
  const isValid = length !== undefined && Number.isInteger(length) && length >= 1
  return isValid && length <= lengthMax ? limited.replace('#', String(length)) : unlimited
}

const ENUM_WORDS_MAX = 3000

/**
 * Returns the MySQL type of a list of words; undefined for words that it cannot store: MySQL compares
 * them without case and accents, and drops trailing blanks.
 */
function enumText(values: readonly Value[] | undefined): string | undefined {
  if (values === undefined || values.length === 0 || values.length > ENUM_WORDS_MAX)
    return undefined
  const words = values.filter((value) => typeof value === 'string')
  const isAllowed = words.every(
    (word) => /^[^\p{Cc}\p{Cs}]{0,255}$/u.test(word) && !word.endsWith(' '),
  )
  const isDistinct = new Set(words.map(foldName)).size === values.length
  if (!isAllowed || !isDistinct) return undefined
  return `enum(${words.map((word) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`).join(',')})`
}

const BITS = /^(u?)int(\d+)$/
const LONG_DIGITS = 18

function integerText(
  { format = '', precision }: Field,
  platform: Platform,
  own: Spellings,
): string {
  const [byte, short, int, long, unsigned] = own.integers
  if (precision !== undefined && own.wholeDigits !== undefined && precision <= 38) {
    return own.wholeDigits.replace('#', `${precision},0`)
  }
  if (precision !== undefined && precision > LONG_DIGITS) {
    return decimalText(precision, 0, platform, own)
  }
  const [, sign = '', digits = '64'] = BITS.exec(format) ?? []
  // A type with a sign needs one bit more than one without.
  const bits = Number(digits) + (sign === 'u' ? 1 : 0)
  if (bits <= 8) return byte
  if (bits <= 16) return short
  if (bits <= 32) return int
  if (bits <= 64) return long
  return bits === 65 ? unsigned : decimalText(39, 0, platform, own)
}

function numberText(field: Field, platform: Platform, own: Spellings): string {
  const { format, precision, scale = 0 } = field
  if (precision !== undefined) return decimalText(precision, scale, platform, own)
  if (format === 'float') return own.float
  return format === 'double' ? own.double : own.number
}

/**
 * Returns the decimal type with these digits, or the widest one if the platform does not have so many
 * digits.
 */
function decimalText(
  wanted: number,
  wantedScale: number,
  platform: Platform,
  own: Spellings,
): string {
  const [precisionMax, scaleMax] = own.digitsMax
  const precision = Math.max(1, Math.min(wanted, precisionMax))
  const whole = Math.max(0, wanted - wantedScale)
  // If there are too many digits, those before the decimal point are kept, but at least half of the
  // digits stay after it.
  const room =
    wanted > precisionMax ? Math.max(precisionMax - whole, Math.floor(precisionMax / 2)) : wanted
  const scale = Math.max(0, Math.min(wantedScale, scaleMax, precision, room))
  if (platform !== 'bigquery') return own.decimal.replace('#', `${precision},${scale}`)
  // https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#parameterized_decimal_type
  if (scale <= 9 && precision <= scale + 29) return `NUMERIC(${precision},${scale})`
  return precision <= scale + 38 ? `BIGNUMERIC(${precision},${scale})` : 'BIGNUMERIC'
}

function momentText(field: Field, own: Spellings): string {
  const text = zonedText(field, own)
  const digits = secondsDigits(field)
  if (digits === undefined || !own.takesSeconds) return text
  const [first = '', ...rest] = text.split(' ')
  const name = first.replace(/\(\d\)$/, '')
  return [`${name}(${Math.min(digits, own.secondsMax)})`, ...rest].join(' ')
}

function zonedText({ logicalType, withTimeZone }: Field, own: Spellings): string {
  if (logicalType === 'time') return (withTimeZone === true ? own.zonedTime : undefined) ?? own.time
  if (withTimeZone === undefined) return own.timestamp
  return withTimeZone ? own.instant : own.localTimestamp
}
