import type { DataContract } from '../../../formats/data-contract/data-contract.ts'
import type { Schemas } from '../../api/client.ts'

/** A quality rule with its subject. */
export interface PlacedRule {
  /** The model, or the model and the field; empty = all data. */
  path: string
  rule: Schemas['QualityCheck']
}

type Field = Schemas['Field']

/** Lists all rules of a contract: those about all data first, then those of each model. */
export function listPlacedRules(
  contract: Pick<DataContract, 'quality'>,
  models: readonly Schemas['Model'][],
): PlacedRule[] {
  const whole = contract.quality.map((rule) => ({ path: '', rule }))
  return [...whole, ...models.flatMap(listModelRules)]
}

function listModelRules(model: Schemas['Model']): PlacedRule[] {
  return [
    ...model.quality.map((rule) => ({ path: model.name, rule })),
    ...model.fields.flatMap((field) => listFieldRules(field, model.name)),
  ]
}

function listFieldRules(field: Field, parentPath: string): PlacedRule[] {
  const path = `${parentPath}.${field.name}`
  const own = field.quality.map((rule) => ({ path, rule }))
  const below = field.fields?.flatMap((one) => listFieldRules(one, path)) ?? []
  // The items of a list or a map have no name of their own.
  const inner = [field.items, field.keys, field.values].flatMap((one) =>
    one === undefined ? [] : listFieldRules({ ...one, name: field.name }, parentPath),
  )
  return [...own, ...below, ...inner]
}

/** Returns whether the subject, name, type or description of a rule contains some letters. */
export function containsLetters({ path, rule }: PlacedRule, letters: string): boolean {
  const searched = letters.trim().toLowerCase()
  return [path, rule.name, rule.type, rule.description].some(
    (text) => text?.toLowerCase().includes(searched) === true,
  )
}
