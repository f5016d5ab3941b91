// Rules for the properties that only BigQuery or dbt has.

import { BIGQUERY_TRAITS } from '../schema/bigquery/traits.ts'
import { DBT_CONSTRAINTS } from '../schema/dbt/traits.ts'
import type { Field, Model } from '../schema/model.ts'
import type { Value } from '../text/value.ts'
import type { TraitRule, TraitRules } from './trait-rule.ts'
import { comparePromises } from './verdict.ts'

/** The first policy tag of a column. Models have it as the classification, which restricts nothing elsewhere. */
const POLICY_TAG = 'bigquery.policyTag'

/** Makes the policy tags of the columns of BigQuery properties of their own, for the comparison. */
export function markPolicyTags(models: readonly Model[]): Model[] {
  return models.map((model) => ({ ...model, fields: model.fields.map(markPolicyTag) }))
}

function markPolicyTag(field: Field): Field {
  const { classification, traits, fields, items } = field
  const own = classification === undefined ? traits : { ...traits, [POLICY_TAG]: classification }
  return {
    ...field,
    ...(own === undefined ? {} : { traits: own }),
    ...(fields === undefined ? {} : { fields: fields.map(markPolicyTag) }),
    ...(items === undefined ? {} : { items: markPolicyTag(items) }),
  }
}

export const WAREHOUSE_TRAITS: TraitRules = {
  [POLICY_TAG]: masking('policy tag'),
  [BIGQUERY_TRAITS.policies]: masking('access policies'),
  [BIGQUERY_TRAITS.foreignTables]: promises('referenced tables', {
    narrower: 'every value exists in the target now',
    wider: 'it may contain values that do not exist in the target',
  }),
  [DBT_CONSTRAINTS]: promises('constraints', {
    narrower: 'it promises more about the data',
    wider: 'it may contain data that the old constraints did not allow',
  }),
}

// They mask values or refuse to show them. Values that a policy hid were not promised either.
function masking(label: string): TraitRule {
  const reasons = { same: '', narrower: '', wider: '', different: 'consumers may see other values' }
  return { label, compare: () => 'different', reasons }
}

function promises(label: string, words: { narrower: string; wider: string }): TraitRule {
  return {
    label,
    compare: (before, after) => comparePromises(textsIn(before), textsIn(after)),
    reasons: { same: 'the same promises, in another order', ...words, different: words.wider },
  }
}

function textsIn(value: Value | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
