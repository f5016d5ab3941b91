// Reads the traits of models and fields: the restrictions of their schemas beyond the model, whether
// null is valid, and whether values of other types are.

import { ExactNumber, getField, isObject, type Value } from '../../text/value.ts'
import { CanonicalForms } from './canonical.ts'
import type { SchemaPart, References } from './references.ts'
import type { ModelledKeywords } from './modelled.ts'
import { NullCheck } from './null.ts'
import type { ResolvedSchema } from './parts.ts'
import { MARKS } from '../json-schema-marks.ts'
import { readTraits } from './traits.ts'
import { listEnumValues, listTypes } from './value.ts'
import type { Field, Model, Traits } from '../model.ts'

/** The schema of a model or field, and what was read from it. */
interface SchemaReading {
  /** The schemas that must all be valid, as they are written. */
  begin: readonly SchemaPart[]
  resolved: ResolvedSchema
  /** The model or field; undefined if its type is unknown. */
  subject: Field | Model | undefined
  modelled: ModelledKeywords
  elsewhere?: ReadonlySet<Value> | undefined
}

/** Reads traits of the schemas of one document. */
export class TraitReader {
  readonly #references: References
  readonly #forms: CanonicalForms
  readonly #nulls: NullCheck

  constructor(references: References) {
    this.#references = references
    this.#forms = new CanonicalForms(references)
    this.#nulls = new NullCheck(references)
  }

  /** Whether some schema was not read, so that the traits do not show its changes. */
  get isIncomplete(): boolean {
    return this.#forms.isIncomplete
  }

  /** Returns the traits of a model or field; undefined when it has none. */
  read({ begin, resolved, subject, modelled, elsewhere }: SchemaReading): Traits | undefined {
    const { parts, resolved: resolvedChoices } = resolved
    const isTyped = parts.some(({ schema }) => getField(schema, 'type') !== undefined)
    const { words } = listTypes(parts)
    const traits = readTraits(this.#forms, this.#references, {
      parts,
      subject,
      types: isTyped ? words : undefined,
      modelled,
      resolved: resolvedChoices,
      ...(elsewhere === undefined ? {} : { elsewhere }),
    })
    const isOpen = subject !== undefined && !isTyped && !isTypedByValues(words, parts)
    if (isOpen && words.length > 0) traits[MARKS.untyped] = true
    const isAny = !isTyped && Object.keys(traits).length === 0 && (subject === undefined || isOpen)
    const isUntyped = isOpen || isAny
    const allowsNull = begin.every((part) => this.#nulls.allows(part))
    // Without a type null is valid, unless another keyword decides about it.
    const isNullDecided = isUntyped ? !allowsNull || resolvedChoices.size > 0 : allowsNull
    if (isNullDecided) traits[MARKS.null] = allowsNull
    return Object.keys(traits).length === 0 ? undefined : traits
  }
}

function isTypedByValues(words: readonly string[], parts: readonly SchemaPart[]): boolean {
  return listEnumValues(parts)?.every((value) => words.includes(typeOfValue(value))) === true
}

function typeOfValue(value: Value): string {
  if (Array.isArray(value)) return 'array'
  if (isObject(value)) return 'object'
  const isNumber = typeof value === 'number' || value instanceof ExactNumber
  return isNumber ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value
}
