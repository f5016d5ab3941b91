// Reads documents, JSON or YAML: returns their values with positions, or the reason why they cannot be read.
// The text itself is never changed; the catalog stores and returns it as it is.

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
  /** Locates a field's name or a list's item; for a missing path, its nearest existing parent. */
  locate(path: Path): Position
  /** Locates a character of a string value; `offset` counts the UTF-16 code units of the value. */
  locateInside(path: Path, offset: number): Position
}

/**
 * Reads the text of a document. Failures are `malformed` (HTTP 400: syntax, duplicate keys, broken
 * characters) or `unacceptable` (HTTP 422: not an object, above the limits of depth and size, NUL characters,
 * infinite numbers), with position and fix. `nodesMax` limits the number of values. Never throws.
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

/** Reads a text embedded in a document: like `readText`, but its top value may be a list or a scalar. */
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

/** Returns the JSON form to store beside a document; null if the document itself can be embedded in JSON. */
export function storedJsonOf(source: SourceText): string | null {
  const isJson = source.mediaType === 'application/json' && source.hasByteOrderMark !== true
  return isJson ? null : jsonOf(source)
}

/** Removes the byte order mark of a stored JSON document, so that it can be embedded in JSON. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text
}

/** Gives a document as YAML: YAML as it was sent; JSON converted to block style, with its numbers' spelling kept. */
export function yamlOf(source: SourceText): string {
  return source.mediaType === 'application/yaml' ? source.text : yamlText(source.spelled())
}
