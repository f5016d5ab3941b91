/**
 * The tokenizer of search, lists and the command palette. Names are written in many ways: `customer_orders`,
 * `customerOrders`, `customer-orders`, `Customer Orders`. Indexed texts and queries are split into the same
 * folded words, independent of the locale of the database.
 */

import { newTable } from '../name/table.ts'

/** A folded word of a text, with its position in UTF-16 units. */
export interface TextWord {
  word: string
  start: number
  end: number
}

/** The characters of a word that are searched. */
export const WORD_CHARACTERS_MAX = 64

/** The words of one name that are also searched as a run. */
const RUN_PARTS_MAX = 8

// A dash, an underscore, a change of case, and a digit beside a letter separate the words of a name.
const NAME = /[\p{L}\p{N}\p{M}]+(?:[_-]+[\p{L}\p{N}\p{M}]+)*/gu
const PART =
  /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}[\p{Lu}\p{M}]*(?!\p{Ll})|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu

// Letters that Unicode does not decompose, and that people type as other letters.
const LETTERS = newTable<string>({
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
})

/** Folds a text into lower-case letters and digits without accents. */
export function fold(text: string): string {
  // ASCII only needs its case folded.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[ßæœøđðþłħı]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** Returns the names in a text (in composed form), each as its words in order. */
export function namesIn(text: string): TextWord[][] {
  const names: TextWord[][] = []
  for (const { 0: name, index } of text.matchAll(NAME)) {
    const parts: TextWord[] = []
    for (const { 0: part, index: at } of name.matchAll(PART)) {
      const word = fold(part).slice(0, WORD_CHARACTERS_MAX).toWellFormed()
      const start = index + at
      if (word !== '') parts.push({ word, start, end: start + part.length })
    }
    if (parts.length > 0) names.push(parts)
  }
  return names
}

/** Returns the key by which whole texts are compared: folded, without separators. */
export function toComparisonKey(text: string): string {
  return fold(text.slice(0, 400)).slice(0, 200).toWellFormed()
}

/** Joins the words of a name. */
export function joinParts(parts: readonly TextWord[]): string {
  return parts
    .map(({ word }) => word)
    .join('')
    .slice(0, WORD_CHARACTERS_MAX)
    .toWellFormed()
}

/**
 * Calls `take` with each term that finds a text: each word, and each run of words up to the end of its
 * name, so that a query can begin with any word of the name.
 */
export function eachTerm(text: string, take: (term: string) => void): void {
  for (const parts of namesIn(text.normalize('NFC'))) {
    for (const { word } of parts) take(word)
    const runs = Math.min(parts.length - 1, RUN_PARTS_MAX)
    for (let from = 0; from < runs; from += 1) take(joinParts(parts.slice(from)))
  }
}

/** Returns the terms that find a text, each once, up to a limit. */
export function listTerms(text: string, termsMax: number): string[] {
  const terms = new Set<string>()
  eachTerm(text, (term) => {
    if (terms.size < termsMax) terms.add(term)
  })
  return [...terms]
}
