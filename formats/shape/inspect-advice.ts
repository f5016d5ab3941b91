// Advice in messages about invalid values.

import type { Kind } from './shape-kind.ts'
import { clip, type Value } from '../text/value.ts'

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
