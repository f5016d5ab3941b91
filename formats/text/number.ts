// Numbers in documents. A double has about 15 digits; a document may have more, and none may be lost. A number is
// only stored as a double if the double represents exactly the same number.

import { ExactNumber } from './value.ts'

/** Longer numbers are rejected: no quantity needs them, and comparing them would be slow. */
export const NUMBER_CHARS_MAX = 1000

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/
const PARTS = /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/

// Any decimal with up to 15 digits survives conversion to a double and back (IEEE 754 binary64).
const SAFE_DIGITS = 15

/**
 * Parses a JSON number: to a double if it represents exactly the same number, else to an exact one; undefined if
 * infinite.
 */
export function parseNumber(text: string): number | ExactNumber | undefined {
  const double = Number(text)
  if (!Number.isFinite(double)) return undefined
  const simple = text.length <= SAFE_DIGITS && !/[eE]/.test(text)
  if (simple || text === String(double)) return double
  return normalForm(text) === normalForm(String(double)) ? double : new ExactNumber(text)
}

/** Parses a JSON number, preserving its notation: to a double only if the double is written identically. */
export function parseSpelledNumber(text: string): number | ExactNumber {
  const double = Number(text)
  return String(double) === text ? double : new ExactNumber(text)
}

/** Writes a number in canonical notation, the same for all equal numbers (`1.0`, `1` and `1e0` are `1`). */
export function canonicalNumber(value: number | ExactNumber): string {
  if (typeof value === 'number') return String(value === 0 ? 0 : value)
  const double = Number(value.text)
  const normal = normalForm(value.text)
  if (normal === normalForm(String(double))) return String(double === 0 ? 0 : double)
  return normal
}

/**
 * Converts a YAML number (core schema: `+1`, `.5`, `1.`, `012`, `0x1F`, `0o17`) to the text of the same JSON number;
 * JSON numbers are unchanged.
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

// Sign, digits without zeros at either end, and power of ten: the same for all notations of a number. The power is
// never expanded (1e300 does not get 301 digits), and it is a BigInt because an exponent may itself have many digits.
function normalForm(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power =
    BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${sign === '-' ? '-' : ''}${significant}e${power}`
}
