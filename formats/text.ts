// A document arrives as text, JSON or YAML. This is the door: a text comes in, and out come either its values
// (with the place of each, so that a message can point at it) or the reason why it was refused.
// The text itself is never changed: it is what the catalog stores and gives back.

import { readJson } from './json-read.ts'
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
}

/**
 * Reads a document's text. Refusals are `malformed` (HTTP 400: syntax, duplicate keys, broken characters) or
 * `unacceptable` (HTTP 422: not an object, over the limits of depth and size, NUL characters, infinite numbers);
 * each says where and how to mend it. Never throws.
 */
export function readText(text: string, mediaType: MediaType): SourceText | Refusal {
  const reading = mediaType === 'application/json' ? readJson(text) : readYaml(text)
  return reading.ok ? { ...reading, text, mediaType } : reading
}

/** Gives a document as JSON: JSON as it was sent; YAML converted, with the spelling of its numbers kept. */
export function jsonOf(source: SourceText): string {
  return source.mediaType === 'application/json' ? source.text : jsonText(source.spelled())
}

/** Gives a document as YAML: YAML as it was sent; JSON converted to block style, with its numbers' spelling kept. */
export function yamlOf(source: SourceText): string {
  return source.mediaType === 'application/yaml' ? source.text : yamlText(source.spelled())
}
