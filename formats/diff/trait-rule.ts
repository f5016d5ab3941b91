// The interface of rules for properties that only one schema language has.

import type { Field, Model } from '../schema/model.ts'
import type { Value } from '../text/value.ts'
import type { Reasons } from './aspects.ts'
import type { Effort } from './effort.ts'
import type { Verdict } from './model-changes.ts'

/** The model or field that has the property, before and after. */
export interface TraitSubjects {
  before: Model | Field
  after: Model | Field
  /** The effort that all rules of one comparison share. */
  effort: Effort
}

/**
 * Judges a change of one property; undefined = the definition does not have it. The result is undefined if other
 * parts of the model show the change.
 */
export interface TraitRule {
  /** The name of the property in messages: `field number`. */
  label: string
  compare: (
    before: Value | undefined,
    after: Value | undefined,
    subjects: TraitSubjects,
  ) => Verdict | undefined
  /** The reason for the level of a change, by verdict. */
  reasons: Reasons
}

/** The rules of one schema language, by the name of the property. */
export type TraitRules = Readonly<Record<string, TraitRule>>
