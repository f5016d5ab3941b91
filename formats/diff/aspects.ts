// The aspects of a field other than its type and its parts, with the level and the sentence of each change.

import { AVRO } from '../schema/avro/traits.ts'
import type { Field } from '../schema/model.ts'
import type { Value } from '../text/value.ts'
import type { Aspect, Verdict } from './model-changes.ts'
import {
  type Bound,
  compareBounds,
  compareChoices,
  compareCounts,
  compareFlags,
  compareFormats,
  comparePromises,
  compareRules,
  lowerBound,
  upperBound,
} from './verdict.ts'

/** Reasons by verdict: why the change has the level that it has. */
export type Reasons = { readonly [verdict in Verdict]: string }

export interface AspectRule {
  aspect: Aspect
  /** The name in sentences. */
  words: string
  /** The fields that it depends on; if they are equal, nothing else is compared. */
  names: readonly (keyof Field)[]
  valueOf: (field: Field) => Value | undefined
  compare: (before: Field, after: Field) => Verdict
  reasons: Reasons
  /** Returns a reason that only some changes have. */
  reasonFor?: (before: Field, after: Field) => string | undefined
}

const SPELLING = 'it means the same in other words'

function reasons(narrower: string, wider: string, different = wider): Reasons {
  return { same: SPELLING, narrower, wider, different }
}

const LIMITS = reasons('it allows less than before', 'it allows what it did not allow before')
const FLAG_REASONS = {
  required: reasons('it is always there now', 'it may be missing now, where it was always there'),
  unique: reasons('its values are unique now', 'its values need not be unique now'),
}

function boundValue(bound: Bound | undefined, open: string): Value | undefined {
  if (bound === undefined) return undefined
  return bound.isExclusive ? { [open]: bound.value } : bound.value
}

function flag(name: 'required' | 'unique'): AspectRule {
  return {
    aspect: name,
    words: name,
    names: [name],
    valueOf: (field) => field[name],
    compare: (before, after) => compareFlags(before[name], after[name]),
    reasons: FLAG_REASONS[name],
  }
}

function count(
  name: 'minLength' | 'maxLength' | 'minItems' | 'maxItems',
  words: string,
): AspectRule {
  const direction = name === 'minLength' || name === 'minItems' ? 1 : -1
  return {
    aspect: name === 'minItems' || name === 'maxItems' ? 'items' : 'length',
    words,
    names: [name],
    valueOf: (field) => field[name],
    compare: (before, after) => compareCounts(before[name], after[name], direction),
    reasons: LIMITS,
  }
}

/** The aspects of a field, in the order of reports. */
export const FIELD_ASPECTS: readonly AspectRule[] = [
  {
    aspect: 'physicalName',
    words: 'physical name',
    names: ['physicalName'],
    valueOf: ({ physicalName }) => physicalName,
    compare: (before, after) => comparePhysicalNames(before, after),
    reasons: reasons('queries name it as before', 'queries that name it as before fail'),
  },
  flag('required'),
  flag('unique'),
  {
    aspect: 'enum',
    words: 'allowed values',
    names: ['enum'],
    valueOf: (field) => field.enum,
    compare: compareEnums,
    reasonFor: (before, after) => {
      const isReplaced = compareEnums(before, after) !== compareChoices(before.enum, after.enum)
      return isReplaced
        ? 'readers replace values that they do not know by their default'
        : undefined
    },
    reasons: reasons(
      'it holds fewer values than before',
      'it may hold values that were not allowed before',
    ),
  },
  {
    aspect: 'pattern',
    words: 'pattern',
    names: ['pattern'],
    valueOf: ({ pattern }) => pattern,
    compare: (before, after) => compareRules(before.pattern, after.pattern),
    reasons: reasons(
      'it promises more about the text',
      'texts of any form may come now',
      'texts may come that the old pattern did not allow',
    ),
  },
  {
    aspect: 'format',
    words: 'format',
    names: ['format'],
    valueOf: ({ format }) => format,
    compare: (before, after) => compareFormats(before.format, after.format),
    reasons: reasons(
      'it promises more about the values',
      'values of another form may come now',
      'values of another form come now',
    ),
  },
  count('minLength', 'minimum length'),
  count('maxLength', 'maximum length'),
  count('minItems', 'least number of items'),
  count('maxItems', 'greatest number of items'),
  {
    aspect: 'range',
    words: 'minimum',
    names: ['minimum', 'exclusiveMinimum'],
    valueOf: (field) => boundValue(lowerBound(field), 'above'),
    compare: (before, after) => compareBounds(lowerBound(before), lowerBound(after), 1),
    reasons: LIMITS,
  },
  {
    aspect: 'range',
    words: 'maximum',
    names: ['maximum', 'exclusiveMaximum'],
    valueOf: (field) => boundValue(upperBound(field), 'below'),
    compare: (before, after) => compareBounds(upperBound(before), upperBound(after), -1),
    reasons: LIMITS,
  },
  {
    aspect: 'references',
    words: 'references',
    names: ['references'],
    valueOf: ({ references }) => (references.length === 0 ? undefined : references),
    compare: (before, after) => comparePromises(before.references, after.references),
    reasons: reasons(
      'every value is found there now',
      'values may come that are not found there',
      'values may come that are not found where they were',
    ),
  },
  {
    aspect: 'classification',
    words: 'classification',
    names: ['classification'],
    valueOf: ({ classification }) => classification,
    compare: (before, after) =>
      before.classification === after.classification ? 'same' : 'narrower',
    reasons: reasons('it describes how the data may be used, and removes no data', ''),
  },
]

/** Compares the names by which queries find a model or field: the physical name, or else the name. */
export function comparePhysicalNames(before: Named, after: Named): Verdict {
  const [one, other] = [before.physicalName ?? before.name, after.physicalName ?? after.name]
  return one === other ? 'same' : 'different'
}

interface Named {
  name: string
  physicalName?: string
}

// An enum of Avro may name the symbol that its readers put for unknown ones, so new symbols do not fail them.
function compareEnums(before: Field, after: Field): Verdict {
  const verdict = compareChoices(before.enum, after.enum)
  const fallback = before.traits?.[AVRO.symbolDefault]
  if (fallback === undefined || before.enum?.includes(fallback) !== true) return verdict
  return after.enum === undefined || verdict === 'same' ? verdict : 'narrower'
}
