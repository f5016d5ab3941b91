// Ways to match the members of two versions of a list that several formats have.

import { canonicalText } from '../shape/canonical.ts'
import { any, type Shape } from '../shape/shape.ts'
import { getField, type Value } from '../text/value.ts'
import { joinTexts, type Recognition } from './pair.ts'

// Ways to match the members of lists that all formats have, in order of preference.
const SHARED_WAYS: ReadonlyMap<string, readonly Recognition[]> = new Map<
  string,
  readonly Recognition[]
>([
  ['authoritativeDefinitions', [{ getKey: (item) => joinTexts(item, ['type', 'url']) }]],
  // Two vendors may give one property different values.
  [
    'customProperties',
    [
      { getKey: (item) => joinTexts(item, ['property', 'vendor']) },
      { getKey: (item) => joinTexts(item, ['property']) },
    ],
  ],
  [
    'synonyms',
    [
      { getKey: (item) => joinTexts(item, ['synonym', 'locale']) },
      { getKey: (item) => joinTexts(item, ['synonym']) },
    ],
  ],
  ['verifiedStatements', [{ getKey: (item) => joinTexts(item, ['question']) }]],
  ['constraints', [{ getKey: (item) => joinTexts(item, ['constraint']) }]],
  ['enum', [{ getKey: (item) => canonicalText(getField(item, 'value') ?? null, any) }]],
  [
    'relationships',
    [{ getKey: (item) => joinTexts(item, ['id']) }, { getKey: toEnds, single: true }],
  ],
])

function toEnds(relationship: Value): string {
  return JSON.stringify(['from', 'to'].map((end) => getField(relationship, end) ?? null))
}

/** Returns the ways to match the members of a list that all formats have; by their content for other lists. */
export function listSharedWays(list: string, shape: Shape): Recognition[] {
  const ways = SHARED_WAYS.get(list)
  return ways === undefined ? [{ getKey: (item) => canonicalText(item, shape) }] : [...ways]
}
