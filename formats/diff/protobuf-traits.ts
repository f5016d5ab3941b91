// Rules for the properties that only Protobuf has. A change is breaking if a consumer with the older .proto reads
// different values, or none, from data that the newer one allows: on the wire, in JSON, or through generated code.

import { getField, isObject, type Value } from '../text/value.ts'
import type { Reasons } from './aspects.ts'
import type { Verdict } from './model-changes.ts'
import type { TraitRule, TraitRules } from './trait-rule.ts'

type Side = Value | undefined

function reasons(different: string, narrower = '', wider = different): Reasons {
  return { same: 'readers accept both', narrower, wider, different }
}

function fixed(label: string, reason: string): TraitRule {
  return { label, compare: () => 'different', reasons: reasons(reason) }
}

/** A property that is recorded only when the definition promises less. */
function weakness(label: string, lost: string, gained: string): TraitRule {
  return {
    label,
    compare: (before) => (before === undefined ? 'wider' : 'narrower'),
    reasons: reasons(lost, gained),
  }
}

export const PROTOBUF_TRAITS: TraitRules = {
  'protobuf.number': fixed(
    'field number',
    'readers with the older definition find another field under the number, or none',
  ),
  'protobuf.jsonName': fixed('JSON name', 'JSON readers find nothing under the old name'),
  'protobuf.default': fixed('default', 'readers see a different value if the field is absent'),
  'protobuf.encoding': fixed(
    'encoding',
    'readers with the older definition decode different values',
  ),
  'protobuf.packed': {
    label: 'packed',
    compare: () => 'same',
    reasons: reasons(''),
  },
  'protobuf.utf8': weakness(
    'UTF-8 validation',
    'it may contain text that is not valid UTF-8',
    'all text is valid UTF-8 now',
  ),
  'protobuf.oneof': {
    label: 'oneof',
    compare: (before) => (before === undefined ? 'narrower' : 'different'),
    reasons: reasons(
      'fields that excluded each other may be set together, and generated code differs',
      'at most one of its fields is set now',
    ),
  },
  'protobuf.enum': {
    label: 'enum numbers',
    compare: compareNumbers,
    reasons: reasons('readers with the older definition see a different value'),
  },
  'protobuf.closed': fixed('closed enum', 'values that are not in the list are read differently'),
  'protobuf.legacyJson': weakness(
    'JSON format',
    'names in JSON may clash now',
    'names in JSON are unique now',
  ),
  'protobuf.reserved': {
    label: 'reserved numbers and names',
    compare: compareRanges,
    reasons: reasons(
      'fields may reuse numbers or names that older definitions use differently',
      'more numbers or names stay unused',
    ),
  },
  'protobuf.extensions': {
    label: 'extension ranges',
    compare: (before, after) => opposite(compareRanges(before, after)),
    reasons: reasons(
      'extensions in the old ranges are no longer allowed',
      'more extensions are possible',
    ),
  },
}

// Added and removed words are reported as allowed values, so only words in both versions count here.
function compareNumbers(before: Side, after: Side): Verdict | undefined {
  if (!isObject(before) || !isObject(after)) return undefined
  const words = Object.keys(before).filter((word) => Object.hasOwn(after, word))
  return words.some((word) => getField(before, word) !== getField(after, word))
    ? 'different'
    : undefined
}

type Ranges = { numbers: [number, number][]; names: Set<string> }

// More reserved numbers promise more.
function compareRanges(before: Side, after: Side): Verdict {
  const [one, other] = [toRanges(before), toRanges(after)]
  const [isKept, isGrown] = [covers(other, one), !covers(one, other)]
  if (!isKept) return isGrown ? 'different' : 'wider'
  return isGrown ? 'narrower' : 'same'
}

function opposite(verdict: Verdict): Verdict {
  // Added ranges contain fields that older readers skip.
  return verdict === 'wider' ? 'different' : verdict
}

function toRanges(value: Side): Ranges {
  const ranges: Ranges = { numbers: [], names: new Set() }
  for (const item of Array.isArray(value) ? value : []) {
    if (typeof item === 'string') ranges.names.add(item)
    if (!Array.isArray(item)) continue
    const [from, to] = item
    if (typeof from === 'number' && typeof to === 'number') ranges.numbers.push([from, to])
  }
  return ranges
}

// Both lists of ranges are sorted, and adjacent ranges are merged.
function covers(outer: Ranges, inner: Ranges): boolean {
  if (!inner.names.isSubsetOf(outer.names)) return false
  let at = 0
  return inner.numbers.every(([from, to]) => {
    while ((outer.numbers[at]?.[1] ?? Infinity) < from) at += 1
    const around = outer.numbers[at]
    return around !== undefined && around[0] <= from && to <= around[1]
  })
}
