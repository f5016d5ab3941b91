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
  text: string
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
  const bounds: Bounds = { top: 'object', nodesMax, isAccepted: false }
  const reading = readBounded(text, mediaType, bounds)
  return reading.ok ? { ...reading, text, mediaType } : reading
}

/** Reads a text again that was read before and found right; that saves the time of a second verdict. */
export function readAcceptedText(text: string, mediaType: MediaType): SourceText | Refusal {
  const bounds: Bounds = { top: 'object', nodesMax: Number.POSITIVE_INFINITY, isAccepted: true }
  const reading = readBounded(text, mediaType, bounds)
  return reading.ok ? { ...reading, text, mediaType } : reading
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

/** Gives a document as YAML: YAML as it was sent; JSON converted to block style, with its numbers' spelling kept. */
export function yamlOf(source: SourceText): string {
  return source.mediaType === 'application/yaml' ? source.text : yamlText(source.spelled())
}
