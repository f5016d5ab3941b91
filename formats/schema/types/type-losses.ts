// Describes the parts of a field that the text of a type drops.

import { hasForeignTraits } from '../losses.ts'
import type { Field } from '../model.ts'
import type { Spellings } from './spellings.ts'
import type { typedField } from './typed-field.ts'

type Typed = ReturnType<typeof typedField>

const COMPARED = [
  'logicalType',
  'format',
  'maxLength',
  'precision',
  'scale',
  'withTimeZone',
] as const

/**
 * Lists the differences between a type and a field; a field with an unknown time zone may have either.
 */
export function differences(field: Typed, written: Typed): (typeof COMPARED)[number][] {
  const changed = COMPARED.filter(
    (name) =>
      field[name] !== written[name] && (name !== 'withTimeZone' || field[name] !== undefined),
  )
  const isVector = field.vector?.dimensions === written.vector?.dimensions
  const isSame = isVector && field.vector?.elementType === written.vector?.elementType
  return isSame || changed.length > 0 ? changed : ['logicalType']
}

const WORDS = {
  logicalType: 'type',
  format: 'format',
  maxLength: 'longest length',
  precision: 'number of digits',
  scale: 'number of digits after the decimal point',
  withTimeZone: 'time zone',
} as const

/** A written type, and sentences about the parts that it drops. */
interface WrittenType {
  text: string
  spellings: Spellings
  losses: string[]
}

/** Adds sentences about a field to `type.losses`; `at` is its path inside the type. */
export function collectLosses(at: string, field: Field, written: Typed, type: WrittenType): void {
  const { text, spellings, losses } = type
  const owner = at === '' ? '' : ` of ${at}`
  if (field.logicalType === 'vector') {
    if (differences(field, written).length > 0) losses.push(vectorSentence(field, owner, type))
    return
  }
  for (const name of differences(field, written)) {
    losses.push(lossSentence(name, owner, field[name], written[name], text))
  }
  const digits = secondsDigits(field) ?? 0
  if (digits > spellings.secondsMax) {
    losses.push(`The fraction of a second${owner} has ${digits} digits, but "${text}" has fewer.`)
  }
  if (text.startsWith('timestamp') && spellings.instant === 'timestamp(6)') {
    losses.push(`"${text}" holds no moment after the year 2038.`)
  }
  const inner = (part: string): string => (at === '' ? part : `${at}.${part}`)
  for (const part of ['items', 'keys', 'values'] as const) {
    const one = field[part]
    const other = written[part]
    if (one === undefined) continue
    if (other === undefined) losses.push(`The ${inner(part)} cannot be expressed in "${text}".`)
    else collectInner(inner(part), one, other, type)
  }
  if (field.fields === undefined) return
  if (written.fields === undefined) {
    losses.push(`The fields inside${owner} cannot be expressed in "${text}".`)
    return
  }
  for (const [index, one] of field.fields.entries()) {
    const other = written.fields[index]
    if (other !== undefined) collectInner(inner(one.name), one, other, type)
  }
}

function vectorSentence(
  { vector }: Field,
  owner: string,
  { text, spellings }: WrittenType,
): string {
  const { dimensions = 'unknown', elementType = 'unknown' } = vector ?? {}
  const needs = spellings.array === 'brackets' ? ' Vectors need an extension.' : ''
  return `The vector${owner} has ${dimensions} elements of the type ${elementType}, which "${text}" does not state.${needs}`
}

function lossSentence(
  name: (typeof COMPARED)[number],
  owner: string,
  before: string | number | boolean | undefined,
  after: string | number | boolean | undefined,
  text: string,
): string {
  if (name === 'withTimeZone') {
    const has = before === true ? 'have a time zone' : 'have no time zone'
    return `The values${owner} ${has}, but those of "${text}" ${after === true ? 'do' : 'do not'}.`
  }
  const was = before === undefined ? 'is not set' : `is ${before}`
  const becomes = after === undefined ? 'has none' : `has ${after}`
  return `The ${WORDS[name]}${owner} ${was}, but "${text}" ${becomes}.`
}

// Inside a type, only names, types and NOT NULL can be expressed.
function collectInner(at: string, field: Field, written: Field, type: WrittenType): void {
  const { text, losses } = type
  const isNamed = field.name !== '' && written.name !== field.name && !HELD.has(written.name)
  if (isNamed) losses.push(`The name of ${at} is written as "${written.name}".`)
  const parts = DROPPED_PARTS.filter(({ isSet }) => isSet(field)).map(({ word }) => word)
  if (field.required !== written.required) parts.push('whether it is required')
  if (parts.length > 0) losses.push(`"${text}" drops parts of ${at}:  ${parts.join(', ')}.`)
  collectLosses(at, field, written, type)
}

/** The names of items, keys and values have no meaning. */
const HELD = new Set(['items', 'keys', 'values'])

const DROPPED_PARTS: readonly { word: string; isSet: (field: Field) => boolean }[] = [
  { word: 'its description', isSet: (field) => field.description !== undefined },
  { word: 'its values', isSet: (field) => field.enum !== undefined },
  { word: 'its pattern', isSet: (field) => field.pattern !== undefined },
  {
    word: 'its limits',
    isSet: ({ minLength, minItems, maxItems, minimum, maximum, ...field }) =>
      [minLength, minItems, maxItems, minimum, maximum].some((limit) => limit !== undefined) ||
      field.exclusiveMinimum !== undefined ||
      field.exclusiveMaximum !== undefined,
  },
  { word: 'that it is unique', isSet: ({ unique }) => unique },
  { word: 'its classification', isSet: (field) => field.classification !== undefined },
  { word: 'its tags', isSet: ({ tags }) => tags.length > 0 },
  { word: 'what it refers to', isSet: ({ references }) => references.length > 0 },
  { word: 'its quality checks', isSet: ({ quality }) => quality.length > 0 },
  { word: 'properties that only its own schema language has', isSet: hasForeignTraits },
]

/** Returns how many digits of the fraction of a second a type's own text asks for; undefined = the platform's default. */
export function secondsDigits({ physicalType = '', logicalType }: Field): number | undefined {
  if (logicalType !== 'time' && logicalType !== 'timestamp') return undefined
  const [, digits] = /^[a-z_0-9]+ ?\((\d)\)/i.exec(physicalType) ?? []
  if (digits !== undefined) return Number(digits)
  return /-nanos$|_ns$/.test(physicalType) ? 9 : undefined
}
