// Rules for the properties that only Avro has. They follow its schema resolution: a consumer reads data that was
// written with the newer schema using the older one.

import { AVRO, readTypeName } from '../schema/avro/traits.ts'
import { canonicalText } from '../shape/canonical.ts'
import { any } from '../shape/shape.ts'
import type { Value } from '../text/value.ts'
import type { Reasons } from './aspects.ts'
import type { Verdict } from './model-changes.ts'
import type { TraitRules } from './trait-rule.ts'

function reasons(different: string, same: string, narrower = same): Reasons {
  return { same, narrower, wider: different, different }
}

// Only the reader's schema uses these properties. They do not affect data with all fields.
function readerSide(same: string, narrower: string): { compare: Compare; reasons: Reasons } {
  return {
    compare: (before) => (before === undefined ? 'narrower' : 'same'),
    reasons: reasons('', same, narrower),
  }
}

type Compare = (before: Value | undefined, after: Value | undefined) => Verdict

export const AVRO_TRAITS: TraitRules = {
  [AVRO.aliases]: {
    label: 'aliases',
    compare: compareAliases,
    reasons: reasons(
      '',
      'they matter only to readers with the new schema',
      'data with the other names can be read with the new schema',
    ),
  },
  [AVRO.default]: {
    label: 'default',
    ...readerSide(
      'it applies only to data that was written without the field',
      'data that was written without the field can be read with the new schema',
    ),
  },
  [AVRO.onlyNull]: {
    label: 'null as the only value',
    compare: (before) => (before === undefined ? 'narrower' : 'wider'),
    reasons: reasons('it may contain values other than null now', '', 'it is always null now'),
  },
  [AVRO.type]: {
    label: 'type name',
    compare: compareTypeNames,
    reasons: reasons(
      'readers with the older schema do not find the type in the data',
      'readers with the older schema accept this name',
      'data with the other names can be read with the new schema',
    ),
  },
  [AVRO.symbolDefault]: {
    label: 'default symbol',
    ...readerSide(
      'it matters only to readers with the new schema',
      'readers with this schema accept symbols that are added later',
    ),
  },
  [AVRO.encoding]: {
    label: 'encoding',
    compare: () => 'different',
    reasons: reasons('readers with the older schema decode the data incorrectly', ''),
  },
  [AVRO.logicalType]: {
    label: 'logical type',
    compare: () => 'different',
    reasons: reasons('libraries that support the logical type read different values', ''),
  },
}

function compareAliases(before: Value | undefined, after: Value | undefined): Verdict {
  const known = new Set(toTexts(before))
  return toTexts(after).some((alias) => !known.has(alias)) ? 'narrower' : 'same'
}

// Resolution applies the aliases of the reader's schema, which is the older one.
function compareTypeNames(before: Value | undefined, after: Value | undefined): Verdict {
  const [one, other] = [readTypeName(before), readTypeName(after)]
  if (one === undefined || other === undefined) return 'different'
  if (one.name === other.name) return compareAliases([...one.aliases], [...other.aliases])
  return one.aliases.includes(other.name) ? 'same' : 'different'
}

function toTexts(value: Value | undefined): string[] {
  return Array.isArray(value) ? value.map((item) => canonicalText(item, any)) : []
}
