// The quality rules of a contract with the model and field that each is about.

import type { DataContract } from '../../data-contract/data-contract.ts'
import { toPath } from '../../data-contract/model-parts.ts'
import { getField, valueAt, asText, type Value } from '../../text/value.ts'
import type { Field, Model } from '../../schema/model.ts'
import { listRules } from '../rules.ts'

/** A quality rule of a model, or of a field of it. */
export interface PlacedRule {
  model: Model
  /** Undefined = the rule is about the whole model. */
  field?: Field
  /** Whether the field is inside another one, so that it is not a column. */
  isNested: boolean
  /** The rule as it is in the document. */
  rule: Value
  id: string | undefined
}

/** Lists the rules of the models of a contract in the order of its document. */
export function listPlacedRules(contract: DataContract, document: Value): PlacedRule[] {
  const owners = new Map<string, Omit<PlacedRule, 'rule' | 'id'>>()
  for (const model of contract.models) {
    owners.set(model.origin, { model, isNested: false })
    for (const field of model.fields) addFields(owners, model, field, false)
  }
  // The rules keep their order and need no key here.
  return listRules(contract, document, () => '').flatMap(({ pointer }) => {
    const owner = owners.get(pointer.replace(/\/quality\/\d+$/, ''))
    const rule = valueAt(document, toPath(document, pointer))
    if (owner === undefined || rule === undefined) return []
    return [{ ...owner, rule, id: asText(getField(rule, 'id')) || undefined }]
  })
}

function addFields(
  owners: Map<string, Omit<PlacedRule, 'rule' | 'id'>>,
  model: Model,
  field: Field,
  isNested: boolean,
): void {
  owners.set(field.origin, { model, field, isNested })
  const inner = [...(field.fields ?? []), field.items, field.keys, field.values]
  for (const one of inner) if (one !== undefined) addFields(owners, model, one, true)
}
