import type { DocumentKind } from '../../ledger/history/revision.ts'
import { toKindTerm, type TermLocation } from './terms.ts'
import {
  fold,
  joinParts,
  toComparisonKey,
  namesIn,
  WORD_CHARACTERS_MAX,
} from '../../../formats/text/words.ts'

/**
 * Parses queries into names: `customer_id` is one name of two words, which must be adjacent; `customer id`
 * are two names. A document matches if it has all of them.
 */

/** A name in a query. */
interface QueryName {
  /** All its words in one. */
  joined: string
  words: readonly string[]
}

/** A parsed query; without names if it has no letters and digits. */
export interface ParsedQuery {
  names: readonly QueryName[]
  /** The whole query in the form in which names and ids are compared. */
  key: string
  /** It has at least three words with spaces between them, as questions have and paths have not. */
  isPhrase: boolean
  /** It has no text and searches for everything. */
  isEmpty: boolean
}

/** A term of a search: the typed word and its alternatives. */
export interface Term {
  /** The typed word. */
  typed: string
  /** Whether longer words that begin with it match too. */
  allowPrefix: boolean
  /** Its singular, if it is a plural. */
  singular: string | undefined
  /** Corrections, if it is misspelled. */
  corrections: readonly string[]
  /** Synonyms. */
  synonyms: readonly string[]
  /** References to teams and integrations that it names. */
  references: readonly string[]
  /** An estimate of how many entries of the index it has; 0 for a rare term. */
  entriesCount: number
}

/** The common entries of the index, each with an estimate of how many documents have it. */
export type CommonEntries = ReadonlyMap<string, number>

/** A query in the syntax of the index. */
export interface IndexQuery {
  /** All matches. */
  all: string
  /** A condition on the rarer terms that each match meets; the index finds these rows faster. */
  prefilter: string
  /** Matches by name or id. */
  names: string
  /** Matches by whole facts: a tag, a column. */
  exact: string
  /** Matches by beginnings of facts, and by the owner. */
  facts: string
  /** Matches with at least one term in the name. */
  named: string
  /**
   * Matches that have the singular of the last word in their name, and not that word. "Emission Statements" does not
   * begin with "emissions", although its letters do. Empty = none.
   */
  singular: string
  key: string
  /** Whether it probably has thousands of matches. */
  isFrequent: boolean
  /** The ids of products that match by one of their contracts, and of those with exact matches. */
  products: readonly string[]
  exactProducts: readonly string[]
}

// The index collects all entries of a term that begin with a word before it compares them with other terms.
// To read and check a row takes as long as to collect so many entries.
const ENTRIES_PER_ROW = 50
// Of more rows, only some are read. Terms with fewer entries than the minimum have no estimate.
const ROWS_READ = { min: 5000, max: 20_000 }
const ROWS_LEFT_BY_TERM = 0.1

// A query of terms with so many entries probably has more matches than are counted.
const FREQUENT_ENTRIES_MIN = 2000

const QUERY_CHARACTERS_MAX = 500
const NAMES_MAX = 10

// A prefix of this length identifies a generated id.
const GENERATED_ID_CHARACTERS_MIN = 14

/** Parses a query, cut to the maximum length. */
export function parseQuery(text: string): ParsedQuery {
  const cut = text.slice(0, QUERY_CHARACTERS_MAX).toWellFormed().normalize('NFC')
  const names = new Map<string, QueryName>()
  for (const parts of namesIn(cut)) {
    const name = joinParts(parts)
    if (names.size < NAMES_MAX) {
      names.set(name, { joined: name, words: parts.map(({ word }) => word) })
    }
  }
  return {
    names: [...names.values()],
    key: toComparisonKey(cut),
    isPhrase: /\S\s+\S+\s+\S/.test(cut),
    isEmpty: text.trim() === '',
  }
}

/** Returns the distinct words of a query; its names, whole, if they have too many words. */
export function listQueryWords({ names }: ParsedQuery): string[] {
  const words = new Set(names.flatMap((name) => name.words))
  return words.size <= NAMES_MAX ? [...words] : names.map(({ joined }) => joined)
}

/**
 * Returns for each word whether it may be the beginning of a longer one. A single letter must be a whole word
 * if others follow: half of all names have a word that begins with it.
 */
export function allowPrefixes(words: readonly string[]): boolean[] {
  return words.map((word, at) => word.length > 1 || at === words.length - 1)
}

/** Returns the singular of a plural; undefined for other words. */
export function toSingular(word: string): string | undefined {
  if (word.length < 4 || !/^[a-z]+$/.test(word) || /(?:ss|us|is)$/.test(word)) return undefined
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : undefined
}

/** Other words that a term can match. */
interface Alternatives {
  corrections?: readonly string[]
  synonyms?: readonly string[]
  allowPrefix?: boolean | undefined
}

/** Creates the term of a word with its alternatives. */
export function createTerm(
  typed: string,
  { corrections = [], synonyms = [], allowPrefix = true }: Alternatives = {},
): Term {
  const singular = toSingular(typed)
  // A prefix match finds these anyway.
  const isOther = (word: string): boolean => word !== singular && !word.startsWith(typed)
  return {
    typed,
    allowPrefix,
    singular,
    corrections: corrections.filter(isOther),
    synonyms: synonyms.filter(isOther),
    references: [],
    entriesCount: 0,
  }
}

/** Builds the index query for documents that have all terms, or all but any one. */
export function indexQuery(
  terms: readonly Term[],
  { key, names: typedNames }: ParsedQuery,
  needed: 'all' | 'all but one' = 'all',
): IndexQuery {
  const whole = fold(key).slice(0, WORD_CHARACTERS_MAX).toWellFormed()
  // Several words may be one word in a name.
  const run = terms.length > 1 ? whole : ''
  const inAll = (toCondition: (term: Term) => string): string =>
    anyOf(...listGroups(terms, needed).map((group) => allOf(group.map(toCondition))))
  const names = anyOf(
    inAll((term) => matchTerm(term, ['n'])),
    run && quotePrefix('n', run),
  )
  const anywhere = (term: Term): string =>
    anyOf(matchTerm(term, ['n', 'c', 'd']), ...term.references.map(quote))
  const alternatives = [
    run && quotePrefix('n', run),
    run && quotePrefix('c', run),
    quote(`n${whole}`),
    whole.length < GENERATED_ID_CHARACTERS_MIN ? '' : quotePrefix('x', whole),
  ]
  const matchGroups = (select: (group: readonly Term[]) => readonly Term[]): string =>
    anyOf(
      ...listGroups(terms, needed).map((group) => allOf(select(group).map(anywhere))),
      ...alternatives,
    )
  return {
    key,
    isFrequent: terms.every(({ entriesCount }) => entriesCount >= FREQUENT_ENTRIES_MIN),
    products: [],
    exactProducts: [],
    names,
    singular: matchSingular(typedNames.at(-1)?.words.at(-1) ?? ''),
    named: anyOf(...terms.map((term) => matchTerm(term, ['n']))),
    exact: anyOf(inAll(matchWholeTerm)),
    facts: anyOf(
      inAll((term) => anyOf(matchTerm(term, ['n', 'c']), ...term.references.map(quote))),
      run && quotePrefix('c', run),
    ),
    all: matchGroups((group) => group),
    prefilter: matchGroups(selectRarest),
  }
}

/** Restricts an index query to one kind of document. */
export function restrictToKind(kind: DocumentKind, query: string): string {
  return `${quote(toKindTerm(kind))} & (${query})`
}

/** Estimates how many entries of the index a term matches, without references. */
export function estimateEntries(term: Term, common: CommonEntries): number {
  const { typed, allowPrefix } = term
  const [, ...alternatives] = listWords(term)
  const words = allowPrefix ? alternatives : [typed, ...alternatives]
  const whole = words.flatMap((word) => LOCATIONS.map((location) => `${location}${word}`))
  const prefixes = LOCATIONS.filter(
    (location) => allowPrefix && typed.length >= PREFIX_CHARACTERS_MIN[location],
  ).map((location) => `${location}${typed}`)
  let count = countEntries(whole, common)
  for (const [entry, documents] of common) {
    if (prefixes.some((prefix) => entry.startsWith(prefix))) count += documents
  }
  return count
}

/** Returns how many entries of the index common terms have; rare ones count as 0. */
export function countEntries(entries: readonly string[], common: CommonEntries): number {
  return entries.reduce((sum, entry) => sum + (common.get(entry) ?? 0), 0)
}

/** Builds the index query of a term, without references. */
export function toTermQuery(term: Term): string {
  return matchTerm(term, ['n', 'c', 'd'])
}

/** Builds the index query for documents with a term in their name or id. */
export function toNameQuery(term: Term): string {
  return matchTerm(term, ['n'])
}

function allOf(conditions: readonly string[]): string {
  return conditions.map((condition) => `(${condition})`).join(' & ')
}

// Returns the groups of terms; a match has all terms of a group.
function listGroups(terms: readonly Term[], needed: 'all' | 'all but one'): (readonly Term[])[] {
  if (needed === 'all' || terms.length < 2) return [terms]
  return terms.map((_, leftOut) => terms.filter((__, at) => at !== leftOut))
}

// Returns the terms that the index finds faster than PostgreSQL checks the rows of the rarer terms.
function selectRarest(terms: readonly Term[]): readonly Term[] {
  const [first, ...others] = terms.toSorted((a, b) => a.entriesCount - b.entriesCount)
  if (first === undefined) return []
  const rarest = new Set([first])
  let rows = Math.max(first.entriesCount, ROWS_READ.min)
  for (const term of others) {
    if (term.entriesCount > Math.min(rows, ROWS_READ.max) * ENTRIES_PER_ROW) break
    rarest.add(term)
    rows *= ROWS_LEFT_BY_TERM
  }
  // In the given order, so that a query with all terms equals the complete one.
  return terms.filter((term) => rarest.has(term))
}

function listWords({ typed, singular, corrections, synonyms }: Term): string[] {
  return [typed, ...(singular === undefined ? [] : [singular]), ...corrections, ...synonyms]
}

const LOCATIONS: readonly TermLocation[] = ['n', 'c', 'd']

// Very short beginnings match too much: one letter outside of names, two letters in descriptions.
const PREFIX_CHARACTERS_MIN: Readonly<Record<TermLocation, number>> = { n: 1, c: 2, d: 3, x: 0 }

// The typed word may be a beginning, the alternatives may not.
function matchTerm(term: Term, locations: readonly TermLocation[]): string {
  const [typed = '', ...others] = listWords(term)
  return anyOf(
    ...locations.map((location) =>
      term.allowPrefix && typed.length >= PREFIX_CHARACTERS_MIN[location]
        ? quotePrefix(location, typed)
        : quote(`${location}${typed}`),
    ),
    ...others.flatMap((word) => locations.map((location) => quote(`${location}${word}`))),
  )
}

function matchSingular(word: string): string {
  const singular = toSingular(word)
  return singular === undefined ? '' : `${quote(`n${singular}`)} & !${quote(`n${word}`)}`
}

function matchWholeTerm(term: Term): string {
  const locations: readonly TermLocation[] = ['n', 'c']
  return anyOf(
    ...listWords(term).flatMap((word) => locations.map((location) => quote(`${location}${word}`))),
  )
}

function anyOf(...conditions: readonly string[]): string {
  return conditions
    .filter((condition) => condition !== '')
    .map((condition) => `(${condition})`)
    .join(' | ')
}

// Words only have letters and digits; references also have dashes.
function quote(lexeme: string): string {
  return `'${lexeme}'`
}

function quotePrefix(location: TermLocation, word: string): string {
  return `'${location}${word}':*`
}
