// Compares whether one type has all values of another. A contract promises values, so a type with fewer
// of them breaks it.

import type { NativeType } from './native-type.ts'

/**
 * `narrower`: every value of the later type is one of the earlier type; `wider`: the other way round.
 */
export type TypeChange = 'same' | 'narrower' | 'wider' | 'different'

/**
 * Compares two types by their values, regardless of their names. Integers and decimals are ranges with
 * a number of digits after the decimal point, so `int` to `decimal(10,0)` is wider. A binary floating
 * point number has the integers that it can distinguish (24 or 53 bits), but no exact decimals. A text
 * with a format (`uuid`) is not one with another format.
 */
export function compareNativeTypes(before: NativeType, after: NativeType): TypeChange {
  if (sameText(before.text, after.text)) return 'same'
  if (before.logicalType === 'unknown' || after.logicalType === 'unknown') return 'different'
  if (isNumeric(before) && isNumeric(after)) return compareNumbers(before, after)
  if (before.logicalType !== after.logicalType || before.format !== after.format) return 'different'
  switch (before.logicalType) {
    case 'string':
    case 'binary':
      return compareTexts(before, after)
    case 'time':
    case 'timestamp':
      // With and without a time zone, the same text has two meanings.
      if (before.withTimeZone !== after.withTimeZone) return 'different'
      return compareLimits(before.scale, after.scale)
    case 'array':
      return compareParts(before.items, after.items)
    case 'map':
      return together([
        compareParts(before.keys, after.keys),
        compareParts(before.values, after.values),
      ])
    case 'object':
      return compareFields(before.fields, after.fields)
    // A search compares a vector with all others, so a vector of another length has no place among them.
    case 'vector':
      return 'different'
    case 'boolean':
    case 'date':
    case 'integer':
    case 'number':
      return 'same'
  }
}

function sameText(a: string, b: string): boolean {
  return a === b || spaceless(a) === spaceless(b)
}

function spaceless(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ')
}

function isNumeric({ logicalType }: NativeType): boolean {
  return logicalType === 'integer' || logicalType === 'number'
}

function compareNumbers(before: NativeType, after: NativeType): TypeChange {
  if (before.format !== after.format) return 'different'
  if (isFloat(before) || isFloat(after)) return compareFloats(before, after)
  const a = getRange(before)
  const b = getRange(after)
  // Types without limits are compared by kind: every integer is a number.
  if (a === undefined || b === undefined) {
    if (a === undefined && b === undefined) {
      if (before.logicalType === after.logicalType) return 'same'
      return before.logicalType === 'number' ? 'narrower' : 'wider'
    }
    const isInside = a === undefined ? holdsAll(before, after) : holdsAll(after, before)
    if (!isInside) return 'different'
    return a === undefined ? 'narrower' : 'wider'
  }
  return ordered(contains(a, b), contains(b, a))
}

function isFloat({ logicalType, bits }: NativeType): boolean {
  return logicalType === 'number' && bits !== undefined
}

function compareFloats(before: NativeType, after: NativeType): TypeChange {
  return ordered(floatHolds(before, after), floatHolds(after, before))
}

function floatHolds(outer: NativeType, inner: NativeType): boolean {
  if (!isFloat(outer)) return false
  if (isFloat(inner)) return (outer.bits ?? 0) >= (inner.bits ?? 0)
  const exactBits = outer.bits === 32 ? 24 : 53
  const range = getRange(inner)
  if (range === undefined || range.scale > 0) return false
  return range.high <= 2n ** BigInt(exactBits) && -range.low <= 2n ** BigInt(exactBits)
}

function holdsAll(unlimited: NativeType, limited: NativeType): boolean {
  return unlimited.logicalType === 'number' || limited.logicalType === 'integer'
}

/**
 * The values from `low` to `high` in steps of `10^-scale`, where `low` and `high` are numbers of steps.
 */
interface Range {
  low: bigint
  high: bigint
  scale: number
}

/** No platform's decimal has more digits; larger numbers would only take time. */
const DIGITS_MAX = 1000

function getRange({ bits, unsigned, precision, scale = 0 }: NativeType): Range | undefined {
  if (precision !== undefined) {
    if (precision > DIGITS_MAX || scale > DIGITS_MAX) return undefined
    const high = 10n ** BigInt(precision) - 1n
    return { low: unsigned === true ? 0n : -high, high, scale }
  }
  if (bits === undefined || bits > DIGITS_MAX) return undefined
  if (unsigned === true) return { low: 0n, high: 2n ** BigInt(bits) - 1n, scale: 0 }
  const high = 2n ** BigInt(bits - 1) - 1n
  return { low: -high - 1n, high, scale: 0 }
}

function contains(outer: Range, inner: Range): boolean {
  if (outer.scale < inner.scale) return false
  const step = 10n ** BigInt(outer.scale - inner.scale)
  return inner.low * step >= outer.low && inner.high * step <= outer.high
}

function ordered(holdsAfter: boolean, heldByAfter: boolean): TypeChange {
  if (holdsAfter && heldByAfter) return 'same'
  if (holdsAfter) return 'narrower'
  return heldByAfter ? 'wider' : 'different'
}

function compareTexts(before: NativeType, after: NativeType): TypeChange {
  return together([
    compareLimits(before.maxLength, after.maxLength),
    // A `char(10)` is padded to its length: it has fewer texts than a `varchar(10)`.
    compareFlags(!isPadded(before), !isPadded(after)),
    // An `nvarchar` of SQL Server has all characters, a `varchar` those of its code page.
    compareFlags(isNational(before), isNational(after)),
    compareWords(before.enum, after.enum),
  ])
}

function isPadded({ text }: NativeType): boolean {
  return /^(?:n?char|binary)\b(?! varying)/.test(text) || /^CHAR\b/.test(text)
}

function isNational({ text }: NativeType): boolean {
  return /^n(?:var)?char\b|^ntext$/.test(text)
}

function compareFlags(before: boolean, after: boolean): TypeChange {
  if (before === after) return 'same'
  return before ? 'narrower' : 'wider'
}

function compareLimits(before = Infinity, after = Infinity): TypeChange {
  if (before === after) return 'same'
  return before > after ? 'narrower' : 'wider'
}

function compareWords(before: string[] | undefined, after: string[] | undefined): TypeChange {
  if (before === undefined && after === undefined) return 'same'
  if (before === undefined) return 'narrower'
  if (after === undefined) return 'wider'
  const a = new Set(before)
  const b = new Set(after)
  return ordered(b.isSubsetOf(a), a.isSubsetOf(b))
}

function compareParts(before: NativeType | undefined, after: NativeType | undefined): TypeChange {
  if (before === undefined && after === undefined) return 'same'
  if (before === undefined) return 'narrower'
  return after === undefined ? 'wider' : compareNativeTypes(before, after)
}

type InnerFields = NativeType['fields']

// An object with an additional or missing field is another type: readers by name or by position may
// fail.
function compareFields(before: InnerFields, after: InnerFields): TypeChange {
  if (before === undefined && after === undefined) return 'same'
  if (before === undefined) return 'narrower'
  if (after === undefined) return 'wider'
  if (before.length !== after.length) return 'different'
  const changes: TypeChange[] = []
  for (const [at, one] of before.entries()) {
    const other = after[at]
    if (other === undefined || other.name !== one.name) return 'different'
    changes.push(compareNativeTypes(one.type, other.type))
    changes.push(compareFlags(!one.required, !other.required))
  }
  return together(changes)
}

function together(changes: readonly TypeChange[]): TypeChange {
  const distinct = new Set(changes)
  distinct.delete('same')
  if (distinct.size === 0) return 'same'
  const [only] = distinct
  return distinct.size === 1 && only !== undefined ? only : 'different'
}
