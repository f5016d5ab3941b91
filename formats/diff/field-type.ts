// Compares the types of a field, which may be given as the platform's native type, as the logical type, or as both.

import { canonicalText } from '../shape/canonical.ts'
import { any } from '../shape/shape.ts'
import type { Field, QualityCheck, Traits } from '../schema/model.ts'
import type { NativeType, Platform } from '../schema/types/native-type.ts'
import { typedField } from '../schema/types/typed-field.ts'
import type { Value } from '../text/value.ts'
import { KnownTypes } from './known-types.ts'
import type { Verdict } from './model-changes.ts'
import { compareCounts, compareFlags, combineVerdicts } from './verdict.ts'

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
  /** The native types, if the platform has a table for them. */
  before: NativeType | undefined
  after: NativeType | undefined
}

/** Compares the types of a field; undefined if they are written identically. */
export function compareFieldTypes(
  before: Field,
  after: Field,
  platforms: Platforms,
): FieldTypeChange | undefined {
  if (
    before.physicalType === after.physicalType &&
    before.logicalType === after.logicalType &&
    before.precision === after.precision &&
    before.scale === after.scale
  ) {
    return undefined
  }
  const types = platforms.known ?? new KnownTypes()
  const one = knownType(before, platforms.before, types)
  const other = knownType(after, platforms.after, types)
  const verdict = compareSides(
    { field: before, native: one },
    { field: after, native: other },
    types,
  )
  return { verdict, before: one, after: other }
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
  return names.every((name) => isEqual(field[name], typed[name]))
}

function isEqual(a: Field[keyof Field], b: Field[keyof Field]): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

interface Side {
  field: Field
  native: NativeType | undefined
}

// Words that contracts use in place of a native type and that add nothing to the logical type.
const LOGICAL_WORDS = new Set(['object', 'record', 'struct', 'array', 'map', 'number', 'null'])

function isLogicalWord(field: Field): boolean {
  return LOGICAL_WORDS.has(field.physicalType?.trim().toLowerCase() ?? '')
}

function knownType(
  field: Field,
  platform: Platform | undefined,
  types: KnownTypes,
): NativeType | undefined {
  if (field.physicalType === undefined) return undefined
  const native = types.read(field.physicalType, platform)
  return native.logicalType === 'unknown' ? undefined : withDigits(native, field)
}

// Some formats give the digits in separate fields: `type: decimal`, `precision: 10`.
function withDigits(native: NativeType, { precision, scale }: Field): NativeType {
  const isNumeric = native.logicalType === 'number' || native.logicalType === 'integer'
  if (!isNumeric || native.precision !== undefined || precision === undefined) return native
  if (native.bits !== undefined) return native
  const digits = scale === undefined ? { precision } : { precision, scale }
  return { ...native, ...digits, text: `${native.text}(${precision},${scale ?? 0})` }
}

function compareSides(before: Side, after: Side, types: KnownTypes): Verdict {
  const unread = compareUnread(before, after)
  if (unread === 'different') return unread
  return combineVerdicts([unread, compareRead(before, after, types)])
}

// Texts that are in no table can only be compared for equality.
function compareUnread(before: Side, after: Side): Verdict {
  const [one, other] = [unreadText(before), unreadText(after)]
  if (one === other) return 'same'
  if (one !== undefined && other !== undefined) return 'different'
  const { native } = one === undefined ? before : after
  if (native !== undefined) return 'different'
  return one === undefined ? 'narrower' : 'wider'
}

function unreadText({ field, native }: Side): string | undefined {
  if (field.physicalType === undefined || native !== undefined) return undefined
  if (isLogicalWord(field)) return undefined
  return field.physicalType.trim().toLowerCase().replaceAll(/\s+/g, ' ')
}

function compareRead(before: Side, after: Side, types: KnownTypes): Verdict {
  const logical = compareKnown(before.field, after.field)
  if (logical !== undefined) return logical
  if (before.native !== undefined && after.native !== undefined) {
    const verdict = types.compare(before.native, after.native)
    const isReported = verdict !== 'same' || before.field.logicalType === after.field.logicalType
    return isReported ? verdict : types.compare(logicalType(before), logicalType(after))
  }
  const verdict = types.compare(
    before.native ?? logicalType(before, after.native),
    after.native ?? logicalType(after, before.native),
  )
  return combineVerdicts([verdict, compareScales(before.field, after.field)])
}

function compareKnown(before: Field, after: Field): Verdict | undefined {
  if (before.logicalType === after.logicalType) {
    return before.logicalType === 'unknown' ? 'same' : undefined
  }
  if (before.logicalType !== 'unknown' && after.logicalType !== 'unknown') return undefined
  return compareFlags(before.logicalType !== 'unknown', after.logicalType !== 'unknown')
}

function compareScales(before: Field, after: Field): Verdict {
  const isAlone = before.precision === undefined && after.precision === undefined
  return isAlone ? compareCounts(before.scale, after.scale, -1) : 'same'
}

// Represents a logical type as a native type. Missing details (a size, a time zone) cannot be compared, except that a
// length or size may be promised on only one side. The brackets distinguish its name from those of platforms.
function logicalType({ field }: Side, other?: NativeType): NativeType {
  const { logicalType, precision, scale, maxLength } = field
  const text = `[${logicalType} ${precision ?? ''} ${scale ?? ''}]`
  const length = other === undefined || maxLength === undefined ? {} : { maxLength }
  const digits = precision === undefined ? {} : { precision }
  const fraction = scale === undefined || precision === undefined ? {} : { scale }
  return {
    ...adoptDetails(other, logicalType),
    ...length,
    ...digits,
    ...fraction,
    text,
    logicalType,
  }
}

function adoptDetails(
  other: NativeType | undefined,
  logical: Field['logicalType'],
): Partial<NativeType> {
  if (other?.logicalType !== logical) return {}
  const { format, withTimeZone, items, keys, values, fields } = other
  return Object.fromEntries(
    Object.entries({ format, withTimeZone, items, keys, values, fields }).filter(
      ([, value]) => value !== undefined,
    ),
  )
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
