/**
 * Corrects single typing errors: a wrong, missing, additional or swapped letter. One half of such a word is
 * right and is looked up.
 */

/** The minimum length of a corrected word; shorter words are similar to too many others. */
export const NEAR_LETTERS_MIN = 4

const LETTERS_MAX = 32
const NEAR_WORDS_MAX = 12

/** Splits a word into a beginning and an end; a single error leaves one of them intact. */
export function splitWord(word: string): { beginning: string; end: string } | undefined {
  const letters = Array.from(word)
  const isSpellable = /^\p{L}+$/u.test(word)
  if (!isSpellable || letters.length < NEAR_LETTERS_MIN || letters.length > LETTERS_MAX) {
    return undefined
  }
  // Two neighbours that are exchanged may be the two in the middle.
  const half = Math.floor((letters.length - 1) / 2)
  return { beginning: letters.slice(0, half).join(''), end: letters.slice(-half).join('') }
}

/** Returns the words that differ in one letter, the most similar first. */
export function nearestTo(word: string, candidates: Iterable<string>): string[] {
  const letters = Array.from(word)
  const near = new Set<string>()
  for (const candidate of candidates) {
    if (candidate !== word && isOneLetterAway(letters, Array.from(candidate))) near.add(candidate)
  }
  // What begins alike is more probably meant.
  const common = (other: string): number => {
    let at = 0
    while (at < word.length && word[at] === other[at]) at += 1
    return at
  }
  return [...near]
    .toSorted((a, b) => common(b) - common(a) || (a < b ? -1 : 1))
    .slice(0, NEAR_WORDS_MAX)
}

/** Returns whether two words differ by one letter: replaced, added, removed or swapped. */
export function isOneLetterAway(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  const isRest = (shortFrom: number, longFrom: number): boolean =>
    short.slice(shortFrom).join('') === long.slice(longFrom).join('')
  if (short.length < long.length) return isRest(at, at + 1)
  const areExchanged =
    short[at] === long[at + 1] && short[at + 1] === long[at] && isRest(at + 2, at + 2)
  return at < short.length && (isRest(at + 1, at + 1) || areExchanged)
}
