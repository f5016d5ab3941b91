/** Generates texts from parts. */

import * as fc from 'fast-check'

/** Generates between `min` and `max` parts, joinTexts with a separator. */
export function joinTexts(parts: fc.Arbitrary<string>, separator: string, max: number, min = 0) {
  return fc.array(parts, { minLength: min, maxLength: max }).map((texts) => texts.join(separator))
}
