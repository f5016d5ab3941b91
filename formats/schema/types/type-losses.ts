// What the text of a type drops of a field, as sentences.

import { hasForeignTraits } from '../losses.ts'
import type { Field } from '../model.ts'
import type { Spellings } from './spellings.ts'
import type { typedField } from './typed-field.ts'

type Typed = ReturnType<typeof typedField>

const SAID = ['logicalType', 'format', 'maxLength', 'precision', 'scale', 'withTimeZone'] as const

/** Lists where a type differs from a field; a field of which the time zone is unknown may have either. */
export function differences(field: Typed, written: Typed): (typeof SAID)[number][] {
  return SAID.filter(
    (name) =>
      field[name] !== written[name] && (name !== 'withTimeZone' || field[name] !== undefined),
  )
}

const WORDS = {
  logicalType: 'type',
  format: 'format',
  maxLength: 'longest length',
  precision: 'number of digits',
  scale: 'number of digits behind the point',
  withTimeZone: 'time zone',
} as const

/** A written type, and the sentences about what it drops. */
interface WrittenType {
  text: string
  spellings: Spellings
  losses: string[]
}

/** Adds the sentences about a field to `type.losses`; `at` is its path inside the type. */
export function collectLosses(at: string, field: Field, written: Typed, type: WrittenType): void {
  const { text, spellings, losses } = type
  const owner = at === '' ? '' : ` of ${at}`
  for (const name of differences(field, written)) {
    losses.push(lossSentence(name, owner, field[name], written[name], text))
  }
  const digits = secondsDigits(field) ?? 0
  if (digits > spellings.secondsMax) {
    losses.push(`The fraction of a second${owner} has ${digits} digits, but “${text}” has fewer.`)
  }
  if (text.startsWith('timestamp') && spellings.instant === 'timestamp(6)') {
    losses.push(`“${text}” holds no moment after the year 2038.`)
  }
  const inner = (part: string): string => (at === '' ? part : `${at}.${part}`)
  for (const part of ['items', 'keys', 'values'] as const) {
    const one = field[part]
    const other = written[part]
    if (one === undefined) continue
    if (other === undefined) losses.push(`The ${inner(part)} cannot be expressed in “${text}”.`)
    else collectInner(inner(part), one, other, type)
  }
  if (field.fields === undefined) return
  if (written.fields === undefined) {
    losses.push(`The fields inside${owner} cannot be expressed in “${text}”.`)
    return
  }
  for (const [index, one] of field.fields.entries()) {
    const other = written.fields[index]
    if (other !== undefined) collectInner(inner(one.name), one, other, type)
  }
}

function lossSentence(
  name: (typeof SAID)[number],
  owner: string,
  before: string | number | boolean | undefined,
  after: string | number | boolean | undefined,
  text: string,
): string {
  if (name === 'withTimeZone') {
    const has = before === true ? 'have a time zone' : 'have no time zone'
    return `The values${owner} ${has}, but those of “${text}” ${after === true ? 'do' : 'do not'}.`
  }
  const was = before === undefined ? 'is not set' : `is ${before}`
  const becomes = after === undefined ? 'has none' : `has ${after}`
  return `The ${WORDS[name]}${owner} ${was}, but “${text}” ${becomes}.`
}

// Inside a type, only names, types and NOT NULL can be expressed.
function collectInner(at: string, field: Field, written: Field, type: WrittenType): void {
  const { text, losses } = type
  const isNamed = field.name !== '' && written.name !== field.name && !HELD.has(written.name)
  if (isNamed) losses.push(`The name of ${at} is written as “${written.name}”.`)
  const unsaid = UNSAID.filter(({ isSaid }) => isSaid(field)).map(({ word }) => word)
  if (field.required !== written.required) unsaid.push('whether it is required')
  if (unsaid.length > 0)
    losses.push(`Of ${at}, inside of “${text}”, is lost: ${unsaid.join(', ')}.`)
  collectLosses(at, field, written, type)
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
  { word: 'properties that only its own schema language has', isSaid: hasForeignTraits },
]

/** Returns how many digits of the fraction of a second a type's own text asks for; undefined = the platform's default. */
export function secondsDigits({ physicalType = '', logicalType }: Field): number | undefined {
  if (logicalType !== 'time' && logicalType !== 'timestamp') return undefined
  const [, digits] = /^[a-z_0-9]+ ?\((\d)\)/i.exec(physicalType) ?? []
  if (digits !== undefined) return Number(digits)
  return /-nanos$|_ns$/.test(physicalType) ? 9 : undefined
}
