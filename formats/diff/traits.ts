// Compares the properties that only one schema language has: field numbers of Protobuf, branches of unions, and other
// parts of a definition that consumers depend on and that no other language has.

import { canonicalText } from '../shape/canonical.ts'
import type { Field, Model, Traits } from '../schema/model.ts'
import { any } from '../shape/shape.ts'
import type { Value } from '../text/value.ts'
import { toLevel, type ModelChanges, type Verdict } from './model-changes.ts'
import { changeSentence } from './sentence.ts'
import { AVRO_TRAITS } from './avro-traits.ts'
import { JSON_SCHEMA_TRAITS } from './json-schema-traits.ts'
import { PROTOBUF_TRAITS } from './protobuf-traits.ts'
import { WAREHOUSE_TRAITS } from './warehouse-traits.ts'
import { SQL_TRAIT_RULES } from './sql-rules.ts'
import type { TraitRule } from './trait-rule.ts'

const RULES: ReadonlyMap<string, TraitRule> = new Map(
  Object.entries({
    ...AVRO_TRAITS,
    ...JSON_SCHEMA_TRAITS,
    ...PROTOBUF_TRAITS,
    ...SQL_TRAIT_RULES,
    ...WAREHOUSE_TRAITS,
  }),
)

/** The end of every message about a change whose effect on consumers is unknown. */
export const UNANALYZED = 'changed in a way that cannot be analyzed, so consumers may break'

/**
 * Reports changes of the language-specific properties of a model or field. A change of a property without a rule is
 * breaking, because its effect on consumers is unknown.
 */
export function compareTraits(
  changes: ModelChanges,
  subject: string,
  before: Model | Field,
  after: Model | Field,
): void {
  const [older, newer] = [before.traits ?? {}, after.traits ?? {}]
  for (const name of new Set([...Object.keys(older), ...Object.keys(newer)])) {
    const [one, other] = [older[name], newer[name]]
    if (isEqual(one, other)) continue
    const rule = RULES.get(name)
    const verdict: Verdict | undefined =
      rule === undefined
        ? 'different'
        : rule.compare(one, other, { before, after, effort: changes.effort })
    if (verdict === undefined) continue
    // A property that only moved into or out of the model is not reported if the model has other changes.
    const isMoved = verdict === 'same' && (one === undefined || other === undefined)
    if (isMoved && changes.reportedAspects.has(after.origin)) continue
    changes.report(after.origin, 'traits', {
      level: toLevel(verdict),
      before: one,
      after: other,
      message:
        rule === undefined
          ? `${subject} ${UNANALYZED}.`
          : changeSentence(`${subject}: ${rule.label}`, one, other, rule.reasons[verdict]),
    })
  }
}

/** Returns whether two models or fields have equal language-specific properties. */
export function haveEqualTraits(a: Traits | undefined, b: Traits | undefined): boolean {
  return a === b || isEqual(a, b)
}

function isEqual(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a === b || canonicalText(a, any) === canonicalText(b, any)
}
