// Reading of JSON documents: scan, then let the language's own parser build the values.

import { offsetsInString } from './json-inside.ts'
import { nearestPlace, type Place, placesOf } from './json-place.ts'
import { refuseRepeatedNames, scanJson } from './json-scan.ts'
import { numberOf, spelledNumberOf } from './number.ts'
import { LineIndex, type Locator, type Position, type Refusal, refusalOf, Stop } from './problem.ts'
import { ExactNumber, isObject, type Path, type Value } from './value.ts'

/** The result of reading a text in any format; `text.ts` describes its parts. */
export interface TextReading {
  ok: true
  value: Value
  spelled(): Value
  locate(path: Path): Position
  locateInside(path: Path, offset: number): Position
}

/** The limits of a text. */
export interface Bounds {
  /** The required type of the top value: documents are objects, embedded texts may also be lists. */
  top: 'object' | 'any'
  nodesMax: number
  /** The text was accepted before, so it is not validated again. */
  isAccepted: boolean
}

/** Reads a JSON text, or returns why it cannot be read. */
export function readJson(text: string, bounds: Bounds): TextReading | Refusal {
  const { top } = bounds
  try {
    const value = bounds.isAccepted ? acceptedValue(text) : judgedValue(text, bounds.nodesMax)
    if (top === 'object') refuseOtherThanObject(value, text.search(/\S/))
    const places = new JsonLocator(text)
    return {
      ok: true,
      value,
      spelled: () => withNumbers(text, spelledNumberOf),
      locate: (path) => places.locate(path),
      locateInside: (path, offset) => places.locateInside(path, offset),
    }
  } catch (error) {
    if (error instanceof Stop) return refusalOf(error, text)
    throw error
  }
}

function judgedValue(text: string, nodesMax: number): Value {
  refuseBrokenText(text, 'JSON')
  const { hasExactNumbers, nameCount } = scanJson(text, nodesMax)
  const value: Value = hasExactNumbers ? withNumbers(text, finiteNumberOf) : JSON.parse(text)
  // Of a field that is given twice the language's own parser keeps one.
  if (namesIn(value) < nameCount) refuseRepeatedNames(text)
  return value
}

// Only numbers this long, or with an exponent, can be others than the double that is read.
const LONG_NUMBER = /\d[\d.]{14}|\d[eE]/

function acceptedValue(text: string): Value {
  return LONG_NUMBER.test(text) ? withNumbers(text, finiteNumberOf) : JSON.parse(text)
}

// The calls nest as deep as the document does.
function namesIn(value: Value): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += namesIn(item)
  } else if (!(value instanceof ExactNumber)) {
    const names = Object.keys(value)
    count = names.length
    for (const name of names) count += namesIn(value[name] ?? null)
  }
  return count
}

/** Stops at what no text may hold in any format: nothing at all, a byte order mark, halves of characters. */
export function refuseBrokenText(text: string, language: 'JSON' | 'YAML'): void {
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
    throw new Stop('malformed', offset, 'This is half a character (a lone surrogate); remove it.')
  }
}

/** Stops when the top of a document, which begins at the offset, is no object. */
export function refuseOtherThanObject(value: Value, offset: number): void {
  if (isObject(value)) return
  const message =
    'A document is an object with named fields (“name: value”), not a list or a single value.'
  throw new Stop('unacceptable', offset, message)
}

// The scan has refused infinite numbers already.
function finiteNumberOf(spelling: string): Value {
  return numberOf(spelling) ?? null
}

// Each number of the text passes through `read`. That takes time, so it is done only for documents that need it.
function withNumbers(text: string, read: (spelling: string) => Value): Value {
  return JSON.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? read(source) : value,
  )
}

// The index of places is built when the first one is asked for: a document without problems needs none.
class JsonLocator implements Required<Locator> {
  readonly #text: string
  // The offsets of characters in string values, by the offset of the value.
  readonly #insides = new Map<number, Uint32Array>()
  #places: Place<number> | undefined
  #lines: LineIndex | undefined

  constructor(text: string) {
    this.#text = text
  }

  locate(path: Path): Position {
    return this.#positionOf(nearestPlace(this.#index(), path).place.offset)
  }

  locateInside(path: Path, offset: number): Position {
    const { place, isExact } = nearestPlace(this.#index(), path)
    if (!isExact || this.#text[place.content] !== '"') return this.#positionOf(place.offset)
    const start = place.content
    const offsets = this.#insides.get(start) ?? offsetsInString(this.#text, start)
    this.#insides.set(start, offsets)
    return this.#positionOf(offsets[Math.max(0, Math.min(offset, offsets.length - 1))] ?? start)
  }

  #positionOf(offset: number): Position {
    this.#lines ??= new LineIndex(this.#text)
    return this.#lines.positionOf(offset)
  }

  #index(): Place<number> {
    this.#places ??= placesOf(this.#text)
    return this.#places
  }
}
