import { hash } from 'node:crypto'
import type { DocumentKind } from '../../ledger/history/revision.ts'
import { eachTerm, toComparisonKey, WORD_CHARACTERS_MAX } from '../../../formats/text/words.ts'

/**
 * The terms of a document: words and names, each prefixed with a letter for its location, so that one index
 * answers where a match is. The names of teams and integrations are not copied; a term refers to them.
 */

/**
 * The location of a term: `n` for id and name, `c` for facts such as tags, ports and columns, `d` for
 * descriptions, `x` for generated ids.
 */
export type TermLocation = 'n' | 'c' | 'd' | 'x'

/**
 * The target of a reference: the owning team, the integration of an asset, the integration whose owner owns
 * an asset by default, a contract of an output port, a definition that a contract names, or the source system of an
 * input port.
 */
type ReferenceKind = 'team' | 'integration' | 'fallback' | 'contract' | 'definition' | 'system'

const REFERENCE_LETTERS: Readonly<Record<ReferenceKind, string>> = {
  team: 'o',
  integration: 'i',
  fallback: 'f',
  contract: 'k',
  definition: 'g',
  system: 's',
}

const EXTERNAL: readonly ReferenceKind[] = ['contract', 'definition', 'system']

// A tsvector has a megabyte at most, and every term has its price at every write.
const TERMS_MAX = 12_000
const TERM_CHARACTERS_TOTAL_MAX = 300_000
const TEXT_CHARACTERS_MAX = 20_000

// Shorter words are similar to too many others, and words with digits are numbers or ids.
const VOCABULARY_WORD = /^\p{L}{4,32}$/u
const VOCABULARY_WORDS_MAX = 5000

/** The number of kept digits of an external id's digest, which have no special characters in queries. */
export const CONTRACT_KEY_LENGTH = 24

/** The term that refers to something: to a document by its own id, else by the internal one. */
export function toReferenceTerm(kind: ReferenceKind, id: string): string {
  const key = EXTERNAL.includes(kind) ? hash('sha256', id).slice(0, CONTRACT_KEY_LENGTH) : id
  return `${REFERENCE_LETTERS[kind]}${key}`
}

/** Returns the term of every document of a kind. */
export function toKindTerm(kind: DocumentKind): string {
  return `t${kind}`
}

/** A term of a text, without the letter of its location. */
interface Term {
  term: string
  /** Whether misspelt words are corrected to it. */
  isVocabulary: boolean
}

// Tables of a source share column names, and tokenizing them takes most of the time of indexing.
const recentTerms = new Map<string, readonly Term[]>()
const RECENT_TEXTS_MAX = 10_000
const RECENT_TEXT_CHARACTERS_MAX = 64

function findTerms(text: string): readonly Term[] {
  const recent = recentTerms.get(text)
  if (recent !== undefined) return recent
  const terms: Term[] = []
  eachTerm(text, (term) => terms.push({ term, isVocabulary: VOCABULARY_WORD.test(term) }))
  if (text.length <= RECENT_TEXT_CHARACTERS_MAX) {
    if (recentTerms.size >= RECENT_TEXTS_MAX) recentTerms.clear()
    recentTerms.set(text, terms)
  }
  return terms
}

/** Collects the terms of a document up to a limit; add the most important ones first. */
export class TermSet {
  readonly #lexemes: Set<string>
  readonly #vocabulary = new Set<string>()
  #charactersLeft = TERM_CHARACTERS_TOTAL_MAX

  constructor(kind: DocumentKind) {
    this.#lexemes = new Set([toKindTerm(kind)])
  }

  /** Adds the id and the name. */
  addName(id: string, name: string): void {
    for (const text of [name, id]) {
      this.#add('n', text)
      const key = toComparisonKey(text).slice(0, WORD_CHARACTERS_MAX)
      if (key !== '') this.#take(`n${key}`)
    }
  }

  /** Adds a tag, a column, a port or another named part. */
  addFact(text: string): void {
    this.#add('c', text)
  }

  /** Adds running text. */
  addText(text: string | undefined): void {
    if (text !== undefined && text !== '') this.#add('d', text.slice(0, TEXT_CHARACTERS_MAX))
  }

  /** Adds an id that is found as a whole, or by so long a beginning that nothing else has it. */
  addGeneratedId(key: string): void {
    if (key !== '') this.#take(`x${key.slice(0, WORD_CHARACTERS_MAX)}`)
  }

  /** Adds a reference to a contract. */
  addContract(id: string): void {
    this.#take(toReferenceTerm('contract', id))
  }

  /** Adds a reference to a definition. */
  addDefinition(id: string): void {
    this.#take(toReferenceTerm('definition', id))
  }

  /** Adds a reference to a source system. */
  addSourceSystem(id: string): void {
    this.#take(toReferenceTerm('system', id))
  }

  /** All terms as the index takes them. */
  lexemes(): string[] {
    return [...this.#lexemes]
  }

  /** Returns the words that may replace a misspelled word. */
  vocabulary(): string[] {
    return [...this.#vocabulary]
  }

  #add(location: TermLocation, text: string): void {
    for (const { term, isVocabulary } of findTerms(text)) {
      this.#take(`${location}${term}`)
      if (isVocabulary && this.#vocabulary.size < VOCABULARY_WORDS_MAX) this.#vocabulary.add(term)
    }
  }

  #take(lexeme: string): void {
    if (this.#lexemes.size >= TERMS_MAX || this.#charactersLeft < lexeme.length) return
    if (this.#lexemes.has(lexeme)) return
    this.#lexemes.add(lexeme)
    this.#charactersLeft -= lexeme.length
  }
}
