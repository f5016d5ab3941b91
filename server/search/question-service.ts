import type { Database } from '../tables.ts'
import * as lookups from './lookup-store.ts'
import { splitWord, nearestTo } from './near.ts'
import { listPrefixes, createTerm, indexQuery, mayGoOn, nameLookup, readQuery } from './query.ts'
import { toSingular, termLookup, wordsOfQuery } from './query.ts'
import type { IndexQuery, ReadQuery, Term } from './query.ts'
import { STOP_WORDS } from './stop-words.ts'
import { loadSynonyms } from './synonym-store.ts'
import { createSynonyms, KNOWN_SYNONYMS, type Synonyms } from './synonyms.ts'
import { toReferenceTerm } from './terms.ts'
import { namesIn } from '../../formats/text/words.ts'

// Leaving out one of two words changes the meaning, and every further word makes the query longer.
const LEAVABLE_TERMS_MIN = 3
const LEAVABLE_TERMS_MAX = 7

/** A question that finds fewer documents is also asked more widely. */
export const ENOUGH_FOUND = 5

/** One way to query the index for a text. */
export interface Question {
  terms: readonly Term[]
  /** Undefined = everything. */
  index: IndexQuery | undefined
  /** Words of the query that are left out. */
  leftOut: readonly string[]
  /** The contracts by which products may be found. */
  contractIds?: readonly string[]
}

interface AskedIndex {
  db: Database
  organizationId: string
  /** Loads the synonyms of the organization on demand. */
  loadSynonyms: () => Promise<Synonyms>
}

const KNOWN = createSynonyms(KNOWN_SYNONYMS)

/**
 * Returns the ways to ask for a query, the strictest first; an empty query asks for everything.
 * `countFound` returns how many documents the best question so far has found; which questions follow
 * depends on it.
 */
export function listQuestions(
  db: Database,
  organizationId: string,
  query: ReadQuery,
  countFound: () => number,
): AsyncIterable<Question> | Question[] {
  if (query.isEmpty) return [{ terms: [], index: undefined, leftOut: [] }]
  const index = {
    db,
    organizationId,
    async loadSynonyms() {
      const own = await loadSynonyms(db, organizationId)
      return own.length === 0 ? KNOWN : createSynonyms(KNOWN_SYNONYMS, own)
    },
  }
  return questionsFor(index, query, countFound)
}

// As it was typed, with synonyms, with one letter changed, without words of questions, without words that
// match nothing, and without any one word. A query without letters and digits has no questions.
async function* questionsFor(
  asked: AskedIndex,
  query: ReadQuery,
  countFound: () => number,
): AsyncGenerator<Question> {
  if (query.names.length === 0) return
  const names = query.names.map(({ joined }) => joined)
  yield await ask(asked, query, toTerms(names))
  const synonyms = await asked.loadSynonyms()
  const alike = toTerms(names, synonyms)
  if (alike.some((term) => term.synonyms.length > 0)) yield await ask(asked, query, alike)
  const near = await toNearTerms(asked, wordsOfQuery(query))
  if (countFound() === 0) yield await ask(asked, query, near)

  const naming = names.filter((name) => !STOP_WORDS.has(name))
  const stopWords = names.filter((name) => STOP_WORDS.has(name))
  if (stopWords.length > 0 && naming.length > 0) {
    yield await ask(asked, query, toTerms(naming, synonyms), { leftOut: stopWords })
  }
  if (naming.length < 2) return
  const terms = toTerms(naming, synonyms)
  const matched = await lookups.listMatched(asked.db, asked.organizationId, terms.map(termLookup))
  const present = terms.filter((_, at) => matched[at] === true)
  if (present.length > 0 && present.length < terms.length) {
    const absent = naming.filter((_, at) => matched[at] !== true)
    yield await ask(asked, query, present, { leftOut: [...stopWords, ...absent] })
  }
  // A name or a path that is found needs no wider question.
  if (countFound() > 0 && !query.isPhrase) return
  if (near.length >= LEAVABLE_TERMS_MIN && near.length <= LEAVABLE_TERMS_MAX) {
    const widest = countFound() === 0 ? near : terms
    yield await ask(asked, query, widest, { needed: 'all but one' })
  }
}

function toTerms(words: readonly string[], synonyms: Synonyms = () => []): Term[] {
  const allowsMore = mayGoOn(words)
  return words.map((word, at) => {
    const singular = toSingular(word)
    const alike = [...synonyms(word), ...(singular === undefined ? [] : synonyms(singular))]
    return createTerm(word, { synonyms: alike, mayGoOn: allowsMore[at] })
  })
}

async function toNearTerms(asked: AskedIndex, words: readonly string[]): Promise<Term[]> {
  const allowsMore = mayGoOn(words)
  return await Promise.all(
    words.map(async (word, at) => {
      const near = await findNear(asked.db, asked.organizationId, word)
      return createTerm(word, { near, mayGoOn: allowsMore[at] })
    }),
  )
}

async function ask(
  { db, organizationId }: AskedIndex,
  query: ReadQuery,
  given: readonly Term[],
  { needed, leftOut = [] }: { needed?: 'all' | 'all but one'; leftOut?: readonly string[] } = {},
): Promise<Question> {
  const terms = await resolve(db, organizationId, given)
  // The key of the whole query is not a name once words are left out.
  const named = leftOut.length === 0 ? query : readQuery(terms.map(({ typed }) => typed).join(' '))
  const index = indexQuery(terms, named, needed)
  const provided = await lookups.listProvided(db, organizationId, index)
  const products = provided.filter(({ kind }) => kind === 'data-product')
  return {
    terms,
    leftOut,
    index: {
      ...index,
      products: products.map(({ id }) => id),
      exactProducts: products.filter(({ isExact }) => isExact).map(({ id }) => id),
    },
    contractIds: provided.filter(({ kind }) => kind === 'data-contract').map(({ id }) => id),
  }
}

// Documents match teams and integrations by reference, because these names are only stored in one place.
async function resolve(
  db: Database,
  organizationId: string,
  terms: readonly Term[],
): Promise<Term[]> {
  const [referred, integrations, wordCounts] = await Promise.all([
    lookups.listReferred(db, organizationId, terms.map(nameLookup)),
    lookups.listIntegrations(db, organizationId),
    lookups.estimateEntries(db, terms.map(listPrefixes)),
  ])
  const references = terms.map((term, at) => {
    const own = referred.filter(({ ordinal }) => ordinal === at + 1)
    const named = integrations.filter(({ name }) => isNamed(name, term))
    return [
      ...own.map(({ kind, id }) => toReferenceTerm(kind, id)),
      ...named.map(({ id }) => toReferenceTerm('integration', id)),
    ]
  })
  const referenceCounts = await lookups.estimateEntries(db, references)
  return terms.map((term, at) => ({
    ...term,
    references: references[at] ?? [],
    entriesCount: (wordCounts[at] ?? 0) + (referenceCounts[at] ?? 0),
  }))
}

function isNamed(name: string, { typed, singular, near, synonyms }: Term): boolean {
  const own = namesIn(name.normalize('NFC')).flat()
  return own.some(
    ({ word }) =>
      word.startsWith(typed) || word === singular || [...near, ...synonyms].includes(word),
  )
}

async function findNear(db: Database, organizationId: string, word: string): Promise<string[]> {
  const halves = splitWord(word)
  if (halves === undefined) return []
  const letters = Array.from(word).length
  const similar = await lookups.listSimilar(db, organizationId, halves, letters - 1, letters + 1)
  return nearestTo(word, similar)
}
