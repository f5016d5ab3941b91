import type { Field, Highlight, Reason } from './search.ts'
import type { ReadQuery, Term } from './query.ts'
import { toComparisonKey, namesIn, type TextWord } from '../../formats/text/words.ts'

/** A text in which something may have been found. */
export interface SearchedText {
  field: Field
  text: string
  /** The path to report, if any. */
  path?: string
}

/** Why a result is one, and where that can be seen. */
export interface Explanation {
  why: Reason[]
  highlights: Highlight[]
}

type How = Reason['how']

// How a match relates to the query, the closest first.
const ORIGINS = ['typed', 'synonym', 'typo'] as const
type Origin = (typeof ORIGINS)[number]

interface Match {
  start: number
  end: number
  term: number
  origin: Origin
}

interface Matched extends SearchedText {
  matches: Match[]
  how: How
}

const HIGHLIGHT_CHARACTERS_MAX = 240
const CHARACTERS_BEFORE = 60
const OF_ONE_FIELD_MAX = 3
const HOW_ORDER: readonly How[] = ['exact', 'prefix', 'word', 'synonym', 'typo']

/** Explains a result by the texts of its fields, given in order of importance. */
export function explain(
  texts: readonly SearchedText[],
  terms: readonly Term[],
  query: ReadQuery,
): Explanation {
  const matched = texts.flatMap((searched) => matchedIn(searched, terms, query) ?? [])
  const best = bestOfEachField(matched)
  return {
    why: best.map(({ field, how, path }) => ({ field, how, path: path ?? null })),
    highlights: best.map(({ field, text, matches }) => highlightOf(field, text, matches)),
  }
}

/** Returns whether a text matches any of the terms. */
export function isMatched(text: string, terms: readonly Term[]): boolean {
  return matchesIn(text.normalize('NFC'), terms).length > 0
}

function termCount({ matches }: Matched): number {
  return new Set(matches.map(({ term }) => term)).size
}

// There may be thousands of columns, tags and ports; only the best matches are reported.
function bestOfEachField(matched: readonly Matched[]): Matched[] {
  return [...Map.groupBy(matched, ({ field }) => field).values()].flatMap((same) => {
    return same
      .toSorted(
        (a, b) =>
          HOW_ORDER.indexOf(a.how) - HOW_ORDER.indexOf(b.how) ||
          termCount(b) - termCount(a) ||
          a.text.length - b.text.length,
      )
      .slice(0, OF_ONE_FIELD_MAX)
  })
}

function matchedIn(
  { text: given, ...searched }: SearchedText,
  terms: readonly Term[],
  query: ReadQuery,
): Matched | undefined {
  const text = given.normalize('NFC')
  const matches = matchesIn(text, terms)
  if (
    matches.length === 0 &&
    isNameOf(searched.field) &&
    toComparisonKey(text).startsWith(query.key)
  ) {
    // Its words are written apart here, and were typed as one.
    matches.push({ start: 0, end: text.length, term: 0, origin: 'typed' })
  }
  if (matches.length === 0) return undefined
  return { ...searched, text, matches, how: howOf(searched.field, text, matches, query) }
}

function isNameOf(field: Field): boolean {
  return field === 'name' || field === 'id'
}

function howOf(
  field: Field,
  text: string,
  matches: readonly Match[],
  { key, names }: ReadQuery,
): How {
  const nearest = ORIGINS.find((origin) => matches.some((match) => match.origin === origin))
  if (nearest !== undefined && nearest !== 'typed') return nearest
  if (field === 'description') return 'word'
  const own = toComparisonKey(text)
  // A column is reported with its table.
  const leaf = toComparisonKey(text.slice(text.lastIndexOf('.') + 1))
  if (own === key) return 'exact'
  if (!isNameOf(field) && names.some(({ joined }) => joined === own || joined === leaf)) {
    return 'exact'
  }
  const begins = own.startsWith(key) || (field === 'column' && leaf.startsWith(key))
  return begins ? 'prefix' : 'word'
}

function matchesIn(text: string, terms: readonly Term[]): Match[] {
  const matches: Match[] = []
  for (const parts of namesIn(text)) {
    for (let from = 0; from < parts.length; from += 1) {
      const match = longestAt(parts, from, terms)
      if (match === undefined) continue
      matches.push(match)
      while (from + 1 < parts.length && (parts[from + 1]?.start ?? 0) < match.end) from += 1
    }
  }
  return matches
}

// A literal match takes precedence over synonyms and typing errors.
function longestAt(
  parts: readonly TextWord[],
  from: number,
  terms: readonly Term[],
): Match | undefined {
  let longest: Match | undefined
  const start = parts[from]?.start ?? 0
  terms.forEach(({ typed, mayGoOn, singular, near, synonyms }, term) => {
    const asTyped =
      endOf(parts, from, typed, mayGoOn) ??
      (singular === undefined ? undefined : endOf(parts, from, singular, false))
    const ends: Readonly<Record<Origin, number>> = {
      typed: asTyped ?? 0,
      synonym: farthestEnd(parts, from, synonyms),
      typo: farthestEnd(parts, from, near),
    }
    const origin = ORIGINS.find((one) => ends[one] > 0)
    if (origin === undefined) return
    const match = { start, end: ends[origin], term, origin }
    if (longest === undefined || isBetter(match, longest)) longest = match
  })
  return longest
}

function farthestEnd(parts: readonly TextWord[], from: number, words: readonly string[]): number {
  return Math.max(0, ...words.map((word) => endOf(parts, from, word, false) ?? 0))
}

function isBetter(a: Match, b: Match): boolean {
  const difference = ORIGINS.indexOf(a.origin) - ORIGINS.indexOf(b.origin)
  return difference === 0 ? a.end > b.end : difference < 0
}

// The end of a match that begins with a word and may continue through the next ones; undefined without a
// match. The query may only be the beginning of it.
function endOf(
  parts: readonly TextWord[],
  from: number,
  word: string,
  mayGoOn: boolean,
): number | undefined {
  let rest = word
  for (const part of parts.slice(from)) {
    if (rest === part.word) return part.end
    if (rest.startsWith(part.word)) {
      rest = rest.slice(part.word.length)
    } else {
      if (!mayGoOn || !part.word.startsWith(rest)) return undefined
      // Folding rarely changes the length of a word; then the whole word is marked.
      const isAsLong = part.word.length === part.end - part.start
      return isAsLong ? part.start + rest.length : part.end
    }
  }
  return undefined
}

function highlightOf(field: Field, text: string, matches: readonly Match[]): Highlight {
  const first = matches[0]?.start ?? 0
  const isShort = text.length <= HIGHLIGHT_CHARACTERS_MAX
  let from = isShort ? 0 : Math.max(0, first - CHARACTERS_BEFORE)
  // Words and surrogate pairs stay whole at the beginning.
  if (from > 0) from = Math.min(first, Math.max(from, text.indexOf(' ', from) + 1))
  if (isLowSurrogate(text, from)) from -= 1
  let to = Math.min(text.length, from + HIGHLIGHT_CHARACTERS_MAX)
  if (isLowSurrogate(text, to)) to -= 1
  return {
    field,
    text: text.slice(from, to),
    ranges: matches
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => [start - from, end - from]),
  }
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}
