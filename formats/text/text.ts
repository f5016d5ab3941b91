// Entry point for parsing documents in JSON or YAML. A text is parsed to its values (with the position of each, so
// that messages can refer to it), or rejected with its problems. The text itself is never changed: the catalog stores
// and returns it.

import { type Bounds, readJson, type ParsedText } from './json-read.ts'
import { NODES_MAX } from './json-scan.ts'
import type { Position, ParseFailure } from './problem.ts'
import { jsonText, type Path, type Value } from './value.ts'
import { readYaml } from './yaml-read.ts'
import { yamlText } from './yaml-write.ts'

export type { Position, Problem, ParseFailure } from './problem.ts'
export { formatPath, ExactNumber, jsonText } from './value.ts'
export type { Path, Value } from './value.ts'

export type MediaType = 'application/json' | 'application/yaml'

/** A parsed text. */
export interface SourceText {
  ok: true
  /** Without the byte order mark that some editors add to files. */
  text: string
  hasByteOrderMark?: boolean
  mediaType: MediaType
  value: Value
  /** The same value with every number in its original notation (`1.0` is an `ExactNumber`). */
  spelled(): Value
  /**
   * Returns the position of a field's name or a list's item; if the path does not exist, of its nearest existing
   * parent.
   */
  locate(path: Path): Position
  /** Returns the position of a character of a text value; `offset` counts the UTF-16 code units of the value. */
  locateInside(path: Path, offset: number): Position
}

/**
 * Parses a document's text. Parse failures are `malformed` (HTTP 400: syntax, repeated fields, broken characters) or
 * `unacceptable` (HTTP 422: not an object, over the limits of depth and size, NUL characters, infinite numbers);
 * each has a position and explains how to fix it. `nodesMax` is the maximum number of values. Never throws.
 */
export function readText(
  text: string,
  mediaType: MediaType,
  { nodesMax = NODES_MAX }: { nodesMax?: number } = {},
): SourceText | ParseFailure {
  return readFile(text, mediaType, { top: 'object', nodesMax, isAccepted: false })
}

/** Parses a text that was accepted before, without validating it again. */
export function readAcceptedText(text: string, mediaType: MediaType): SourceText | ParseFailure {
  const nodesMax = Number.POSITIVE_INFINITY
  return readFile(text, mediaType, { top: 'object', nodesMax, isAccepted: true })
}

const BYTE_ORDER_MARK = '\uFEFF'

function readFile(file: string, mediaType: MediaType, bounds: Bounds): SourceText | ParseFailure {
  const text = withoutByteOrderMark(file)
  const reading = readBounded(text, mediaType, bounds)
  return reading.ok ? { ...reading, text, hasByteOrderMark: text !== file, mediaType } : reading
}

/** Parses a text inside a document: like `readText`, but its top-level value may be a list or a single value. */
export function readInnerText(text: string, mediaType: MediaType): SourceText | ParseFailure {
  const reading = readBounded(text, mediaType, {
    top: 'any',
    nodesMax: NODES_MAX,
    isAccepted: false,
  })
  return reading.ok ? { ...reading, text, mediaType } : reading
}

function readBounded(
  text: string,
  mediaType: MediaType,
  bounds: Bounds,
): ParsedText | ParseFailure {
  return mediaType === 'application/json' ? readJson(text, bounds) : readYaml(text, bounds)
}

/** Returns a document as JSON: JSON unchanged; YAML converted, with the notation of its numbers preserved. */
export function convertToJson(source: SourceText): string {
  return source.mediaType === 'application/json' ? source.text : jsonText(source.spelled())
}

/** Returns the original text. */
export function toFileText({ text, hasByteOrderMark }: SourceText): string {
  return hasByteOrderMark === true ? `${BYTE_ORDER_MARK}${text}` : text
}

/** Returns the JSON form that is stored with a document; null if the document itself can be embedded in other JSON. */
export function toStoredJson(source: SourceText): string | null {
  const isJson = source.mediaType === 'application/json' && source.hasByteOrderMark !== true
  return isJson ? null : convertToJson(source)
}

/** Removes the byte order mark of a stored JSON document, so that it can be embedded in other JSON. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text
}

/**
 * Returns a document as YAML: YAML unchanged; JSON converted to block style, with the notation of its numbers
 * preserved.
 */
export function convertToYaml(source: SourceText): string {
  return source.mediaType === 'application/yaml' ? source.text : yamlText(source.spelled())
}
