/**
 * The words that comments, messages and documents avoid, each with what to write instead. A pattern is
 * matched in prose only: comments, text in quotes that reads like a sentence, and Markdown without its code.
 */

export interface LanguageRule {
  readonly pattern: RegExp
  readonly instead: string
}

/** Words and constructions to avoid in any prose. */
export const LANGUAGE_RULES: readonly LanguageRule[] = [
  {
    pattern: /\b(somebody|nobody|anybody|someone else|whoever|whomever|whatever)\b/i,
    instead: 'the caller, the client, the user, another process, no team, any, if',
  },
  {
    pattern: /\b(tells?|told|telling|says?|said)\b/i,
    instead: 'returns, reports, logs, shows, describes, contains',
  },
  { pattern: /\b(knows|wants|wanted)\b/i, instead: 'has, supports, imports, needs, requested' },
  { pattern: /\b(stands?|stood|lies|lay)\b/i, instead: 'is, are, lives in, is stored in' },
  {
    pattern: /\b(afresh|anew|beforehand|besides|meanwhile|thereof|herein|shall|even so)\b/i,
    instead: 'again, in advance, also, at the same time, must, still',
  },
  { pattern: /\b(mends?|mended|mending|mishaps?)\b/i, instead: 'fix, repair, failure' },
  { pattern: /\balone\b/i, instead: 'only, before the word that it limits' },
  {
    pattern: /\b(rooms?|wings?|storeys?|doors?)\b/i,
    instead: 'module, package, layer, entry point',
  },
  { pattern: /\bthat there (is|are|was)\b/i, instead: 'existing' },
  { pattern: /\bwhom\b/i, instead: 'a clause with a plain subject' },
  { pattern: /\b(learns|learned|learnt|cares? (about|for))\b/i, instead: 'reads, detects, needs' },
]

/** Beginnings of docstrings that are clauses without a subject. */
export const HEADLESS: LanguageRule = {
  pattern: /^\/\*\*[\s*]*(What|Whose|Who|Whom|How|That which|Where)\b/,
  instead: 'a verb (Returns, Creates, Lists) for a function, a noun phrase for a type',
}
