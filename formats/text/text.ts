// A document arrives as text, JSON or YAML. This is the door: a text comes in, and out come either its values
// (with the place of each, so that a message can point at it) or the reason why it was refused.
// The text itself is never changed: it is what the catalog stores and gives back.

import { type Bounds, readJson, type TextReading } from './json-read.ts'
import { NODES_MAX } from './json-scan.ts'
import type { Position, Refusal } from './problem.ts'
import { jsonText, type Path, type Value } from './value.ts'
import { readYaml } from './yaml-read.ts'
import { yamlText } from './yaml-write.ts'

export type { Position, Problem, Refusal } from './problem.ts'
export { dotted, ExactNumber, jsonText } from './value.ts'
export type { Path, Value } from './value.ts'

export type MediaType = 'application/json' | 'application/yaml'

/** A text that was read. */
export interface SourceText {
  ok: true
  /** Without the byte order mark that files of some editors begin with. */
  text: string
  hasByteOrderMark?: boolean
  mediaType: MediaType
  value: Value
  /** The same value with every number spelled as in the text (`1.0` is an `ExactNumber`). */
  spelled(): Value
  /** Where a field's name or a list's item stands; for a path that is not there, its nearest existing parent. */
  locate(path: Path): Position
  /** Where a character of a text value stands; `offset` counts the UTF-16 code units of the value. */
  locateInside(path: Path, offset: number): Position
}

/**
 * Reads a document's text. Refusals are `malformed` (HTTP 400: syntax, duplicate keys, broken characters) or
 * `unacceptable` (HTTP 422: not an object, over the limits of depth and size, NUL characters, infinite numbers);
 * each says where and how to mend it. `nodesMax` is how many values it may hold. Never throws.
 */
export function readText(
  text: string,
  mediaType: MediaType,
  { nodesMax = NODES_MAX }: { nodesMax?: number } = {},
): SourceText | Refusal {
  return readFile(text, mediaType, { top: 'object', nodesMax, isAccepted: false })
}

/** Reads a text again that was read before and found right; that saves the time of a second verdict. */
export function readAcceptedText(text: string, mediaType: MediaType): SourceText | Refusal {
  const nodesMax = Number.POSITIVE_INFINITY
  return readFile(text, mediaType, { top: 'object', nodesMax, isAccepted: true })
}

const BYTE_ORDER_MARK = '\uFEFF'

function readFile(file: string, mediaType: MediaType, bounds: Bounds): SourceText | Refusal {
  const text = withoutByteOrderMark(file)
  const reading = readBounded(text, mediaType, bounds)
  return reading.ok ? { ...reading, text, hasByteOrderMark: text !== file, mediaType } : reading
}

/** Reads a text that stands inside a document: as `readText` does, but its top may be a list or a single value. */
export function readInnerText(text: string, mediaType: MediaType): SourceText | Refusal {
  const reading = readBounded(text, mediaType, {
    top: 'any',
    nodesMax: NODES_MAX,
    isAccepted: false,
  })
  return reading.ok ? { ...reading, text, mediaType } : reading
}

function readBounded(text: string, mediaType: MediaType, bounds: Bounds): TextReading | Refusal {
  return mediaType === 'application/json' ? readJson(text, bounds) : readYaml(text, bounds)
}

/** Gives a document as JSON: JSON as it was sent; YAML converted, with the spelling of its numbers kept. */
export function jsonOf(source: SourceText): string {
  return source.mediaType === 'application/json' ? source.text : jsonText(source.spelled())
}

/** Returns the text as it was sent. */
export function fileOf({ text, hasByteOrderMark }: SourceText): string {
  return hasByteOrderMark === true ? `${BYTE_ORDER_MARK}${text}` : text
}

/** Returns the JSON form that is stored beside a document; null if the document itself can stand in other JSON. */
export function storedJsonOf(source: SourceText): string | null {
  const isJson = source.mediaType === 'application/json' && source.hasByteOrderMark !== true
  return isJson ? null : jsonOf(source)
}

/** Removes the byte order mark of a stored JSON document, so that it can stand in other JSON. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text
}

/** Gives a document as YAML: YAML as it was sent; JSON converted to block style, with its numbers' spelling kept. */
export function yamlOf(source: SourceText): string {
  return source.mediaType === 'application/yaml' ? source.text : yamlText(source.spelled())
}
