import { hash } from 'node:crypto'
import type { DocumentKind } from '../history/revision.ts'
import { eachTerm, keyOf, WORD_CHARACTERS_MAX } from '../../formats/text/words.ts'

/**
 * A document is found by its terms: words and names, each after a letter that says where it stands.
 * So one index answers where something was found. The names of teams and integrations are not copied:
 * a term refers to them.
 */

/**
 * Where a term stands: `n` id or name, `c` a fact such as a tag, a port or a column, `d` running text,
 * `x` an id that the catalog made.
 */
export type Place = 'n' | 'c' | 'd' | 'x'

/**
 * What a term can refer to: the owning team, the integration of an asset, the integration whose owner
 * owns an asset that nobody else does, a contract of an output port.
 */
export type Referred = 'team' | 'integration' | 'fallback' | 'contract'

const REFERENCE_LETTERS: Readonly<Record<Referred, string>> = {
  team: 'o',
  integration: 'i',
  fallback: 'f',
  contract: 'k',
}

// A tsvector has a megabyte at most, and every term has its price at every write.
const TERMS_MAX = 12_000
const TERM_CHARACTERS_TOTAL_MAX = 300_000
const TEXT_CHARACTERS_MAX = 20_000

// Shorter words are near to too many, and what has digits is a number or an id.
const VOCABULARY_WORD = /^\p{L}{4,32}$/u
const VOCABULARY_WORDS_MAX = 5000

/** Of the digest of a contract's id so much is kept: it has no character that a question would mistake. */
export const CONTRACT_KEY_LENGTH = 24

/** The term that refers to something: to a contract by its own id, else by the internal one. */
export function referenceOf(kind: Referred, id: string): string {
  const key = kind === 'contract' ? hash('sha256', id).slice(0, CONTRACT_KEY_LENGTH) : id
  return `${REFERENCE_LETTERS[kind]}${key}`
}

/** The term that every document of a kind has. */
export function termOfKind(kind: DocumentKind): string {
  return `t${kind}`
}

/** A term of a text, without the letter of its place. */
interface Term {
  term: string
  /** Whether misspelt words are corrected to it. */
  isVocabulary: boolean
}

// Most tables of a source have columns of the same few names, and to split a name takes most of the time
// of indexing it.
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

/** Collects the terms of one document; what matters most is added first, because the sum is bounded. */
export class TermSet {
  readonly #lexemes: Set<string>
  readonly #vocabulary = new Set<string>()
  #charactersLeft = TERM_CHARACTERS_TOTAL_MAX

  constructor(kind: DocumentKind) {
    this.#lexemes = new Set([termOfKind(kind)])
  }

  /** Adds what it is called. */
  addName(id: string, name: string): void {
    for (const text of [name, id]) {
      this.#add('n', text)
      const key = keyOf(text).slice(0, WORD_CHARACTERS_MAX)
      if (key !== '') this.#take(`n${key}`)
    }
  }

  /** Adds a tag, a column, a port, whatever has a name of its own in it. */
  addFact(text: string): void {
    this.#add('c', text)
  }

  /** Adds running text. */
  addText(text: string | undefined): void {
    if (text !== undefined && text !== '') this.#add('d', text.slice(0, TEXT_CHARACTERS_MAX))
  }

  /** Adds an id that is found as a whole, or by so long a beginning that nothing else has it. */
  addMadeId(key: string): void {
    if (key !== '') this.#take(`x${key.slice(0, WORD_CHARACTERS_MAX)}`)
  }

  /** Adds a reference to a contract. */
  addContract(id: string): void {
    this.#take(referenceOf('contract', id))
  }

  /** All terms as the index takes them. */
  lexemes(): string[] {
    return [...this.#lexemes]
  }

  /** Its words for which a misspelt one may stand. */
  vocabulary(): string[] {
    return [...this.#vocabulary]
  }

  #add(place: Place, text: string): void {
    for (const { term, isVocabulary } of findTerms(text)) {
      this.#take(`${place}${term}`)
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
