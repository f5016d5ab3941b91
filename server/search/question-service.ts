import type { Database } from '../tables.ts'
import * as lookups from './lookup-store.ts'
import { halvesOf, nearestTo } from './near.ts'
import { indexQuery, mayGoOn, nameLookup, termOf, wordsOfQuery } from './query.ts'
import type { IndexQuery, ReadQuery, Term } from './query.ts'
import { referenceOf } from './terms.ts'
import { namesIn } from './words.ts'

// Of two words one alone is something else, and each more makes the question longer.
const LEAVABLE_TERMS_MIN = 3
const LEAVABLE_TERMS_MAX = 7

/** One way to ask the index for what was typed. */
export interface Question {
  terms: readonly Term[]
  /** Undefined = everything. */
  index: IndexQuery | undefined
  /** The contracts by which products may be found. */
  contractIds?: readonly string[]
}

/**
 * The ways to ask for what was typed, the strictest first; each is worth asking when the ones before
 * found nothing. None for a query without a letter and a digit.
 */
export async function* questionsFor(
  db: Database,
  organizationId: string,
  query: ReadQuery,
): AsyncGenerator<Question> {
  if (query.names.length === 0) return
  const joined = query.names.map((name) => name.joined)
  const mayJoinedGoOn = mayGoOn(joined)
  const typed = joined.map((word, at) => termOf(word, [], mayJoinedGoOn[at]))
  yield await ask(db, organizationId, query, typed)
  const words = wordsOfQuery(query)
  const mayWordGoOn = mayGoOn(words)
  const near = await Promise.all(
    words.map(async (word, at) => {
      return termOf(word, await findNear(db, organizationId, word), mayWordGoOn[at])
    }),
  )
  yield await ask(db, organizationId, query, near)
  if (near.length >= LEAVABLE_TERMS_MIN && near.length <= LEAVABLE_TERMS_MAX)
    yield await ask(db, organizationId, query, near, 'all but one')
}

async function ask(
  db: Database,
  organizationId: string,
  query: ReadQuery,
  given: readonly Term[],
  needed?: 'all' | 'all but one',
): Promise<Question> {
  const terms = await resolve(db, organizationId, given)
  const index = indexQuery(terms, query, needed)
  const provided = await lookups.listProvided(db, organizationId, index)
  const products = provided.filter(({ kind }) => kind === 'data-product')
  return {
    terms,
    index: {
      ...index,
      products: products.map(({ id }) => id),
      exactProducts: products.filter(({ isExact }) => isExact).map(({ id }) => id),
    },
    contractIds: provided.filter(({ kind }) => kind === 'data-contract').map(({ id }) => id),
  }
}

// The names of teams and of integrations stand where they belong and nowhere else: a document is found
// by what refers to them.
async function resolve(
  db: Database,
  organizationId: string,
  terms: readonly Term[],
): Promise<Term[]> {
  const [referred, integrations] = await Promise.all([
    lookups.listReferred(db, organizationId, terms.map(nameLookup)),
    lookups.listIntegrations(db, organizationId),
  ])
  return terms.map((term, at): Term => {
    const own = referred.filter(({ ordinal }) => ordinal === at + 1)
    const named = integrations.filter(({ name }) => isNamed(name, term))
    return {
      ...term,
      references: [
        ...own.map(({ kind, id }) => referenceOf(kind, id)),
        ...named.map(({ id }) => referenceOf('integration', id)),
      ],
    }
  })
}

function isNamed(name: string, { typed, singular, near }: Term): boolean {
  const own = namesIn(name.normalize('NFC')).flat()
  return own.some(({ word }) => word.startsWith(typed) || word === singular || near.includes(word))
}

async function findNear(db: Database, organizationId: string, word: string): Promise<string[]> {
  const halves = halvesOf(word)
  if (halves === undefined) return []
  const letters = Array.from(word).length
  const similar = await lookups.listSimilar(db, organizationId, halves, letters - 1, letters + 1)
  return nearestTo(word, similar)
}
