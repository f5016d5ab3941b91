// Advice in messages about invalid values, and the names of kinds of values.

import { clip, type Value, ExactNumber } from '../text/value.ts'
import { hasVariable } from '../text/variables.ts'
import type { Shape } from './shape.ts'

/** The kind of a value, as written in messages. */
type Kind = 'null' | 'text' | 'true or false' | 'a number' | 'a list' | 'an object'

/** Returns the kind of a value. */
export function getKind(value: Value): Kind {
  if (typeof value === 'string') return 'text'
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'true or false'
  if (typeof value === 'number' || value instanceof ExactNumber) return 'a number'
  return Array.isArray(value) ? 'a list' : 'an object'
}

const KIND_OF_SHAPE: ReadonlyMap<Shape['kind'], Kind> = new Map([
  ['text', 'text'],
  ['number', 'a number'],
  ['flag', 'true or false'],
  ['nothing', 'null'],
  ['list', 'a list'],
  ['map', 'an object'],
  ['object', 'an object'],
  ['choice', 'an object'],
])

/** Returns the kinds of values that a shape allows under the official schema; an empty list if it allows any. */
export function expectedKinds(shape: Shape): readonly Kind[] {
  if (shape.kind === 'either') return expectedKinds(shape.official)
  if (shape.kind === 'oneOf') return shape.shapes.flatMap(expectedKinds)
  const kind = KIND_OF_SHAPE.get(shape.kind)
  return kind === undefined ? [] : [kind]
}

// The kinds of values that a text with a variable may replace.
const SCALARS: ReadonlySet<string> = new Set(['text', 'a number', 'true or false'])

/** Returns whether a value is a text with a variable where a text, a number or a flag is expected. */
export function isVariable(value: Value, shape: Shape): boolean {
  if (typeof value !== 'string' || !hasVariable(value)) return false
  return expectedKinds(shape).some((kind) => SCALARS.has(kind))
}

// Words that YAML 1.1 parsed as true and false.
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['yes', 'y', 'on', 'true'].map((word) => [word, true] as const),
  ...['no', 'n', 'off', 'false'].map((word) => [word, false] as const),
])

const TYPOGRAPHIC_QUOTES = /^[“”„‟«‘’‚‛][^“”„‟«»‘’‚‛]*[“”‟»‘’‛]$/u

/** Returns advice for a word that is given instead of true or false. */
export function flagAdvice(value: Value, kinds: readonly Kind[]): string | undefined {
  if (typeof value !== 'string' || !kinds.includes('true or false')) return undefined
  const flag = FLAGS.get(value.toLowerCase())
  if (flag === undefined) return undefined
  if (value === String(flag)) return `write ${flag} without quotes`
  return `"${clip(value)}" is text in YAML 1.2; write ${flag}`
}

/** Returns whether a text is in the quotes of a word processor, which are part of the value. */
export function hasTypographicQuotes(text: string): boolean {
  return TYPOGRAPHIC_QUOTES.test(text)
}

/** Suggests a name. */
export function didYouMean(name: string): string {
  return `did you mean "${name}"?`
}

/** Joins the allowed values. */
export function joinValues(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(' or ')
}
