// Compares the types of a field, which may be given as the platform's native type, as the logical type, or as both.

import { canonicalText } from '../shape/canonical.ts'
import { any } from '../shape/shape.ts'
import type { Field, QualityCheck, Traits } from '../schema/model.ts'
import type { NativeType, Platform } from '../schema/types/native-type.ts'
import { typedField } from '../schema/types/typed-field.ts'
import type { Value } from '../text/value.ts'
import { type FieldValues, getFieldValues } from './field-values.ts'
import { KnownTypes } from './known-types.ts'
import type { Verdict } from './model-changes.ts'
import { compareFlags, combineVerdicts } from './verdict.ts'

/** The platforms that the types of both versions are written for; undefined = any SQL platform. */
export interface Platforms {
  before?: Platform | undefined
  after?: Platform | undefined
  /** A cache of parsed types. */
  known?: KnownTypes
}

/** A change of a type. */
export interface FieldTypeChange {
  verdict: Verdict
  /** The text of a type that one side has and the table of its platform does not; such a change cannot be analyzed. */
  unread: string | undefined
  /** The native types, if the platform has a table for them. */
  before: NativeType | undefined
  after: NativeType | undefined
}

/**
 * Compares the types of a field; undefined if they are written identically and mean the same. The same text may mean
 * different types on two platforms.
 */
export function compareFieldTypes(
  before: Field,
  after: Field,
  platforms: Platforms,
): FieldTypeChange | undefined {
  const isWritten =
    before.physicalType === after.physicalType &&
    before.logicalType === after.logicalType &&
    before.precision === after.precision &&
    before.scale === after.scale
  if (isWritten && platforms.before === platforms.after) return undefined
  const types = platforms.known ?? new KnownTypes()
  const one = getFieldValues(before, platforms.before, types)
  const other = getFieldValues(after, platforms.after, types)
  const verdict = compareSides(one, other, types)
  if (isWritten && verdict === 'same') return undefined
  const unread = one.unread === other.unread ? undefined : (one.unread ?? other.unread)
  return { verdict, unread, before: one.native, after: other.native }
}

/** Returns the usual notation of a type: `decimal(10,2)`. */
export function typeText(field: Field): string {
  const { physicalType, logicalType, precision, scale } = field
  if (physicalType?.includes('(') === true || precision === undefined) {
    return physicalType ?? logicalType
  }
  const digits = scale === undefined ? `${precision}` : `${precision},${scale}`
  return `${physicalType ?? logicalType}(${digits})`
}

/** Returns whether the other properties of a field only repeat its type, such as the 10 of `varchar(10)`. */
export function isImpliedByType(
  native: NativeType | undefined,
  field: Field,
  names: readonly (keyof Field)[],
): boolean {
  if (native === undefined) return field.physicalType === undefined
  const typed: Partial<Field> = typedField(native)
  // A field with a logical type of another kind does not repeat the details of its type.
  return names.every((name) => field[name] === undefined || isEqual(field[name], typed[name]))
}

function isEqual(a: Field[keyof Field], b: Field[keyof Field]): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

function compareSides(before: FieldValues, after: FieldValues, types: KnownTypes): Verdict {
  // A text that is in no table can only be compared for equality: what its values are is unknown.
  if (before.unread !== after.unread) return 'different'
  const verdict = types.compare(before.type, after.type)
  return before.kind === after.kind
    ? verdict
    : combineVerdicts([verdict, compareKinds(before.kind, after.kind)])
}

function compareKinds(before: FieldValues['kind'], after: FieldValues['kind']): Verdict {
  if (before === undefined || after === undefined) {
    return compareFlags(before !== undefined, after !== undefined)
  }
  return 'different'
}

/** Returns a short summary of a field for lists of added and removed members. */
export function fieldSummary(field: Field): Value {
  const { name, physicalType, logicalType, required } = field
  return physicalType === undefined
    ? { name, logicalType, required }
    : { name, logicalType, physicalType, required }
}

/** Returns a text of all properties of a field except its name and position. */
export function describeField(field: Field): string {
  return JSON.stringify(fieldDescription(field))
}

type Description = string | number | boolean | undefined | Description[]

/** Lists all properties of a field for one serialization: nested texts would grow with each level. */
export function fieldDescription(field: Field): Description[] {
  const { items, keys, values, fields = [] } = field
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = field
  const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum]
  return [
    [field.physicalType, field.logicalType, field.required, field.unique],
    [field.primaryKeyPosition, field.description, field.pattern, field.format],
    [field.minLength, field.maxLength, field.minItems, field.maxItems],
    [field.precision, field.scale, field.classification],
    [field.deprecated, field.semanticType, field.expression, JSON.stringify(field.vector)],
    field.tags,
    field.references,
    bounds.map((bound) => (bound === undefined ? '' : canonicalText(bound, any))),
    field.enum?.map((word) => canonicalText(word, any)),
    field.quality.map(checkDescription),
    describeTraits(field.traits),
    [items, keys, values].map((part) => part && fieldDescription(part)),
    fields.map((part) => [part.name, part.physicalName, fieldDescription(part)]),
    field.branches?.map((part) => [part.name, fieldDescription(part)]),
  ]
}

/** Returns the language-specific properties of a model or field as one text; undefined if it has none. */
export function describeTraits(traits: Traits | undefined): string | undefined {
  return traits === undefined ? undefined : canonicalText(traits, any)
}

/** Lists all properties of a quality rule. */
export function checkDescription({ name, type, description, rule }: QualityCheck): Description[] {
  return [name, type, description, canonicalText(rule, any)]
}
