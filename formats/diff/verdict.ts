// Compares promises about a field: whether the new promise allows more or less than the old one.

import { canonicalText } from '../shape/canonical.ts'
import { any } from '../shape/shape.ts'
import type { Field } from '../schema/model.ts'
import type { Value } from '../text/value.ts'
import { compareValues } from './exact.ts'
import type { Verdict } from './model-changes.ts'

/** Combines the verdicts on several parts: `different` unless all have the same direction. */
export function combineVerdicts(verdicts: readonly Verdict[]): Verdict {
  const directions = new Set(verdicts)
  directions.delete('same')
  const [direction] = directions
  return directions.size > 1 ? 'different' : (direction ?? 'same')
}

/** Compares promises that are either kept or not: a dropped promise allows more. */
export function compareFlags(before: boolean, after: boolean): Verdict {
  if (before === after) return 'same'
  return after ? 'narrower' : 'wider'
}

/** Compares rules that can only be checked for equality; undefined = no rule. */
export function compareRules(before: Value | undefined, after: Value | undefined): Verdict {
  if (before === undefined) return after === undefined ? 'same' : 'narrower'
  if (after === undefined) return 'wider'
  return getText(before) === getText(after) ? 'same' : 'different'
}

/** Compares sets of allowed values; undefined = all values are allowed. */
export function compareChoices(
  before: readonly Value[] | undefined,
  after: readonly Value[] | undefined,
): Verdict {
  if (before === undefined) return after === undefined ? 'same' : 'narrower'
  if (after === undefined) return 'wider'
  const [one, other] = [new Set(before.map(getText)), new Set(after.map(getText))]
  return combineVerdicts([
    other.isSubsetOf(one) ? 'same' : 'wider',
    one.isSubsetOf(other) ? 'same' : 'narrower',
  ])
}

/** Compares sets of promises that all hold. */
export function comparePromises(before: readonly string[], after: readonly string[]): Verdict {
  const [one, other] = [new Set(before), new Set(after)]
  return combineVerdicts([
    other.isSubsetOf(one) ? 'same' : 'narrower',
    one.isSubsetOf(other) ? 'same' : 'wider',
  ])
}

/** One end of a range, which may itself be excluded. */
export interface Bound {
  value: Value
  isExclusive: boolean
}

/** Compares ends of ranges; `direction` is 1 for lower and -1 for upper ends, undefined = no end. */
export function compareBounds(
  before: Bound | undefined,
  after: Bound | undefined,
  direction: 1 | -1,
): Verdict {
  if (before === undefined) return after === undefined ? 'same' : 'narrower'
  if (after === undefined) return 'wider'
  const order = compareValues(after.value, before.value)
  if (order === undefined) return isSameBound(before, after) ? 'same' : 'different'
  if (order !== 0) return order * direction > 0 ? 'narrower' : 'wider'
  return compareFlags(before.isExclusive, after.isExclusive)
}

function isSameBound(a: Bound, b: Bound): boolean {
  return a.isExclusive === b.isExclusive && getText(a.value) === getText(b.value)
}

/** Returns the lower end of the values of a field. */
export function lowerBound(field: Field): Bound | undefined {
  return toBound(field, field.minimum, field.exclusiveMinimum, 1)
}

/** Returns the upper end of the values of a field. */
export function upperBound(field: Field): Bound | undefined {
  return toBound(field, field.maximum, field.exclusiveMaximum, -1)
}

function toBound(
  field: Field,
  inclusive: Value | undefined,
  exclusive: Value | undefined,
  direction: 1 | -1,
): Bound | undefined {
  const closed = inclusive === undefined ? undefined : { value: inclusive, isExclusive: false }
  if (exclusive === undefined) return closed
  // An integer above 0 is at least 1.
  const isWhole = field.logicalType === 'integer' && Number.isSafeInteger(exclusive)
  const open: Bound =
    isWhole && typeof exclusive === 'number'
      ? { value: exclusive + direction, isExclusive: false }
      : { value: exclusive, isExclusive: true }
  if (closed === undefined) return open
  return compareBounds(open, closed, direction) === 'narrower' ? closed : open
}

/** Compares minimum counts (`direction` 1; absent = 0) or maximum counts (-1; absent = no limit). */
export function compareCounts(
  before: number | undefined,
  after: number | undefined,
  direction: 1 | -1,
): Verdict {
  const none = direction === 1 ? 0 : Number.POSITIVE_INFINITY
  const difference = ((after ?? none) - (before ?? none)) * direction
  if (Number.isNaN(difference) || difference === 0) return 'same'
  return difference > 0 ? 'narrower' : 'wider'
}

// Formats that include all values of others: a consumer that can read the wider one can read the narrower ones.
const WIDER_FORMATS: ReadonlyMap<string, readonly string[]> = new Map([
  ['email', ['idn-email']],
  ['hostname', ['idn-hostname']],
  ['uri', ['uri-reference', 'iri', 'iri-reference', 'url']],
  ['url', ['uri', 'uri-reference', 'iri', 'iri-reference']],
  ['iri', ['iri-reference']],
  ['uri-reference', ['iri-reference']],
  ['float', ['double']],
  ['f32', ['f64']],
])

const INTEGER = /^(?:(u)(?:int)?|int|i)(8|16|32|64|128)$/

/** Compares formats of texts and numbers; undefined = any format. */
export function compareFormats(before: string | undefined, after: string | undefined): Verdict {
  if (before === undefined || after === undefined) return compareRules(before, after)
  if (before === after) return 'same'
  const holds = formatHolds(before, after)
  const held = formatHolds(after, before)
  if (holds && held) return 'same'
  if (holds) return 'narrower'
  return held ? 'wider' : 'different'
}

function formatHolds(outer: string, inner: string): boolean {
  const [one, other] = [INTEGER.exec(outer), INTEGER.exec(inner)]
  if (one === null || other === null) return WIDER_FORMATS.get(inner)?.includes(outer) === true
  const [outerBits, innerBits] = [Number(one[2]), Number(other[2])]
  const isUnsigned = { outer: one[1] === 'u', inner: other[1] === 'u' }
  if (isUnsigned.outer === isUnsigned.inner) return outerBits >= innerBits
  return isUnsigned.inner && outerBits > innerBits
}

function getText(value: Value): string {
  return canonicalText(value, any)
}
