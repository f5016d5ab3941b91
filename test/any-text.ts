/** Random texts for property tests. */

import * as fc from 'fast-check'

const BEFORE_SURROGATES = 0xd7ff
const AFTER_SURROGATES = 0xe000
const CODE_POINT_MAX = 0x10ffff

/**
 * Generates texts of any code points. `fc.string({ unit: 'binary' })` generates the same texts, but first builds a
 * table of a million characters, which takes a second for each use.
 */
export function anyText(codePointsMax = 10): fc.Arbitrary<string> {
  const codePoint = fc.oneof(
    { weight: 3, arbitrary: fc.nat(0x7f) },
    fc.nat(BEFORE_SURROGATES),
    fc.integer({ min: AFTER_SURROGATES, max: CODE_POINT_MAX }),
  )
  return fc
    .array(codePoint, { maxLength: codePointsMax })
    .map((codePoints) => String.fromCodePoint(...codePoints))
}
