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
}

/** A query in the syntax of the index. */
export interface IndexQuery {
  /** All that is found. */
  all: string
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
  const inAll = (of: (term: Term) => string): string => combined(terms.map(of), needed)
  const names = either(
    inAll((term) => found(term, ['n'])),
    run && begins('n', run),
  )
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
    all: either(
      inAll((term) => either(found(term, ['n', 'c', 'd']), ...term.references.map(quoted))),
      run && begins('n', run),
      run && begins('c', run),
      quoted(`n${whole}`),
      whole.length < MADE_ID_CHARACTERS_MIN ? '' : begins('x', whole),
    ),
  }
}

/** Restricts an index query to one kind of document. */
export function ofKind(kind: DocumentKind, question: string): string {
  return `${quoted(termOfKind(kind))} & (${question})`
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

function combined(groups: readonly string[], needed: 'all' | 'all but one'): string {
  if (needed === 'all' || groups.length < 2) return together(groups)
  return either(...groups.map((_, left) => together(groups.filter((__, at) => at !== left))))
}

function wordsOf({ typed, singular, near, synonyms }: Term): string[] {
  return [typed, ...(singular === undefined ? [] : [singular]), ...near, ...synonyms]
}

// The typed word may be a beginning, the alternatives may not. Very short beginnings match too much: one
// letter outside of names, two letters in descriptions.
function found(term: Term, places: readonly Place[]): string {
  const [typed = '', ...others] = wordsOf(term)
  const least: Readonly<Record<Place, number>> = { n: 1, c: 2, d: 3, x: 0 }
  return either(
    ...places.map((place) =>
      term.mayGoOn && typed.length >= least[place]
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
