// The quality rules of a contract, as test results refer to them.

import type { DataContract } from '../data-contract/data-contract.ts'
import { toPath } from '../data-contract/model-parts.ts'
import { readChecks } from '../data-contract/quality-checks.ts'
import type { Field, Model, QualityCheck } from '../schema/model.ts'
import { any } from '../shape/shape.ts'
import { canonicalText } from '../shape/canonical.ts'
import { asText, getField, isObject, valueAt, type Value } from '../text/value.ts'

/** The maximum number of rules of a contract to which results are attributed. */
const RULES_MAX = 20_000

/** A quality rule of a contract, with the facts by which results refer to it. */
export interface ContractRule {
  /** The JSON pointer of the rule in the document. */
  pointer: string
  /** Equal while the rule stays the same: `quality:<id>`, if the id is unique in the contract, else `rule:<digest>`. */
  key: string
  id: string | undefined
  name: string | undefined
  metric: string | undefined
  /** The names of the model, in lower case. */
  models: readonly string[]
  /** The names of the field, in lower case; empty = the rule is one of the model. */
  fields: readonly string[]
  /** The position in the list of its model or field. */
  index: number
  /** The members of the rule, each in its canonical form. */
  members: RuleMembers
}

/** The members of a rule, each in its canonical form. */
export type RuleMembers = Readonly<Record<string, string>>

/** Computes a short digest of a text. */
export type Digest = (text: string) => string

/** Lists the quality rules of a contract in the order of its document. */
export function listRules(contract: DataContract, document: Value, digest: Digest): ContractRule[] {
  const places = [
    ...placeRules(document, contract.quality, { models: [], fields: [] }),
    ...contract.models.flatMap((model) => listModelRules(model, document)),
  ].slice(0, RULES_MAX)
  const ids = Map.groupBy(places, ({ id }) => id)
  const seen = new Map<string, number>()
  return places.map((rule) => {
    const isUnique = rule.id !== undefined && ids.get(rule.id)?.length === 1
    if (isUnique) return { ...rule, key: `quality:${rule.id}` }
    const text = digest(JSON.stringify([rule.models[0] ?? '', rule.fields[0] ?? '', rule.members]))
    return { ...rule, key: numberKey(`rule:${text}`, seen) }
  })
}

/** Appends the number of its occurrence to a key that was seen before. */
export function numberKey(key: string, seen: Map<string, number>): string {
  const count = (seen.get(key) ?? 0) + 1
  seen.set(key, count)
  return count === 1 ? key : `${key}#${count}`
}

type UnkeyedRule = Omit<ContractRule, 'key'>
type RulePlace = Pick<ContractRule, 'models' | 'fields'>

function listModelRules(model: Model, document: Value): UnkeyedRule[] {
  const models = getNames(model)
  const qualified = model.physicalName?.split('.').at(-1)?.toLowerCase()
  if (qualified !== undefined && !models.includes(qualified)) models.push(qualified)
  const own = readOwnRules(model, document)
  return [
    ...placeRules(document, own, { models, fields: [] }),
    ...model.fields.flatMap((field) => listFieldRules(field, getNames(field), models, document)),
  ]
}

// Fields in lists and maps have the paths that datacontract-cli writes: `a.b`, `a[]`, `a[key]`.
function listFieldRules(
  field: Field,
  fields: readonly string[],
  models: readonly string[],
  document: Value,
): UnkeyedRule[] {
  const inside = (part: Field | undefined, suffix: string): UnkeyedRule[] =>
    part === undefined
      ? []
      : listFieldRules(
          part,
          fields.map((path) => `${path}${suffix}`),
          models,
          document,
        )
  return [
    ...placeRules(document, readOwnRules(field, document), { models, fields }),
    ...(field.fields ?? []).flatMap((one) => {
      const paths = fields.flatMap((path) => getNames(one).map((name) => `${path}.${name}`))
      return listFieldRules(one, paths, models, document)
    }),
    ...inside(field.items, '[]'),
    ...inside(field.keys, '[key]'),
    ...inside(field.values, '[value]'),
  ]
}

// A rule that lists all allowed values is an enumeration of the field, and no longer in its list.
function readOwnRules({ origin, quality }: Model | Field, document: Value): QualityCheck[] {
  const list = getField(valueAt(document, toPath(document, origin)), 'quality')
  return Array.isArray(list) ? readChecks(list, `${origin}/quality`, 'library') : quality
}

function getNames({ name, physicalName }: Model | Field): string[] {
  return [...new Set([physicalName ?? name, name])].map((one) => one.toLowerCase())
}

function placeRules(
  document: Value,
  checks: readonly QualityCheck[],
  place: RulePlace,
): UnkeyedRule[] {
  return checks.map(({ name, origin }, at) => {
    const rule = valueAt(document, toPath(document, origin))
    const index = Number(/\d+$/.exec(origin)?.[0] ?? at)
    const metric = asText(getField(rule, 'metric')) ?? asText(getField(rule, 'rule'))
    const id = asText(getField(rule, 'id')) || undefined
    return { pointer: origin, id, name, metric, index, members: readMembers(rule), ...place }
  })
}

/** Returns the members of a rule, each in its canonical form. */
export function readMembers(rule: Value | undefined): RuleMembers {
  if (!isObject(rule)) return {}
  const members = Object.entries(rule).map(([name, value]) => [name, canonicalText(value, any)])
  return Object.fromEntries(members.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)))
}
