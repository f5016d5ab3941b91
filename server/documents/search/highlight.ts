import type { Field, Highlight, Reason } from './search.ts'
import type { ParsedQuery, Term } from './query.ts'
import { toComparisonKey, namesIn, type TextWord } from '../../../formats/text/words.ts'

/** A text of a document that is searched. */
export interface SearchedText {
  field: Field
  text: string
  /** The path to report, if any. */
  path?: string
}

/** The reasons for a match, and the matching texts. */
interface MatchDetails {
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

interface MatchedText extends SearchedText {
  matches: Match[]
  how: How
}

const HIGHLIGHT_CHARACTERS_MAX = 240
const CONTEXT_CHARACTERS = 60
const TEXTS_PER_FIELD_MAX = 3
const ENDING_CHARACTERS_MAX = 2
const HOW_ORDER: readonly How[] = ['exact', 'prefix', 'word', 'synonym', 'typo']

/** Finds the matches in the texts of a document, given in order of importance. */
export function highlightMatches(
  texts: readonly SearchedText[],
  terms: readonly Term[],
  query: ParsedQuery,
): MatchDetails {
  const matched = texts.flatMap((searched) => matchField(searched, terms, query) ?? [])
  const best = selectBestByField(matched)
  return {
    why: best.map(({ field, how, path }) => ({ field, how, path: path ?? null })),
    highlights: best.map(({ field, text, matches }) => toHighlight(field, text, matches)),
  }
}

/** Returns whether a text matches any of the terms. */
export function matchesTerms(text: string, terms: readonly Term[]): boolean {
  return listMatches(text.normalize('NFC'), terms).length > 0
}

function countTerms({ matches }: MatchedText): number {
  return new Set(matches.map(({ term }) => term)).size
}

// There may be thousands of columns, tags and ports; only the best matches are reported.
function selectBestByField(matched: readonly MatchedText[]): MatchedText[] {
  return [...Map.groupBy(matched, ({ field }) => field).values()].flatMap((same) => {
    return same
      .toSorted(
        (a, b) =>
          HOW_ORDER.indexOf(a.how) - HOW_ORDER.indexOf(b.how) ||
          countTerms(b) - countTerms(a) ||
          a.text.length - b.text.length,
      )
      .slice(0, TEXTS_PER_FIELD_MAX)
  })
}

function matchField(
  { text: given, ...searched }: SearchedText,
  terms: readonly Term[],
  query: ParsedQuery,
): MatchedText | undefined {
  const text = given.normalize('NFC')
  const matches = listMatches(text, terms)
  if (matches.length === 0 && isNameField(searched.field)) {
    // The query joins words that are separate in the text.
    const end = findMatchEnd(namesIn(text).flat(), 0, query.key, true)
    if (end !== undefined) matches.push({ start: 0, end, term: 0, origin: 'typed' })
  }
  if (matches.length === 0) return undefined
  return { ...searched, text, matches, how: classifyMatch(searched.field, text, matches, query) }
}

function isNameField(field: Field): boolean {
  return field === 'name' || field === 'id'
}

function classifyMatch(
  field: Field,
  text: string,
  matches: readonly Match[],
  { key, names }: ParsedQuery,
): How {
  const nearest = ORIGINS.find((origin) => matches.some((match) => match.origin === origin))
  if (nearest !== undefined && nearest !== 'typed') return nearest
  if (field === 'description') return 'word'
  const whole = toComparisonKey(text)
  // A column is reported with its table.
  const lastPart = text.slice(text.lastIndexOf('.') + 1)
  const leaf = toComparisonKey(lastPart)
  if (whole === key) return 'exact'
  if (!isNameField(field) && names.some(({ joined }) => joined === whole || joined === leaf)) {
    return 'exact'
  }
  const isBeginning =
    findBeginning(text, key) !== undefined ||
    (field === 'column' && findBeginning(lastPart, key) !== undefined)
  return isBeginning ? 'prefix' : 'word'
}

function listMatches(text: string, terms: readonly Term[]): Match[] {
  const matches: Match[] = []
  for (const parts of namesIn(text)) {
    for (let from = 0; from < parts.length; from += 1) {
      const match = findLongestMatch(parts, from, terms)
      if (match === undefined) continue
      matches.push(match)
      while (from + 1 < parts.length && (parts[from + 1]?.start ?? 0) < match.end) from += 1
    }
  }
  return matches
}

// A literal match takes precedence over synonyms and typing errors.
function findLongestMatch(
  parts: readonly TextWord[],
  from: number,
  terms: readonly Term[],
): Match | undefined {
  let longest: Match | undefined
  const start = parts[from]?.start ?? 0
  terms.forEach(({ typed, allowPrefix, singular, corrections, synonyms }, term) => {
    const asTyped =
      findMatchEnd(parts, from, typed, allowPrefix) ??
      (singular === undefined ? undefined : findMatchEnd(parts, from, singular, false))
    const ends: Readonly<Record<Origin, number>> = {
      typed: asTyped ?? 0,
      synonym: findFarthestEnd(parts, from, synonyms),
      typo: findFarthestEnd(parts, from, corrections),
    }
    const origin = ORIGINS.find((one) => ends[one] > 0)
    if (origin === undefined) return
    const match = { start, end: ends[origin], term, origin }
    if (longest === undefined || isBetter(match, longest)) longest = match
  })
  return longest
}

function findFarthestEnd(
  parts: readonly TextWord[],
  from: number,
  words: readonly string[],
): number {
  return Math.max(0, ...words.map((word) => findMatchEnd(parts, from, word, false) ?? 0))
}

function isBetter(a: Match, b: Match): boolean {
  const difference = ORIGINS.indexOf(a.origin) - ORIGINS.indexOf(b.origin)
  return difference === 0 ? a.end > b.end : difference < 0
}

// The end of a match that begins with a word and may continue through the next ones; undefined without a match. The
// query may only be the beginning of it. Marks end where words end.
function findMatchEnd(
  parts: readonly TextWord[],
  from: number,
  word: string,
  allowPrefix: boolean,
): number | undefined {
  const { whole, rest, next } = followWords(parts, from, word)
  if (rest === '') return whole?.end
  if (!allowPrefix || next?.word.startsWith(rest) !== true) return undefined
  return isEnding(whole, rest) ? whole?.end : next.end
}

/** The words of a text that a typed word consists of, and what is left of it. */
interface FollowedWords {
  /** The last word that it contains as a whole. */
  whole: TextWord | undefined
  rest: string
  /** The word after that. */
  next: TextWord | undefined
}

function followWords(parts: readonly TextWord[], from: number, word: string): FollowedWords {
  let whole: TextWord | undefined
  let rest = word
  for (const part of parts.slice(from)) {
    if (rest === '' || !rest.startsWith(part.word)) return { whole, rest, next: part }
    rest = rest.slice(part.word.length)
    whole = part
  }
  return { whole, rest, next: undefined }
}

// "emissions" matches "emission" in "emission-statements": its s is an ending, not the beginning of the next word.
function isEnding(whole: TextWord | undefined, rest: string): boolean {
  return whole !== undefined && rest.length <= ENDING_CHARACTERS_MAX
}

// Whether a text begins with a query whose words are joined; and the end of the match.
function findBeginning(text: string, key: string): number | undefined {
  const parts = namesIn(text).flat()
  const { whole, rest } = followWords(parts, 0, key)
  if (rest !== '' && isEnding(whole, rest)) return undefined
  return findMatchEnd(parts, 0, key, true)
}

function toHighlight(field: Field, text: string, matches: readonly Match[]): Highlight {
  const first = matches[0]?.start ?? 0
  const isShort = text.length <= HIGHLIGHT_CHARACTERS_MAX
  let from = isShort ? 0 : Math.max(0, first - CONTEXT_CHARACTERS)
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
