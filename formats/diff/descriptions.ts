// Compares the texts that describe a model or field.

import type { Value } from '../text/value.ts'
import type { Aspect, ModelChanges } from './model-changes.ts'
import { changeSentence } from './sentence.ts'

interface Described {
  description?: string
  tags: readonly string[]
  origin: string
}

/** Compares the texts that describe a model or field. */
export function reportDescriptions(
  changes: ModelChanges,
  subject: string,
  before: Described,
  after: Described,
): void {
  const report = (aspect: Aspect, one: Value | undefined, other: Value | undefined) => {
    const message = changeSentence(
      `${subject}: ${aspect}`,
      one,
      other,
      'it only describes the data',
    )
    changes.report(after.origin, aspect, { level: 'wording', before: one, after: other, message })
  }
  if (before.description !== after.description) {
    report('description', before.description, after.description)
  }
  if (before.tags.length + after.tags.length === 0) return
  const [one, other] = [before.tags.toSorted(), after.tags.toSorted()]
  if (JSON.stringify(one) !== JSON.stringify(other)) report('tags', one, other)
}
