// Parses JSON documents: scans the text, then builds the values with `JSON.parse`.

import { offsetsInString } from './json-inside.ts'
import { rejectRepeatedNames, scanJson } from './json-scan.ts'
import { locateJsonValues } from './json-spot.ts'
import { parseNumber, parseSpelledNumber } from './number.ts'
import { PlaceLocator } from './place.ts'
import { type ParseFailure, type Position, Stop, toParseFailure } from './problem.ts'
import { ExactNumber, isObject, type Path, type Value } from './value.ts'

/** The result of parsing a text in any format; `text.ts` documents its parts. */
export interface ParsedText {
  ok: true
  value: Value
  spelled(): Value
  locate(path: Path): Position
  locateInside(path: Path, offset: number): Position
}

/** Restrictions on the contents of a text. */
export interface Bounds {
  /** The type of the top-level value: a document is an object, a text inside a document may also be a list. */
  top: 'object' | 'any'
  nodesMax: number
  /** Whether the text was accepted before, so that it is not validated again. */
  isAccepted: boolean
}

/** Parses a JSON text, or returns its problems. */
export function readJson(text: string, bounds: Bounds): ParsedText | ParseFailure {
  const { top } = bounds
  try {
    const value = bounds.isAccepted ? parseAccepted(text) : parseValidated(text, bounds.nodesMax)
    if (top === 'object') requireObject(value, text.search(/\S/))
    const places = createLocator(text)
    return {
      ok: true,
      value,
      spelled: () => withNumbers(text, parseSpelledNumber),
      locate: (path) => places.locate(path),
      locateInside: (path, offset) => places.locateInside(path, offset),
    }
  } catch (error) {
    if (error instanceof Stop) return toParseFailure(error, text)
    throw error
  }
}

/** Parses a JSON document that was accepted before, without validating it again. */
export function readAcceptedJson(text: string): ParsedText | ParseFailure {
  return readJson(text, { top: 'object', nodesMax: Number.POSITIVE_INFINITY, isAccepted: true })
}

function parseValidated(text: string, nodesMax: number): Value {
  rejectBrokenText(text, 'JSON')
  const { hasExactNumbers, nameCount } = scanJson(text, nodesMax)
  const value: Value = hasExactNumbers ? withNumbers(text, parseFiniteNumber) : JSON.parse(text)
  // `JSON.parse` keeps only one of two fields with the same name.
  if (countNames(value) < nameCount) rejectRepeatedNames(text)
  return value
}

// Only numbers with this many digits, or with an exponent, can differ from the parsed double.
const LONG_NUMBER = /\d[\d.]{14}|\d[eE]/

function parseAccepted(text: string): Value {
  return LONG_NUMBER.test(text) ? withNumbers(text, parseFiniteNumber) : JSON.parse(text)
}

// The recursion is as deep as the document.
function countNames(value: Value): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countNames(item)
  } else if (!(value instanceof ExactNumber)) {
    const names = Object.keys(value)
    count = names.length
    for (const name of names) count += countNames(value[name] ?? null)
  }
  return count
}

/** Rejects texts that are invalid in every format: empty texts, misplaced byte order marks, lone surrogates. */
export function rejectBrokenText(text: string, language: 'JSON' | 'YAML'): void {
  if (text.startsWith('\uFEFF')) {
    throw new Stop(
      'malformed',
      0,
      'A byte order mark is allowed only once, at the start of a file; remove it.',
    )
  }
  if (!/\S/.test(text)) {
    throw new Stop('malformed', 0, `The body is empty; send a ${language} document.`)
  }
  if (!text.isWellFormed()) {
    const offset = text
      .toWellFormed()
      .split('')
      .findIndex((unit, at) => unit !== text[at])
    throw new Stop(
      'malformed',
      offset,
      'Half a character (a lone surrogate) is not valid; remove it.',
    )
  }
}

/** Rejects a document whose top-level value, which begins at the offset, is not an object. */
export function requireObject(value: Value, offset: number): void {
  if (isObject(value)) return
  const message =
    'A document must be an object with named fields ("name: value"), not a list or a single value.'
  throw new Stop('unacceptable', offset, message)
}

// The scan has already rejected infinite numbers.
function parseFiniteNumber(spelling: string): Value {
  return parseNumber(spelling) ?? null
}

// Passes each number of the text through `read`. This is slow, so it is only used for documents that need it.
function withNumbers(text: string, read: (spelling: string) => Value): Value {
  return JSON.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? read(source) : value,
  )
}

function createLocator(text: string): PlaceLocator<number> {
  return new PlaceLocator(
    text,
    () => locateJsonValues(text),
    (start) =>
      text[start] === '"' ? { start, locate: () => offsetsInString(text, start) } : undefined,
  )
}
