/**
 * Names are written in many ways: `customer_orders`, `customerOrders`, `customer-orders`, `Customer
 * Orders`. Here texts are parted into words and folded, for what is indexed and for what is asked
 * alike, so that every store finds the same.
 */

/** A word in a text: folded, and where it stands, in UTF-16 units. */
export interface Part {
  word: string
  start: number
  end: number
}

/** Characters of a word; the rest of a longer one is not searched. */
export const WORD_CHARACTERS_MAX = 64

/** Words of one name that stand together; those behind them are searched one by one. */
const RUN_PARTS_MAX = 8

// What separates within a name: a dash, an underscore, a change of case, a digit beside a letter.
const NAME = /[\p{L}\p{N}\p{M}]+(?:[_-]+[\p{L}\p{N}\p{M}]+)*/gu
const PART =
  /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}[\p{Lu}\p{M}]*(?!\p{Ll})|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu

// Letters that are no accented form of another one by Unicode, and that people type as one.
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
}

/** Folds a text into letters and digits alone: without accents, in lower case. */
export function fold(text: string): string {
  // Of ASCII nothing but its case is to be folded.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[ßæœøđðþłħı]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** The names of a text in its composed form, each as its parts in their order. */
export function namesIn(text: string): Part[][] {
  const names: Part[][] = []
  for (const { 0: name, index } of text.matchAll(NAME)) {
    const parts: Part[] = []
    for (const { 0: part, index: at } of name.matchAll(PART)) {
      const word = fold(part).slice(0, WORD_CHARACTERS_MAX).toWellFormed()
      const start = index + at
      if (word !== '') parts.push({ word, start, end: start + part.length })
    }
    if (parts.length > 0) names.push(parts)
  }
  return names
}

/** What a text is compared by as a whole: folded, without what separates its words. */
export function keyOf(text: string): string {
  return fold(text.slice(0, 400)).slice(0, 200).toWellFormed()
}

/** The parts of a name in one. */
export function joined(parts: readonly Part[]): string {
  return parts
    .map(({ word }) => word)
    .join('')
    .slice(0, WORD_CHARACTERS_MAX)
    .toWellFormed()
}

/**
 * Calls `take` with all that a text is found by: each word, and each run of words from one of them to
 * the end of its name, so that what begins with any part of a name finds it.
 */
export function eachTerm(text: string, take: (term: string) => void): void {
  for (const parts of namesIn(text.normalize('NFC'))) {
    for (const { word } of parts) take(word)
    const runs = Math.min(parts.length - 1, RUN_PARTS_MAX)
    for (let from = 0; from < runs; from += 1) take(joined(parts.slice(from)))
  }
}
