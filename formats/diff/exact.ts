// Orders values of any size exactly: numbers with many digits, dates and times.

import { canonicalNumber } from '../text/number.ts'
import { ExactNumber, type Value } from '../text/value.ts'

const PARTS = /^(-?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i

const INSTANT =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[-+]\d{2}:?\d{2})$/i

// Dates, times and instants with the same notation sort like their texts. The suffix is the time zone.
const MOMENT =
  /^(?:\d{4}-\d{2}-\d{2})?(?:T?\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(Z|[-+]\d{2}:?\d{2})?$/

/** Orders two values: negative if the first is smaller; undefined if they cannot be compared. */
export function compareValues(a: Value, b: Value): number | undefined {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b)
  if (typeof a !== 'string' || typeof b !== 'string') return undefined
  if (a === b) return 0
  const [at, otherAt] = [parseInstant(a), parseInstant(b)]
  if (at !== undefined && otherAt !== undefined) return Number(at > otherAt) - Number(at < otherAt)
  const [one, other] = [MOMENT.exec(a), MOMENT.exec(b)]
  const isAlike = one !== null && other !== null && one[1] === other[1] && a.length === b.length
  if (!isAlike || a === '') return undefined
  return a < b ? -1 : 1
}

// Returns an instant in nanoseconds since 1970 in UTC; undefined if the text is none.
function parseInstant(text: string): bigint | undefined {
  const [, minute, second = '00', fraction = '', zone = ''] =
    text.length > INSTANT_CHARS_MAX ? [] : (INSTANT.exec(text) ?? [])
  if (minute === undefined) return undefined
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone
  const milliseconds = Date.parse(`${minute}:${second}${offset}`.toUpperCase())
  if (Number.isNaN(milliseconds)) return undefined
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

const INSTANT_CHARS_MAX = 40

function isNumber(value: Value): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}

function compareNumbers(a: number | ExactNumber, b: number | ExactNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return Math.sign(a - b)
  const [one, other] = [toParts(a), toParts(b)]
  if (one.sign !== other.sign || one.sign === 0) return one.sign - other.sign
  return one.sign * compareSizes(one, other)
}

interface Parts {
  sign: number
  /** Digits without zeros at either end. */
  digits: string
  /** The exponent: the number is 0.digits × 10^power. */
  power: bigint
}

function toParts(value: number | ExactNumber): Parts {
  const [, minus, whole = '', fraction = '', exponent = '0'] =
    PARTS.exec(canonicalNumber(value)) ?? []
  const all = whole + fraction
  const digits = all.replace(/^0+/, '')
  if (digits === '') return { sign: 0, digits: '', power: 0n }
  const power = BigInt(exponent) + BigInt(whole.length) - BigInt(all.length - digits.length)
  return { sign: minus === '-' ? -1 : 1, digits: digits.replace(/0+$/, ''), power }
}

function compareSizes(a: Parts, b: Parts): number {
  if (a.power !== b.power) return a.power < b.power ? -1 : 1
  // Digits after the point sort like texts: a missing digit is a zero.
  if (a.digits === b.digits) return 0
  return a.digits < b.digits ? -1 : 1
}

/** More digits than any quantity needs; longer numbers are only compared for equality. */
const DIGITS_MAX = 400

/** Returns whether one number is a multiple of another; false if they are too long to divide. */
export function isMultiple(value: Value, divisor: Value): boolean {
  if (compareValues(value, divisor) === 0) return true
  const [one, other] = [toDecimal(value), toDecimal(divisor)]
  if (one === undefined || other === undefined || other.digits === 0n) return false
  const power = one.power < other.power ? one.power : other.power
  const [up, down] = [one.power - power, other.power - power]
  if (up > DIGITS_MAX || down > DIGITS_MAX) return false
  return (one.digits * 10n ** BigInt(up)) % (other.digits * 10n ** BigInt(down)) === 0n
}

function toDecimal(value: Value): { digits: bigint; power: number } | undefined {
  if (!isNumber(value)) return undefined
  const parts = /^(-?\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(canonicalNumber(value))
  const [, whole = '', fraction = '', exponent = '0'] = parts ?? []
  if (whole === '' || whole.length + fraction.length > DIGITS_MAX || exponent.length > 5) {
    return undefined
  }
  return { digits: BigInt(whole + fraction), power: Number(exponent) - fraction.length }
}
