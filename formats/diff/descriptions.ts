// Compares what describes a model or a field: its description, its tags, and the announcement of its end.

import type { Value } from '../text/value.ts'
import type { Aspect, ModelChanges } from './model-changes.ts'
import { changeSentence } from './sentence.ts'

interface Described {
  description?: string
  deprecated?: boolean
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
  reportDeprecation(changes, subject, before, after)
  if (before.description !== after.description) {
    report('description', before.description, after.description)
  }
  if (before.tags.length + after.tags.length === 0) return
  const [one, other] = [before.tags.toSorted(), after.tags.toSorted()]
  if (JSON.stringify(one) !== JSON.stringify(other)) report('tags', one, other)
}

// The data stay promised until they are removed.
function reportDeprecation(
  changes: ModelChanges,
  subject: string,
  before: Described,
  after: Described,
): void {
  if (before.deprecated === after.deprecated) return
  const message =
    after.deprecated === true
      ? `${subject} is deprecated; its data stay promised, and its consumers should prepare for its end.`
      : `${subject} is no longer deprecated; its data stay promised.`
  changes.report(after.origin, 'deprecated', {
    level: 'additive',
    before: before.deprecated,
    after: after.deprecated,
    message,
  })
}
