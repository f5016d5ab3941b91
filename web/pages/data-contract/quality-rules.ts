import type { DataContract } from '../../../formats/data-contract/data-contract.ts'
import type { Schemas } from '../../api/client.ts'

/** A rule of quality and what it is about. */
export interface PlacedRule {
  /** The model, or the model and the field; empty = the whole of the data. */
  path: string
  rule: Schemas['QualityCheck']
}

type Field = Schemas['Field']

/** All rules of a contract: those about the whole, then model by model. */
export function placedRules(
  contract: Pick<DataContract, 'quality'>,
  models: readonly Schemas['Model'][],
): PlacedRule[] {
  const whole = contract.quality.map((rule) => ({ path: '', rule }))
  return [...whole, ...models.flatMap(rulesOfModel)]
}

function rulesOfModel(model: Schemas['Model']): PlacedRule[] {
  return [
    ...model.quality.map((rule) => ({ path: model.name, rule })),
    ...model.fields.flatMap((field) => rulesOfField(field, model.name)),
  ]
}

function rulesOfField(field: Field, above: string): PlacedRule[] {
  const path = `${above}.${field.name}`
  const own = field.quality.map((rule) => ({ path, rule }))
  const below = field.fields?.flatMap((one) => rulesOfField(one, path)) ?? []
  // What a list or a map holds has no name of its own.
  const held = [field.items, field.keys, field.values].flatMap((one) =>
    one === undefined ? [] : rulesOfField({ ...one, name: field.name }, above),
  )
  return [...own, ...below, ...held]
}

/** Whether a rule has some letters in what it is about, its name or its description. */
export function isAbout({ path, rule }: PlacedRule, letters: string): boolean {
  const sought = letters.trim().toLowerCase()
  return [path, rule.name, rule.type, rule.description].some(
    (text) => text?.toLowerCase().includes(sought) === true,
  )
}
