import type { DocumentKind } from '../history/revision.ts'
import { termOfKind, type Place } from './terms.ts'
import {
  fold,
  joinParts,
  toComparisonKey,
  namesIn,
  WORD_CHARACTERS_MAX,
} from '../../formats/text/words.ts'

/**
 * Parses queries into names: `customer_id` is one name of two words, which must be adjacent; `customer id`
 * are two names. A document matches if it has all of them.
 */

/** A name in a query. */
export interface QueryName {
  /** All its words in one. */
  joined: string
  words: readonly string[]
}

/** A parsed query; without names if it has no letters and digits. */
export interface ReadQuery {
  names: readonly QueryName[]
  /** The whole query in the form in which names and ids are compared. */
  key: string
  /** It has three words or more with spaces between them, as a question has and a path has not. */
  isPhrase: boolean
  /** It has no text at all, and asks for everything. */
  isEmpty: boolean
}

/** A term of a search: the typed word and its alternatives. */
export interface Term {
  /** The typed word. */
  typed: string
  /** Also what only begins with it is found. */
  mayGoOn: boolean
  /** Its singular, if it is a plural. */
  singular: string | undefined
  /** Corrections, if it is misspelled. */
  near: readonly string[]
  /** Synonyms. */
  synonyms: readonly string[]
  /** References to teams and integrations that it names. */
  references: readonly string[]
  /** An estimate of how many entries of the index it has; 0 for a rare term. */
  entriesCount: number
}

/** A query in the syntax of the index. */
export interface IndexQuery {
  /** All that is found. */
  all: string
  /** A condition on the rarer terms that each match meets; the index finds these rows faster. */
  prefilter: string
  /** Matches by name or id. */
  names: string
  /** … by whole facts: a tag, a column. */
  exact: string
  /** … by facts that begin so, and by its owner. */
  facts: string
  /** Matches with at least one term in the name. */
  named: string
  key: string
  /** The ids of products that match by one of their contracts, and of those with exact matches. */
  products: readonly string[]
  exactProducts: readonly string[]
}

// The index collects all entries of a term that begin with a word before it compares them with other terms.
// To read and check a row takes as long as to collect so many entries.
const ENTRIES_PER_ROW = 50
// Of more rows, only some are read. Rarer terms than the least have no estimate.
const ROWS_READ = { least: 5000, most: 20_000 }
const ROWS_LEFT_BY_TERM = 0.1

const QUERY_CHARACTERS_MAX = 500
const NAMES_MAX = 10

// A prefix of this length identifies a generated id.
const MADE_ID_CHARACTERS_MIN = 14

/** Parses a query, cut to the maximum length. */
export function readQuery(text: string): ReadQuery {
  const cut = text.slice(0, QUERY_CHARACTERS_MAX).toWellFormed().normalize('NFC')
  const names = new Map<string, QueryName>()
  for (const parts of namesIn(cut)) {
    const name = joinParts(parts)
    if (names.size < NAMES_MAX) {
      names.set(name, { joined: name, words: parts.map(({ word }) => word) })
    }
  }
  const isPhrase = /\S\s+\S+\s+\S/.test(cut)
  return {
    names: [...names.values()],
    key: toComparisonKey(cut),
    isPhrase,
    isEmpty: text.trim() === '',
  }
}

/** Returns the distinct words of a query. */
export function wordsOfQuery({ names }: ReadQuery): string[] {
  return [...new Set(names.flatMap(({ words }) => words))].slice(0, NAMES_MAX)
}

/**
 * Returns for each word whether it may be the beginning of a longer one. A single letter must be a whole word
 * if others follow: half of all names have a word that begins with it.
 */
export function mayGoOn(words: readonly string[]): boolean[] {
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
  near?: readonly string[]
  synonyms?: readonly string[]
  mayGoOn?: boolean | undefined
}

/** Creates the term of a word with its alternatives. */
export function createTerm(
  typed: string,
  { near = [], synonyms = [], mayGoOn: allowsMore = true }: Alternatives = {},
): Term {
  const singular = toSingular(typed)
  // A prefix match finds these anyway.
  const isOther = (word: string): boolean => word !== singular && !word.startsWith(typed)
  return {
    typed,
    mayGoOn: allowsMore,
    singular,
    near: near.filter(isOther),
    synonyms: synonyms.filter(isOther),
    references: [],
    entriesCount: 0,
  }
}

/** Builds the index query for documents that have all terms, or all but any one. */
export function indexQuery(
  terms: readonly Term[],
  { key }: ReadQuery,
  needed: 'all' | 'all but one' = 'all',
): IndexQuery {
  const whole = fold(key).slice(0, WORD_CHARACTERS_MAX).toWellFormed()
  // Several words may be one word in a name.
  const run = terms.length > 1 ? whole : ''
  const inAll = (toCondition: (term: Term) => string): string =>
    either(...groupsOf(terms, needed).map((group) => together(group.map(toCondition))))
  const names = either(
    inAll((term) => found(term, ['n'])),
    run && begins('n', run),
  )
  const anywhere = (term: Term): string =>
    either(found(term, ['n', 'c', 'd']), ...term.references.map(quoted))
  const otherwise = [
    run && begins('n', run),
    run && begins('c', run),
    quoted(`n${whole}`),
    whole.length < MADE_ID_CHARACTERS_MIN ? '' : begins('x', whole),
  ]
  const rarer = groupsOf(terms, needed).map((group) => together(rarestOf(group).map(anywhere)))
  return {
    key,
    products: [],
    exactProducts: [],
    names,
    named: either(...terms.map((term) => found(term, ['n']))),
    exact: either(inAll(foundWhole)),
    facts: either(
      inAll((term) => either(found(term, ['n', 'c']), ...term.references.map(quoted))),
      run && begins('c', run),
    ),
    all: either(inAll(anywhere), ...otherwise),
    prefilter: either(...rarer, ...otherwise),
  }
}

/** Restricts an index query to one kind of document. */
export function ofKind(kind: DocumentKind, question: string): string {
  return `${quoted(termOfKind(kind))} & (${question})`
}

/** Returns the beginnings of the index's entries that a term matches; none if it must be a whole word. */
export function listPrefixes({ typed, mayGoOn: allowsMore }: Term): string[] {
  if (!allowsMore) return []
  return PLACES.filter((place) => typed.length >= PREFIX_CHARACTERS_MIN[place]).map(
    (place) => `${place}${typed}`,
  )
}

/** Builds the index query of a term, without references. */
export function termLookup(term: Term): string {
  return found(term, ['n', 'c', 'd'])
}

/** Asks which teams have a term in their name. */
export function nameLookup(term: Term): string {
  return found(term, ['n'])
}

function together(groups: readonly string[]): string {
  return groups.map((group) => `(${group})`).join(' & ')
}

// The groups of terms of which a document needs one.
function groupsOf(terms: readonly Term[], needed: 'all' | 'all but one'): (readonly Term[])[] {
  if (needed === 'all' || terms.length < 2) return [terms]
  return terms.map((_, left) => terms.filter((__, at) => at !== left))
}

// The terms that the index finds faster than rows of the rarer terms are checked.
function rarestOf(terms: readonly Term[]): readonly Term[] {
  const [first, ...others] = terms.toSorted((a, b) => a.entriesCount - b.entriesCount)
  if (first === undefined) return []
  const rarest = [first]
  let rows = Math.max(first.entriesCount, ROWS_READ.least)
  for (const term of others) {
    if (term.entriesCount > Math.min(rows, ROWS_READ.most) * ENTRIES_PER_ROW) break
    rarest.push(term)
    rows *= ROWS_LEFT_BY_TERM
  }
  return rarest
}

function wordsOf({ typed, singular, near, synonyms }: Term): string[] {
  return [typed, ...(singular === undefined ? [] : [singular]), ...near, ...synonyms]
}

const PLACES: readonly Place[] = ['n', 'c', 'd']

// Very short beginnings match too much: one letter outside of names, two letters in descriptions.
const PREFIX_CHARACTERS_MIN: Readonly<Record<Place, number>> = { n: 1, c: 2, d: 3, x: 0 }

// The typed word may be a beginning, the alternatives may not.
function found(term: Term, places: readonly Place[]): string {
  const [typed = '', ...others] = wordsOf(term)
  return either(
    ...places.map((place) =>
      term.mayGoOn && typed.length >= PREFIX_CHARACTERS_MIN[place]
        ? begins(place, typed)
        : quoted(`${place}${typed}`),
    ),
    ...others.flatMap((word) => places.map((place) => quoted(`${place}${word}`))),
  )
}

function foundWhole(term: Term): string {
  const places: readonly Place[] = ['n', 'c']
  return either(
    ...wordsOf(term).flatMap((word) => places.map((place) => quoted(`${place}${word}`))),
  )
}

function either(...some: readonly string[]): string {
  return some
    .filter((one) => one !== '')
    .map((one) => `(${one})`)
    .join(' | ')
}

// Words only have letters and digits; references also have dashes.
function quoted(lexeme: string): string {
  return `'${lexeme}'`
}

function begins(place: Place, word: string): string {
  return `'${place}${word}':*`
}
