// Compares the options of vectors. Vectors are compared with stored ones, so each option that changes how they are
// made or stored breaks those who have some.

import type { Field, Vector } from '../schema/model.ts'
import type { Value } from '../text/value.ts'
import { type ModelChanges, toLevel, type Verdict } from './model-changes.ts'
import { changeSentence } from './sentence.ts'
import { compareFlags } from './verdict.ts'

interface Option {
  name: keyof Vector
  words: string
  compare: (before: Value | undefined, after: Value | undefined) => Verdict
  reasons: { readonly [verdict in Verdict]?: string }
}

const LOST = 'vectors of the new kind cannot be compared with stored ones'
const MODEL_LOST = 'a query that was embedded by the old model finds other rows'

function storage(name: 'dimensions' | 'elementType', words: string): Option {
  return { name, words, compare: () => 'different', reasons: { different: LOST } }
}

function embedding(name: 'model' | 'modelVersion', words: string): Option {
  return {
    name,
    words,
    compare: (before) => (before === undefined ? 'narrower' : 'different'),
    reasons: { narrower: 'queries can be embedded by it', different: MODEL_LOST },
  }
}

const OPTIONS: readonly Option[] = [
  storage('dimensions', 'number of dimensions'),
  storage('elementType', 'type of elements'),
  {
    name: 'normalized',
    words: 'normalized',
    compare: (before, after) => compareFlags(before === true, after === true),
    reasons: {
      narrower: 'all vectors have the length 1 now',
      wider: 'the dot product of vectors is no longer their cosine',
    },
  },
  embedding('model', 'embedding model'),
  embedding('modelVersion', 'version of the embedding model'),
  {
    name: 'distanceMetric',
    words: 'distance metric',
    compare: () => 'same',
    reasons: { same: 'it is advice' },
  },
]

/** Reports the options that differ between two vectors; `label` is the name of the field. */
export function compareVectors(
  changes: ModelChanges,
  before: Field,
  after: Field,
  label: string,
): void {
  const [one, other] = [before.vector, after.vector]
  // A change between a vector and another type is a change of the type.
  if (one === undefined || other === undefined) return
  for (const { name, words, compare, reasons } of OPTIONS) {
    const [from, to] = [one[name], other[name]]
    if (from === to) continue
    const verdict = compare(from, to)
    changes.report(after.origin, 'vector', {
      level: toLevel(verdict),
      before: from,
      after: to,
      message: changeSentence(`Field ${label}: ${words}`, from, to, reasons[verdict] ?? ''),
    })
  }
}
