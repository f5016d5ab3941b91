// Reading of JSON documents: scan, then let the language's own parser build the values.

import { offsetAt, type Place, placesOf } from './json-place.ts'
import { scanJson } from './json-scan.ts'
import { numberOf, spelledNumberOf } from './number.ts'
import { LineIndex, type Position, type Refusal, refusalOf, Stop } from './problem.ts'
import { isObject, type Path, type Value } from './value.ts'

/** What reading a text gives, whatever its format; `text.ts` says what each part means. */
export interface TextReading {
  ok: true
  value: Value
  spelled(): Value
  locate(path: Path): Position
}

/** Reads a JSON text, or says why not. */
export function readJson(text: string): TextReading | Refusal {
  try {
    refuseBrokenText(text, 'JSON')
    const { hasExactNumbers } = scanJson(text)
    const value: Value = hasExactNumbers ? withNumbers(text, finiteNumberOf) : JSON.parse(text)
    refuseOtherThanObject(value, text.search(/\S/))
    return {
      ok: true,
      value,
      spelled: () => withNumbers(text, spelledNumberOf),
      locate: locator(text),
    }
  } catch (error) {
    if (error instanceof Stop) return refusalOf(error, text)
    throw error
  }
}

/** Stops at what no text may hold in any format: nothing at all, a byte order mark, halves of characters. */
export function refuseBrokenText(text: string, language: 'JSON' | 'YAML'): void {
  if (text.startsWith('\uFEFF')) {
    throw new Stop(
      'malformed',
      0,
      'The text begins with a byte order mark; save it as UTF-8 without one.',
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
      'Half a character (a lone surrogate) stands here; remove it.',
    )
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
function locator(text: string): (path: Path) => Position {
  let places: Place | undefined
  let lines: LineIndex | undefined
  return (path) => {
    places ??= placesOf(text)
    lines ??= new LineIndex(text)
    return lines.positionOf(offsetAt(places, path))
  }
}
