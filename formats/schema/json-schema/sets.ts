// Lists whose order has no meaning.

import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import { compareText } from '../../text/problem.ts'
import type { Value } from '../../text/value.ts'

/** Returns the members of a set in one order, each once. */
export function sortedSet(value: Value): Value {
  if (!Array.isArray(value)) return value
  const byText = new Map(value.map((item) => [canonicalText(item, any), item]))
  const texts = [...byText.keys()].toSorted(compareText)
  return texts.map((text) => byText.get(text) ?? null)
}
