// Numbers in documents may have more digits than a double. They are kept as doubles only if the double has
// exactly the same value.

import { ExactNumber } from './value.ts'

/** Longer spellings of a number are refused: no quantity needs them, and comparing them would cost time. */
export const NUMBER_CHARS_MAX = 1000

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/
const PARTS = /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/

// Any decimal of up to 15 digits survives the way into a double and back (IEEE 754 binary64).
const SAFE_DIGITS = 15

/** Parses a JSON number: a double if it is exact, otherwise an exact number; undefined if infinite. */
export function numberOf(text: string): number | ExactNumber | undefined {
  const double = Number(text)
  if (!Number.isFinite(double)) return undefined
  const simple = text.length <= SAFE_DIGITS && !/[eE]/.test(text)
  if (simple || text === String(double)) return double
  return normalForm(text) === normalForm(String(double)) ? double : new ExactNumber(text)
}

/** Reads a JSON number keeping its spelling: a double only when the double is written just like it. */
export function spelledNumberOf(text: string): number | ExactNumber {
  const double = Number(text)
  return String(double) === text ? double : new ExactNumber(text)
}

/** Writes a number in the one spelling that all equal numbers share (`1.0`, `1` and `1e0` are `1`). */
export function canonicalNumber(value: number | ExactNumber): string {
  if (typeof value === 'number') return String(value === 0 ? 0 : value)
  const double = Number(value.text)
  const normal = normalForm(value.text)
  if (normal === normalForm(String(double))) return String(double === 0 ? 0 : double)
  return normal
}

/**
 * Turns a YAML number (core schema: `+1`, `.5`, `1.`, `012`, `0x1F`, `0o17`) into the text of the same JSON number;
 * one that already is a JSON number stays as it is.
 */
export function jsonNumberText(yaml: string): string {
  if (JSON_NUMBER.test(yaml)) return yaml
  if (/^0[xo]/.test(yaml)) return BigInt(yaml).toString()
  const [, sign = '', whole = '', fraction = '', exponent] = PARTS.exec(yaml) ?? []
  const integer = whole.replace(/^0+(?=\d)/, '') || '0'
  const decimals = fraction === '' ? '' : `.${fraction}`
  const power = exponent === undefined ? '' : `e${exponent}`
  return `${sign === '-' ? '-' : ''}${integer}${decimals}${power}`
}

// Sign, digits without zeros at either end, power of ten: the same for all spellings of a number. The power is never
// spelled out (1e300 has no 301 digits), and it is a BigInt because an exponent may itself have many digits.
function normalForm(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power =
    BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${sign === '-' ? '-' : ''}${significant}e${power}`
}
