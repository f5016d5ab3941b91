/**
 * Corrects single typing errors: a wrong, missing, additional or swapped letter. One half of such a word is
 * right and is looked up.
 */

// Shorter words are similar to too many others.
const CORRECTED_LETTERS_MIN = 4
const CORRECTED_LETTERS_MAX = 32
const CORRECTIONS_MAX = 12

/** Splits a word into a beginning and an end; a single error leaves one of them intact. */
export function splitWord(word: string): { beginning: string; end: string } | undefined {
  const letters = Array.from(word)
  const isCorrectable =
    /^\p{L}+$/u.test(word) &&
    letters.length >= CORRECTED_LETTERS_MIN &&
    letters.length <= CORRECTED_LETTERS_MAX
  if (!isCorrectable) return undefined
  // The two letters in the middle may be swapped, so neither half has both.
  const half = Math.floor((letters.length - 1) / 2)
  return { beginning: letters.slice(0, half).join(''), end: letters.slice(-half).join('') }
}

/** Returns the candidates that differ from a word in one letter, the most similar first. */
export function rankCorrections(word: string, candidates: Iterable<string>): string[] {
  const letters = Array.from(word)
  const corrections = new Set<string>()
  for (const candidate of candidates) {
    if (candidate !== word && isOneEditAway(letters, Array.from(candidate))) {
      corrections.add(candidate)
    }
  }
  // Typing errors are rare at the beginning of a word.
  const countCommon = (other: string): number => {
    let count = 0
    while (count < word.length && word[count] === other[count]) count += 1
    return count
  }
  return [...corrections]
    .toSorted((a, b) => countCommon(b) - countCommon(a) || (a < b ? -1 : 1))
    .slice(0, CORRECTIONS_MAX)
}

/** Returns whether two words differ by one letter: replaced, added, removed or swapped. */
export function isOneEditAway(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  const haveSameEnd = (shortFrom: number, longFrom: number): boolean =>
    short.slice(shortFrom).join('') === long.slice(longFrom).join('')
  if (short.length < long.length) return haveSameEnd(at, at + 1)
  const areSwapped =
    short[at] === long[at + 1] && short[at + 1] === long[at] && haveSameEnd(at + 2, at + 2)
  return at < short.length && (haveSameEnd(at + 1, at + 1) || areSwapped)
}
