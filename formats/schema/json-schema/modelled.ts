// Tracks the keywords of a JSON Schema that a model or field already contains, so that they are not
// repeated as traits.

import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import { type ExactNumber, getField, asText, type Value } from '../../text/value.ts'
import { isNumeric, plainKeyword } from './canonical.ts'
import { sortedSet } from './sets.ts'
import { type SchemaPart, partsIn } from './references.ts'
import { isIneffective } from './keywords.ts'
import { listConstants, listAt } from './parts.ts'
import type { Field, Model } from '../model.ts'

/** Keywords of parts of a schema that were read into fields. */
export class ModelledKeywords {
  readonly #keywords = new Map<SchemaPart, Set<string>>()

  add(parts: readonly SchemaPart[], ...keywords: string[]): void {
    for (const part of parts) {
      const before = this.#keywords.get(part)
      if (before === undefined) this.#keywords.set(part, new Set(keywords))
      else for (const keyword of keywords) before.add(keyword)
    }
  }

  has(part: SchemaPart, keyword: string): boolean {
    return this.#keywords.get(part)?.has(keyword) === true
  }
}

const MOMENTS: ReadonlyMap<string, Field['logicalType']> = new Map([
  ['date', 'date'],
  ['time', 'time'],
  ['date-time', 'timestamp'],
])

/** Returns whether a model or field is at least as strict as a keyword of a part of its schema. */
export function isRepresented(subject: Field | Model, part: SchemaPart, keyword: string): boolean {
  if (!('logicalType' in subject)) return false
  if (keyword === 'anyOf' || keyword === 'oneOf') return isConstants(subject, part, keyword)
  const [name, value] =
    plainKeyword(part.schema, keyword, getField(part.schema, keyword) ?? null) ?? []
  if (name === undefined || value === undefined) return true
  switch (name) {
    case 'enum':
      return isListed(subject, value)
    case 'pattern':
      return subject.pattern === value
    case 'format':
      return isFormat(subject, value)
    case 'contentEncoding':
      return subject.logicalType === 'binary' && asText(value)?.toLowerCase() === 'base64'
    case 'minLength':
    case 'minItems':
    case 'minimum':
    case 'exclusiveMinimum':
      return isBeyond(subject[name], value, 1)
    case 'maxLength':
    case 'maxItems':
    case 'maximum':
    case 'exclusiveMaximum':
      return isBeyond(subject[name], value, -1)
    default:
      return false
  }
}

function isFormat({ format, logicalType }: Field, value: Value): boolean {
  return format === value || (typeof value === 'string' && MOMENTS.get(value) === logicalType)
}

function isListed(field: Field, values: Value): boolean {
  if (field.enum === undefined || !Array.isArray(values)) return false
  return textOfSet(field.enum) === textOfSet(values.filter((value) => value !== null))
}

// A choice between different constants is a list of values.
function isConstants(field: Field, part: SchemaPart, keyword: string): boolean {
  const choices = partsIn(listAt(part, keyword)).map(([, choice]) => choice)
  const others = choices.filter(({ schema }) => getField(schema, 'type') !== 'null')
  const values = listConstants(others)
  const isPure = others.every(({ schema }) =>
    Object.keys(Object(schema)).every(
      (name) => isIneffective(name) || name === 'const' || name === 'enum',
    ),
  )
  const distinct = new Set(values?.map((value) => canonicalText(value, any)))
  return (
    values !== undefined && isPure && distinct.size === values.length && isListed(field, values)
  )
}

function textOfSet(values: Value[]): string {
  return canonicalText(sortedSet(values), any)
}

function isBeyond(held: Value | undefined, value: Value, sign: 1 | -1): boolean {
  if (held === undefined || !isNumeric(held) || !isNumeric(value)) return false
  if (canonicalText(held, any) === canonicalText(value, any)) return true
  return sign * (toDouble(held) - toDouble(value)) > 0
}

function toDouble(value: number | ExactNumber): number {
  return typeof value === 'number' ? value : Number(value.text)
}
