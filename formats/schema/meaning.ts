// The meaning of a specification: a canonical form without annotations. Two specifications with equal models but unequal
// meanings differ in something that the models cannot express.

import type { Value } from '../text/value.ts'
import { findLanguage } from './languages.ts'

/**
 * Returns whether two specifications of one schema language (`schema.type` of a data contract) mean the same; undefined
 * when that cannot be decided.
 */
export function haveSameMeaning(
  language: string,
  before: Value,
  after: Value,
): boolean | undefined {
  const canonicalize = findLanguage(language)?.canonicalize
  const [older, newer] = [canonicalize?.(before), canonicalize?.(after)]
  return older === undefined || newer === undefined ? undefined : older === newer
}
