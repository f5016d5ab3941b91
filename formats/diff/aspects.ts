// The properties of a field that may change, except its type and nested fields, with the rules to compare and
// describe each change.

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

/** The reason for the level of a change, by verdict. */
export type Reasons = { readonly [verdict in Verdict]: string }

export interface AspectRule {
  aspect: Aspect
  /** The name of the aspect in messages. */
  words: string
  /** The names of the properties that the aspect compares; if all are equal, it is skipped. */
  names: readonly (keyof Field)[]
  getValue: (field: Field) => Value | undefined
  compare: (before: Field, after: Field) => Verdict
  reasons: Reasons
  /** Returns a reason that applies only to some changes. */
  reasonFor?: (before: Field, after: Field) => string | undefined
}

const SPELLING = 'only the notation changed'

function reasons(narrower: string, wider: string, different = wider): Reasons {
  return { same: SPELLING, narrower, wider, different }
}

const LIMITS = reasons(
  'it allows less than before',
  'it allows values that it did not allow before',
)
const FLAG_REASONS = {
  required: reasons(
    'it is always present now',
    'it may be missing now and was always present before',
  ),
  unique: reasons('its values are unique now', 'its values may repeat now'),
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
    getValue: (field) => field[name],
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
    getValue: (field) => field[name],
    compare: (before, after) => compareCounts(before[name], after[name], direction),
    reasons: LIMITS,
  }
}

/** All aspects of a field, in the order in which they are reported. */
export const FIELD_ASPECTS: readonly AspectRule[] = [
  {
    aspect: 'physicalName',
    words: 'physical name',
    names: ['physicalName'],
    getValue: ({ physicalName }) => physicalName,
    compare: (before, after) => comparePhysicalNames(before, after),
    reasons: reasons('queries use the same name as before', 'queries that use the old name fail'),
  },
  flag('required'),
  flag('unique'),
  {
    aspect: 'enum',
    words: 'allowed values',
    names: ['enum'],
    getValue: (field) => field.enum,
    compare: compareEnums,
    reasonFor: (before, after) => {
      const isReplaced = compareEnums(before, after) !== compareChoices(before.enum, after.enum)
      return isReplaced ? 'readers replace unknown values with their default' : undefined
    },
    reasons: reasons(
      'it allows fewer values than before',
      'it allows values that were not allowed before',
    ),
  },
  {
    aspect: 'pattern',
    words: 'pattern',
    names: ['pattern'],
    getValue: ({ pattern }) => pattern,
    compare: (before, after) => compareRules(before.pattern, after.pattern),
    reasons: reasons(
      'it promises more about the text',
      'it may contain any text now',
      'it may contain text that the old pattern did not allow',
    ),
  },
  {
    aspect: 'format',
    words: 'format',
    names: ['format'],
    getValue: ({ format }) => format,
    compare: (before, after) => compareFormats(before.format, after.format),
    reasons: reasons(
      'it promises more about the values',
      'its values may have another format now',
      'its values have another format now',
    ),
  },
  count('minLength', 'minimum length'),
  count('maxLength', 'maximum length'),
  count('minItems', 'minimum number of items'),
  count('maxItems', 'maximum number of items'),
  {
    aspect: 'range',
    words: 'minimum',
    names: ['minimum', 'exclusiveMinimum'],
    getValue: (field) => boundValue(lowerBound(field), 'above'),
    compare: (before, after) => compareBounds(lowerBound(before), lowerBound(after), 1),
    reasons: LIMITS,
  },
  {
    aspect: 'range',
    words: 'maximum',
    names: ['maximum', 'exclusiveMaximum'],
    getValue: (field) => boundValue(upperBound(field), 'below'),
    compare: (before, after) => compareBounds(upperBound(before), upperBound(after), -1),
    reasons: LIMITS,
  },
  {
    aspect: 'references',
    words: 'references',
    names: ['references'],
    getValue: ({ references }) => (references.length === 0 ? undefined : references),
    compare: (before, after) => comparePromises(before.references, after.references),
    reasons: reasons(
      'every value exists in the target now',
      'it may contain values that do not exist in the target',
      'it may contain values that do not exist in the old target',
    ),
  },
  {
    aspect: 'classification',
    words: 'classification',
    names: ['classification'],
    getValue: ({ classification }) => classification,
    compare: (before, after) =>
      before.classification === after.classification ? 'same' : 'narrower',
    reasons: reasons('it describes how the data may be used and removes no data', ''),
  },
  {
    aspect: 'semanticType',
    words: 'semantic type',
    names: ['semanticType', 'expression'],
    getValue: ({ semanticType = 'column', expression = '' }) =>
      `${semanticType} ${expression}`.trim(),
    compare: compareSemantics,
    reasons: reasons(
      'it states how the values are computed',
      'expressions are not analyzed',
      'queries select columns, measures and dimensions in different ways, and expressions are not analyzed',
    ),
  },
]

// The role of a field for analysis; a field without one is a column. An expression is not analyzed.
function compareSemantics(before: Field, after: Field): Verdict {
  if (before.semanticType !== after.semanticType) return 'different'
  return compareRules(before.expression, after.expression)
}

/** Compares the names that queries use for a model or field: the physical name, or else the name. */
export function comparePhysicalNames(before: Named, after: Named): Verdict {
  const [one, other] = [before.physicalName ?? before.name, after.physicalName ?? after.name]
  return one === other ? 'same' : 'different'
}

interface Named {
  name: string
  physicalName?: string
}

// An Avro enum may define a default symbol that readers use for unknown ones, so new symbols do not break them.
function compareEnums(before: Field, after: Field): Verdict {
  const verdict = compareChoices(before.enum, after.enum)
  const fallback = before.traits?.[AVRO.symbolDefault]
  if (fallback === undefined || before.enum?.includes(fallback) !== true) return verdict
  return after.enum === undefined || verdict === 'same' ? verdict : 'narrower'
}
