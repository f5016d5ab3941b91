// Orders numbers by their values. Integers and decimals are ranges with a number of digits after the decimal point, so
// `decimal(10,0)` holds every `int`. A binary floating point number holds the integers that it returns exactly, but no
// exact decimals.

import type { NativeType } from './native-type.ts'

/** Returns whether the values of a type are numbers. */
export function isNumeric({ logicalType }: NativeType): boolean {
  return logicalType === 'integer' || logicalType === 'number'
}

/** Returns whether all numbers of one type are numbers of another. */
export function holdsNumber(outer: NativeType, inner: NativeType): boolean {
  if (outer.format !== inner.format) return false
  if (outer.detail !== inner.detail) return false
  if (isFloat(outer)) return holdsInFloat(outer, inner)
  // A floating point number is never an exact decimal.
  return !isFloat(inner) && holdsExact(outer, inner)
}

function isFloat({ logicalType, bits }: NativeType): boolean {
  return logicalType === 'number' && bits !== undefined
}

// MySQL returns six digits of a floating point number of 32 bits.
const FLOAT_MAX = 999_999n
const DOUBLE_MAX = 2n ** 53n

function holdsInFloat(outer: NativeType, inner: NativeType): boolean {
  if (isFloat(inner)) return (outer.bits ?? 0) >= (inner.bits ?? 0)
  const exact = outer.bits === 32 ? FLOAT_MAX : DOUBLE_MAX
  const range = getRange(inner)
  return range !== undefined && range.scale === 0 && range.high <= exact && -range.low <= exact
}

function holdsExact(outer: NativeType, inner: NativeType): boolean {
  if (outer.unsigned === true && inner.unsigned !== true) return false
  if (getScale(inner) > getScale(outer)) return false
  if (!isLimited(outer)) return true
  if (!isLimited(inner)) return false
  const [one, other] = [getRange(outer), getRange(inner)]
  // Numbers with absurdly many digits are compared by the number of their digits.
  if (one === undefined || other === undefined) return wholeDigits(outer) >= wholeDigits(inner)
  const step = 10n ** BigInt(one.scale - other.scale)
  return other.low * step >= one.low && other.high * step <= one.high
}

// Without digits a number may have any fraction, and an integer has none.
function getScale({ logicalType, precision, scale }: NativeType): number {
  if (logicalType === 'integer') return scale ?? 0
  return scale ?? (precision === undefined ? Infinity : 0)
}

function isLimited({ bits, precision }: NativeType): boolean {
  return bits !== undefined || precision !== undefined
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

function getRange(type: NativeType): Range | undefined {
  const { bits, precision, storedBits, unsigned, scale = 0 } = type
  const size = storedBits ?? (precision === undefined ? bits : undefined)
  if (size !== undefined)
    return size > DIGITS_MAX ? undefined : getBinaryRange(size, unsigned, scale)
  if (precision === undefined || precision > DIGITS_MAX || scale > DIGITS_MAX) return undefined
  const high = 10n ** BigInt(precision) - 1n
  return { low: unsigned === true ? 0n : -high, high, scale }
}

function getBinaryRange(bits: number, unsigned: true | undefined, scale: number): Range {
  if (unsigned === true) return { low: 0n, high: 2n ** BigInt(bits) - 1n, scale }
  const high = 2n ** BigInt(bits - 1) - 1n
  return { low: -high - 1n, high, scale }
}

function wholeDigits({ bits, precision, scale = 0 }: NativeType): number {
  return precision === undefined
    ? Math.ceil((bits ?? 0) * Math.LOG10E * Math.LN2)
    : precision - scale
}
