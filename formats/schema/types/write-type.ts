// Writing of types: from what the values are to the text by which a platform is asked for them.

import type { Field } from '../model.ts'
import type { Platform } from './native-type.ts'
import { readNativeType } from './read-type.ts'
import { SPELLINGS, type Spellings } from './spellings.ts'
import { innerName } from './type-text.ts'
import { typedField } from './typed-field.ts'
import { TYPE_DEPTH_MAX } from './type-syntax.ts'

/**
 * Writes a field's type for a platform that speaks SQL: as its own text says it, where the platform knows that and it
 * says the same, else by what its values are. `losses` are sentences about what the type cannot say.
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
  return { text, losses: lossesOf(field, text, platform) }
}

function writtenText(field: Field, platform: Platform, own: Spellings, depth: number): string {
  const isNested = holdsOthers(field)
  if (field.physicalType !== undefined && !isNested) {
    const native = readNativeType(field.physicalType, platform)
    const isKnown = native.logicalType !== 'unknown'
    if (isKnown && differences(field, typedField(native)).length === 0) return native.text
  }
  if (isNested && depth < TYPE_DEPTH_MAX) {
    return nestedText(field, platform, own, depth) ?? own.object
  }
  return scalarText(field, own)
}

function holdsOthers({ items, keys, fields }: Field): boolean {
  return items !== undefined || keys !== undefined || fields !== undefined
}

function nestedText(
  { items, keys, values, fields }: Field,
  platform: Platform,
  own: Spellings,
  depth: number,
): string | undefined {
  const [open, close] = platform === 'snowflake' ? ['(', ')'] : ['<', '>']
  const inner = (field: Field): string => writtenText(field, platform, own, depth + 1)
  if (items !== undefined) {
    // BigQuery has no list that holds lists.
    if (platform === 'bigquery' && items.items !== undefined) return undefined
    if (own.array === 'brackets') return items.items === undefined ? `${inner(items)}[]` : undefined
    return own.array && `${own.array}${open}${inner(items)}${close}`
  }
  if (keys !== undefined && values !== undefined) {
    return own.map && `${own.map}${open}${inner(keys)},${inner(values)}${close}`
  }
  if (fields === undefined || fields.length === 0) return undefined
  const between = platform === 'databricks' || platform === 'hive' ? ':' : ' '
  const written = fields.map((field) => {
    const required = field.required && platform !== 'bigquery' && platform !== 'hive'
    return `${innerName(field.name, platform)}${between}${inner(field)}${required ? ' NOT NULL' : ''}`
  })
  return own.struct && `${own.struct}${open}${written.join(', ')}${close}`
}

function scalarText(field: Field, own: Spellings): string {
  const { logicalType, format, maxLength } = field
  const formatted = format === undefined ? undefined : formatText(format, own)
  if (formatted !== undefined) return formatted
  switch (logicalType) {
    case 'string':
      return withLength(maxLength, own.stringMax, own.stringOf, own.string)
    case 'binary':
      return withLength(maxLength, own.binaryMax, own.binaryOf, own.binary)
    case 'integer':
      return integerText(field, own)
    case 'number':
      return numberText(field, own)
    case 'boolean':
    case 'date':
    case 'time':
    case 'timestamp':
      return own[logicalType]
    case 'object':
    case 'array':
    case 'map':
      return own.object
    case 'unknown':
      return own.string
  }
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
  const isSaid = length !== undefined && Number.isInteger(length) && length >= 1
  return isSaid && length <= lengthMax ? limited.replace('#', String(length)) : unlimited
}

const BITS = /^(u?)int(\d+)$/

function integerText({ format = '', precision }: Field, own: Spellings): string {
  const [byte, short, int, long, unsigned] = own.integers
  if (precision !== undefined && own.wholeDigits !== undefined && precision <= 38) {
    return own.wholeDigits.replace('#', `${precision},0`)
  }
  const [, sign = '', digits = '64'] = BITS.exec(format) ?? []
  // What has no sign needs one bit more where everything has a sign.
  const bits = Number(digits) + (sign === 'u' ? 1 : 0)
  if (bits <= 8) return byte
  if (bits <= 16) return short
  if (bits <= 32) return int
  return bits <= 64 ? long : unsigned
}

function numberText({ format, precision, scale }: Field, own: Spellings): string {
  if (precision !== undefined) return own.decimal.replace('#', `${precision},${scale ?? 0}`)
  if (format === 'float') return own.float
  return format === 'double' ? own.double : own.number
}

type Typed = ReturnType<typeof typedField>

const SAID = ['logicalType', 'format', 'maxLength', 'precision', 'scale'] as const

function differences(field: Typed, written: Typed): (typeof SAID)[number][] {
  return SAID.filter((name) => field[name] !== written[name])
}

function lossesOf(field: Field, text: string, platform: Platform): string[] {
  const losses: string[] = []
  collectLosses('', field, typedField(readNativeType(text, platform)), text, losses)
  return losses
}

const WORDS = {
  logicalType: 'type',
  format: 'format',
  maxLength: 'longest length',
  precision: 'number of digits',
  scale: 'number of digits behind the point',
} as const

function collectLosses(
  at: string,
  field: Field,
  written: Typed,
  text: string,
  losses: string[],
): void {
  for (const name of differences(field, written)) {
    const was = field[name]
    const said = was === undefined ? 'is not told' : `is ${was}`
    const becomes = written[name] === undefined ? 'tells none' : `says ${written[name]}`
    losses.push(
      `The ${WORDS[name]}${at === '' ? '' : ` of ${at}`} ${said}, but “${text}” ${becomes}.`,
    )
  }
  const inner = (part: string): string => (at === '' ? part : `${at}.${part}`)
  for (const part of ['items', 'keys', 'values'] as const) {
    const one = field[part]
    const other = written[part]
    if (one === undefined) continue
    if (other === undefined) losses.push(`What ${inner(part)} are cannot be told in “${text}”.`)
    else collectInner(inner(part), one, other, text, losses)
  }
  if (field.fields === undefined) return
  if (written.fields === undefined) {
    losses.push(`The fields inside${at === '' ? '' : ` ${at}`} cannot be told in “${text}”.`)
    return
  }
  for (const [index, one] of field.fields.entries()) {
    const other = written.fields[index]
    if (other !== undefined) collectInner(inner(one.name), one, other, text, losses)
  }
}

// Inside of a type, nothing but names, types and NOT NULL can be said.
function collectInner(
  at: string,
  field: Field,
  written: Field,
  text: string,
  losses: string[],
): void {
  const isNamed = field.name !== '' && written.name !== field.name && !HELD.has(written.name)
  if (isNamed) losses.push(`The name of ${at} is written as “${written.name}”.`)
  const unsaid = UNSAID.filter(({ isSaid }) => isSaid(field)).map(({ word }) => word)
  if (field.required !== written.required) unsaid.push('whether it is required')
  if (unsaid.length > 0)
    losses.push(`Of ${at}, inside of “${text}”, is lost: ${unsaid.join(', ')}.`)
  collectLosses(at, field, written, text, losses)
}

/** What arrays and maps hold has names that say nothing. */
const HELD = new Set(['items', 'keys', 'values'])

const UNSAID: readonly { word: string; isSaid: (field: Field) => boolean }[] = [
  { word: 'its description', isSaid: (field) => field.description !== undefined },
  { word: 'its values', isSaid: (field) => field.enum !== undefined },
  { word: 'its pattern', isSaid: (field) => field.pattern !== undefined },
  {
    word: 'its limits',
    isSaid: ({ minLength, minItems, maxItems, minimum, maximum, ...field }) =>
      [minLength, minItems, maxItems, minimum, maximum].some((limit) => limit !== undefined) ||
      field.exclusiveMinimum !== undefined ||
      field.exclusiveMaximum !== undefined,
  },
  { word: 'that it is unique', isSaid: ({ unique }) => unique },
  { word: 'its classification', isSaid: (field) => field.classification !== undefined },
  { word: 'its tags', isSaid: ({ tags }) => tags.length > 0 },
  { word: 'what it refers to', isSaid: ({ references }) => references.length > 0 },
  { word: 'its quality checks', isSaid: ({ quality }) => quality.length > 0 },
]
