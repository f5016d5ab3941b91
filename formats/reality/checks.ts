// Attributes the checks of a test result to the quality rules of a contract, and gives each a key that is equal in all
// results, so that its outcomes can be followed over time.

import { readInnerText } from '../text/text.ts'
import { clip } from '../text/value.ts'
import type { ReportedCheck } from './check-read.ts'
import type { CheckOutcome } from './check-outcome.ts'
import { numberKey, readMembers } from './rules.ts'
import type { ContractRule, Digest, RuleMembers } from './rules.ts'

/** A check of a result with its key. */
export interface KeyedCheck {
  /** At most 200 characters. */
  key: string
  name: string | null
  model: string | null
  field: string | null
  /** The key of its rule in the contract; null = the result refers to no rule. */
  ruleKey: string | null
  outcome: CheckOutcome
  value: number | null
}

/** The maximum number of checks of a result that are followed over time. */
export const CHECKS_MAX = 5000

const KEY_CHARACTERS_MAX = 200
const NAME_CHARACTERS_MAX = 300
const DEFINITION_CHARACTERS_MAX = 16_384

/** The context in which the checks of a result get their keys. */
interface KeyContext {
  /** Whether the result tested the version of the contract that the rules are of; only then the position of a rule counts. */
  isCurrent: boolean
  /** The definitions of checks, read before. */
  definitions: ReadonlyMap<string, RuleMembers>
  digest: Digest
}

/**
 * Gives the checks of a result their keys: that of the rule whose id or definition they have, else the identity in the
 * program, else the name of the check with the number of its occurrence.
 */
export function keyChecks(
  checks: readonly ReportedCheck[],
  rules: readonly ContractRule[],
  { isCurrent, definitions, digest }: KeyContext,
): KeyedCheck[] {
  const matcher = new RuleMatcher(rules, definitions, isCurrent)
  const seen = new Map<string, number>()
  return checks.slice(0, CHECKS_MAX).map((check) => {
    const exact = matcher.findExact(check)
    const rule = exact ?? matcher.findSimilar(check)
    const id = check.ruleId === undefined ? undefined : `quality:${check.ruleId}`
    const own = exact?.key ?? (rules.length === 0 ? id : undefined) ?? check.identity ?? check.key
    const key = own.length <= KEY_CHARACTERS_MAX ? own : `digest:${digest(own)}`
    return {
      key: numberKey(key, seen),
      name: clipName(check.name),
      model: clipName(check.model ?? check.dataName),
      field: clipName(check.field),
      ruleKey: rule?.key ?? null,
      outcome: check.outcome,
      value: check.value ?? null,
    }
  })
}

/** The maximum number of different definitions of a result by which checks find their rules. */
const DEFINITIONS_MAX = 2000

/** Lists the definitions that attribute checks to rules, each once. */
export function listDefinitions(
  checks: readonly ReportedCheck[],
  rules: readonly ContractRule[],
): string[] {
  if (rules.length === 0) return []
  const ids = new Set(rules.map(({ id }) => id))
  const texts = checks
    .slice(0, CHECKS_MAX)
    .filter(({ ruleId }) => ruleId === undefined || !ids.has(ruleId))
    .flatMap(({ definition }) => definition ?? [])
  return [...new Set(texts)].slice(0, DEFINITIONS_MAX)
}

/** Reads the definition of a rule, a text of YAML; empty if it cannot be read or is too long. */
export function readDefinition(definition: string): RuleMembers {
  if (definition.length > DEFINITION_CHARACTERS_MAX) return {}
  const source = readInnerText(definition, 'application/yaml')
  return source.ok ? readMembers(source.value) : {}
}

function clipName(name: string | undefined): string | null {
  return name === undefined ? null : clip(name, NAME_CHARACTERS_MAX)
}

class RuleMatcher {
  readonly #rules: readonly ContractRule[]
  readonly #isCurrent: boolean
  readonly #byKey: ReadonlyMap<string, ContractRule>
  readonly #byPlace = new Map<string, ContractRule[]>()
  // Equal rules of one place are attributed in their order.
  readonly #taken = new Map<ContractRule, number>()
  readonly #definitions: ReadonlyMap<string, RuleMembers>

  constructor(
    rules: readonly ContractRule[],
    definitions: ReadonlyMap<string, RuleMembers>,
    isCurrent: boolean,
  ) {
    this.#rules = rules
    this.#definitions = definitions
    this.#isCurrent = isCurrent
    this.#byKey = new Map(rules.map((rule) => [rule.key, rule]))
    for (const rule of rules) {
      for (const place of listPlaces(rule)) {
        const there = this.#byPlace.get(place)
        if (there === undefined) this.#byPlace.set(place, [rule])
        else there.push(rule)
      }
    }
  }

  // By the id, then by the definition.
  findExact(check: ReportedCheck): ContractRule | undefined {
    const { ruleId, definition } = check
    const byId = ruleId === undefined ? undefined : this.#byKey.get(`quality:${ruleId}`)
    if (byId !== undefined) return byId
    const there = this.#listThere(check)
    const ofId = ruleId === undefined ? [] : there.filter(({ id }) => id === ruleId)
    if (ofId.length > 0) return this.#take(ofId)
    const members = Object.entries(this.#definitions.get(definition ?? '') ?? {})
    if (members.length === 0) return undefined
    return this.#take(
      there.filter((rule) => members.every(([name, text]) => rule.members[name] === text)),
    )
  }

  // By the name, then by the metric, then by the position.
  findSimilar(check: ReportedCheck): ContractRule | undefined {
    const { name, metrics, index } = check
    const there = this.#listThere(check)
    const named = name === undefined ? [] : there.filter((rule) => rule.name === name)
    if (named.length === 1) return named[0]
    for (const metric of metrics) {
      const measured = there.filter((rule) => rule.metric === metric)
      if (measured.length === 1) return measured[0]
    }
    if (index === undefined || !this.#isCurrent) return undefined
    return there.find((rule) => rule.index === index)
  }

  // The rules at the place of a check. A program that does not report the table is attributed by the name of its data, by
  // the names of dbt, or if only one table has rules for such a column.
  #listThere(check: ReportedCheck): readonly ContractRule[] {
    const { model, dataName, field, name, identity } = check
    if (model !== undefined) return this.#findAt(model, field) ?? []
    const there = dataName === undefined ? undefined : this.#findAt(dataName, field)
    if (there !== undefined) return there
    if (identity?.startsWith('dbt:') === true && name !== undefined) {
      return this.#rules.filter((rule) => isNamedByDbt(name, rule) || rule.name === name)
    }
    const everywhere = this.#rules.filter(({ fields }) =>
      field === undefined ? fields.length === 0 : fields.includes(field.toLowerCase()),
    )
    return new Set(everywhere.map(({ models }) => models[0])).size > 1 ? [] : everywhere
  }

  #findAt(model: string, field: string | undefined): readonly ContractRule[] | undefined {
    return [model, model.split('.').at(-1) ?? model]
      .map((one) => this.#byPlace.get(toPlace(one, field ?? '')))
      .find((there) => there !== undefined)
  }

  #take(equal: readonly ContractRule[]): ContractRule | undefined {
    const [first] = equal
    if (first === undefined) return undefined
    const count = this.#taken.get(first) ?? 0
    this.#taken.set(first, count + 1)
    return equal[Math.min(count, equal.length - 1)]
  }
}

function listPlaces({ models, fields }: ContractRule): string[] {
  const paths = fields.length === 0 ? [''] : fields
  return models.flatMap((model) => paths.map((field) => toPlace(model, field)))
}

function toPlace(model: string, field: string): string {
  return JSON.stringify([model.toLowerCase(), field.toLowerCase()])
}

const DBT_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['nullValues', 'not_null'],
  ['duplicateValues', 'unique'],
  ['invalidValues', 'accepted_values'],
])

// dbt names a generic test after its table and column: `not_null_orders_id`, `accepted_values_orders_status__open`.
function isNamedByDbt(name: string, { metric, models, fields }: ContractRule): boolean {
  const test = DBT_PREFIXES.get(metric ?? '')
  if (test === undefined) return false
  const called = name.toLowerCase().replace(/^source_/, '')
  return models.some((model) =>
    fields.some((field) => {
      const expected = `${model}_${field}`
      const rest = called.startsWith(`${test}_`) ? called.slice(test.length + 1) : ''
      // A source has its own name before that of the table.
      const isSource = name.startsWith('source_') && rest.endsWith(`_${expected}`)
      return rest === expected || rest.startsWith(`${expected}__`) || isSource
    }),
  )
}
