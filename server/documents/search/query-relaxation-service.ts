import type { Database } from '../../platform/tables.ts'
import { rankCorrections, splitWord } from './fuzzy-match.ts'
import * as lookups from './lookup-store.ts'
import { allowPrefixes, countEntries, createTerm, estimateEntries, indexQuery } from './query.ts'
import { listQueryWords, parseQuery, toNameQuery, toSingular, toTermQuery } from './query.ts'
import type { CommonEntries, IndexQuery, ParsedQuery, Term } from './query.ts'
import { STOP_WORDS } from './stop-words.ts'
import { loadSynonyms } from './synonym-store.ts'
import { createSynonyms, KNOWN_SYNONYMS, type Synonyms } from './synonyms.ts'
import { toReferenceTerm } from './terms.ts'
import { namesIn } from '../../../formats/text/words.ts'

// Leaving out one of two words changes the meaning, and every further word makes the index query longer.
const OPTIONAL_TERMS_MIN = 3
const OPTIONAL_TERMS_MAX = 7

/** A variant with fewer matches is followed by a wider one. */
export const ENOUGH_MATCHES = 5

/** One way to search for a text. */
export interface QueryVariant {
  terms: readonly Term[]
  /** Undefined = everything. */
  index: IndexQuery | undefined
  /** Words of the query that are left out. */
  leftOut: readonly string[]
  /** The contracts that products may match by. */
  contractIds?: readonly string[]
}

/** The matches of a variant, regardless of filters. */
export interface MatchSummary {
  /** A minimum. */
  count: number
  /** Whether a document has all words in its name or id. */
  isByName: boolean
}

/** The summary before the first variant. */
export const NO_MATCHES: MatchSummary = { count: 0, isByName: false }

const KNOWN = createSynonyms(KNOWN_SYNONYMS)

/**
 * Yields the ways to search for a query, the strictest first: as typed, with synonyms, with one letter
 * corrected, without stop words, without words that match nothing, and without any one word. An empty query
 * searches for everything; one without letters and digits has no variants.
 *
 * `getBest` returns the matches of the best variant so far, on which the next ones depend.
 */
export async function* relaxQuery(
  db: Database,
  organizationId: string,
  query: ParsedQuery,
  getBest: () => MatchSummary,
): AsyncGenerator<QueryVariant> {
  if (query.isEmpty) yield { terms: [], index: undefined, leftOut: [] }
  if (query.names.length === 0) return
  const searched = {
    db,
    organizationId,
    query,
    integrations: lookups.listIntegrations(db, organizationId),
    commonEntries: lookups.loadCommonEntries(db),
  }
  const create = async (
    terms: readonly Term[],
    options: VariantOptions = {},
  ): Promise<QueryVariant> => await createVariant(searched, terms, options)
  const names = query.names.map(({ joined }) => joined)
  yield await create(toTerms(names))
  const own = await loadSynonyms(db, organizationId)
  const synonyms = own.length === 0 ? KNOWN : createSynonyms(KNOWN_SYNONYMS, own)
  const extended = toTerms(names, synonyms)
  if (extended.some((term) => term.synonyms.length > 0)) yield await create(extended)
  const words = listQueryWords(query)
  const corrected =
    getBest().count === 0 ? await toCorrectedTerms(db, organizationId, words) : undefined
  if (corrected !== undefined) yield await create(corrected)
  // The following variants leave words out. A name or a path that is found needs none of them.
  if (getBest().isByName) return

  const content = names.filter((name) => !STOP_WORDS.has(name))
  const stopWords = names.filter((name) => STOP_WORDS.has(name))
  const terms = toTerms(content, synonyms)
  if (stopWords.length > 0 && content.length > 0) yield await create(terms, { leftOut: stopWords })
  if (content.length < 2) return
  const areMatched = await lookups.checkMatches(db, organizationId, terms.map(toTermQuery))
  const present = terms.filter((_, at) => areMatched[at] === true)
  if (present.length > 0 && present.length < terms.length) {
    const absent = content.filter((_, at) => areMatched[at] !== true)
    yield await create(present, { leftOut: [...stopWords, ...absent] })
  }
  if (getBest().count > 0 && !query.isPhrase) return
  if (words.length < OPTIONAL_TERMS_MIN || words.length > OPTIONAL_TERMS_MAX) return
  const widest = getBest().count === 0 && corrected !== undefined ? corrected : terms
  yield await create(widest, { needed: 'all but one' })
}

function toTerms(words: readonly string[], synonyms: Synonyms = () => []): Term[] {
  const prefixFlags = allowPrefixes(words)
  return words.map((word, at) => {
    const singular = toSingular(word)
    const alike = [...synonyms(word), ...(singular === undefined ? [] : synonyms(singular))]
    return createTerm(word, { synonyms: alike, allowPrefix: prefixFlags[at] })
  })
}

async function toCorrectedTerms(
  db: Database,
  organizationId: string,
  words: readonly string[],
): Promise<Term[]> {
  const prefixFlags = allowPrefixes(words)
  return await Promise.all(
    words.map(async (word, at) => {
      const corrections = await findCorrections(db, organizationId, word)
      return createTerm(word, { corrections, allowPrefix: prefixFlags[at] })
    }),
  )
}

interface VariantOptions {
  needed?: 'all' | 'all but one'
  leftOut?: readonly string[]
}

/** The searched organization, and what all variants of a query read of it once. */
interface SearchedIndex {
  db: Database
  organizationId: string
  query: ParsedQuery
  integrations: Promise<{ id: string; name: string }[]>
  commonEntries: Promise<CommonEntries>
}

async function createVariant(
  searched: SearchedIndex,
  given: readonly Term[],
  { needed, leftOut = [] }: VariantOptions,
): Promise<QueryVariant> {
  const { db, organizationId, query } = searched
  const terms = await addReferences(searched, given)
  // The key of the whole query is not a name once words are left out.
  const named = leftOut.length === 0 ? query : parseQuery(terms.map(({ typed }) => typed).join(' '))
  const index = indexQuery(terms, named, needed)
  const matches = await lookups.listContractMatches(db, organizationId, index)
  const products = matches.filter(({ kind }) => kind === 'data-product')
  return {
    terms,
    leftOut,
    index: {
      ...index,
      products: products.map(({ id }) => id),
      exactProducts: products.filter(({ isExact }) => isExact).map(({ id }) => id),
    },
    contractIds: matches.filter(({ kind }) => kind === 'data-contract').map(({ id }) => id),
  }
}

// Documents match teams and integrations by reference, because these names are only stored in one place.
async function addReferences(
  { db, organizationId, ...searched }: SearchedIndex,
  terms: readonly Term[],
): Promise<Term[]> {
  const [owners, integrations, commonEntries] = await Promise.all([
    lookups.listOwnerReferences(db, organizationId, terms.map(toNameQuery)),
    searched.integrations,
    searched.commonEntries,
  ])
  return terms.map((term, at) => {
    const references = [
      ...owners
        .filter(({ ordinal }) => ordinal === at + 1)
        .map(({ kind, id }) => toReferenceTerm(kind, id)),
      ...integrations
        .filter(({ name }) => isNamedBy(name, term))
        .map(({ id }) => toReferenceTerm('integration', id)),
    ]
    const entriesCount =
      estimateEntries(term, commonEntries) + countEntries(references, commonEntries)
    return { ...term, references, entriesCount }
  })
}

function isNamedBy(name: string, { typed, singular, corrections, synonyms }: Term): boolean {
  return namesIn(name.normalize('NFC'))
    .flat()
    .some(
      ({ word }) =>
        word.startsWith(typed) || word === singular || [...corrections, ...synonyms].includes(word),
    )
}

async function findCorrections(
  db: Database,
  organizationId: string,
  word: string,
): Promise<string[]> {
  const halves = splitWord(word)
  if (halves === undefined) return []
  const letters = Array.from(word).length
  const similar = await lookups.listSimilar(db, organizationId, halves, letters - 1, letters + 1)
  return rankCorrections(word, similar)
}
