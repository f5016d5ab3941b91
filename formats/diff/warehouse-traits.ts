// Rules for the properties that only BigQuery or dbt has.

import { BIGQUERY_TRAITS } from '../schema/bigquery/traits.ts'
import { DBT_CONSTRAINTS } from '../schema/dbt/traits.ts'
import type { Value } from '../text/value.ts'
import type { TraitRule, TraitRules } from './trait-rule.ts'
import { comparePromises } from './verdict.ts'

export const WAREHOUSE_TRAITS: TraitRules = {
  [BIGQUERY_TRAITS.policyTag]: masking('policy tag'),
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
