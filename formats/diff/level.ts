// The levels of changes. A change that may break consumers of the data is breaking. The tables below are the
// specification: each row has a location, the level of its changes, and the reason.

import type { Value } from '../text/value.ts'

/** From the biggest to none: consumers may fail · the promise grows or moves · only words changed. */
export type Level = 'breaking' | 'additive' | 'wording' | 'none'

export type ChangeKind = 'added' | 'removed' | 'changed' | 'renamed'

export interface Change {
  /** JSON pointer into the newer document; into the older one for what was removed. */
  path: string
  kind: ChangeKind
  level: Exclude<Level, 'none'>
  /** Null for what was added. */
  before: Value
  /** Null for what was removed. */
  after: Value
  /** One sentence for people. */
  message: string
}

/**
 * A decision. `path` is a dotted pattern: `*` matches any one name or member of a list, and `**` at the end
 * everything below. Without a level for a kind of change, `changed` applies.
 */
export interface Rule {
  path: string
  changed: Exclude<Level, 'none'>
  added?: Exclude<Level, 'none'>
  removed?: Exclude<Level, 'none'>
  reason: string
}

/** Gives the level of the biggest of some changes. */
export function highestLevel(changes: readonly Change[]): Level {
  const levels = new Set(changes.map(({ level }) => level))
  if (levels.has('breaking')) return 'breaking'
  if (levels.has('additive')) return 'additive'
  return levels.has('wording') ? 'wording' : 'none'
}

const PORT_GONE = 'Who reads a port that is gone, or finds it under another name, fails.'
const CONTRACT =
  'Consumers built on the contract that they were given; a first contract only adds a promise.'
const TYPE =
  'Another type of port needs another client; naming the type for the first time changes nothing.'
const PLACE =
  'Consumers look where the data was; naming the place for the first time only helps them.'
const LOOKUP = 'Clients look the port up by its id; a first id adds a way to find it.'
const STANDING = 'It describes how the port may be used from now on, and removes no data.'
const SOURCE = 'Where a product gets its data is its own affair; consumers read its output ports.'
const OPERATION = 'Programs that operate the product use it, consumers of the data do not.'
const STANDING_OF_PRODUCT = 'It describes the product within the organization, and removes no data.'
const WORDS =
  'Words, links and fields that no standard names explain the data, and change none of it.'

/** The decision for locations without a row. */
export const OTHERWISE: Rule = { path: '…', changed: 'wording', reason: WORDS }

/**
 * Decisions about ODPS documents. A custom property has the path of its name. The first matching row applies.
 */
export const ODPS_RULES: readonly Rule[] = [
  { path: 'outputPorts.*', changed: 'breaking', added: 'additive', reason: PORT_GONE },
  {
    path: 'outputPorts.*.version',
    changed: 'breaking',
    added: 'wording',
    removed: 'wording',
    reason:
      'Another version is another port; stating the version of the same port, or no longer, is not.',
  },
  { path: 'outputPorts.*.id', changed: 'breaking', added: 'additive', reason: LOOKUP },
  ...breakingUnlessFirst(CONTRACT, ['contractId', 'customProperties.contractId']),
  ...breakingUnlessFirst(TYPE, ['type']),
  ...breakingUnlessFirst(PLACE, [
    'customProperties.server',
    'customProperties.server.*',
    'customProperties.location',
    'customProperties.environment',
    'customProperties.contractServer',
  ]),
  ...additive(STANDING, [
    'outputPorts.*.deprecated',
    'outputPorts.*.inputContracts',
    'outputPorts.*.sbom',
    'outputPorts.*.customProperties.status',
    'outputPorts.*.customProperties.containsPii',
    'outputPorts.*.customProperties.autoApprove',
  ]),
  ...additive(SOURCE, [
    'inputPorts.*',
    'inputPorts.*.id',
    'inputPorts.*.version',
    'inputPorts.*.contractId',
    'inputPorts.*.deprecated',
    'inputPorts.*.customProperties.contractId',
    'inputPorts.*.customProperties.sourceSystemId',
    'inputPorts.*.customProperties.type',
    'inputPorts.*.customProperties.location',
  ]),
  ...additive(OPERATION, [
    'managementPorts.*',
    'managementPorts.*.content',
    'managementPorts.*.type',
    'managementPorts.*.url',
    'managementPorts.*.channel',
    'managementPorts.*.deprecated',
  ]),
  ...additive(STANDING_OF_PRODUCT, [
    'status',
    'domain',
    'tenant',
    'version',
    'type',
    'deprecated',
    'team.name',
    'customProperties.type',
    'customProperties.maturity',
  ]),
  OTHERWISE,
]

/** Decisions about DPS documents. The first row that fits counts. */
export const DPS_RULES: readonly Rule[] = [
  { path: 'outputPorts.*', changed: 'breaking', added: 'additive', reason: PORT_GONE },
  ...breakingUnlessFirst(CONTRACT, ['dataContractId', 'contractId', 'custom.contractId']),
  ...breakingUnlessFirst(TYPE, ['type']),
  ...breakingUnlessFirst(PLACE, [
    'server',
    'server.*',
    'location',
    'environment',
    'contractServer',
  ]),
  ...additive(STANDING, [
    'outputPorts.*.status',
    'outputPorts.*.containsPii',
    'outputPorts.*.autoApprove',
  ]),
  ...additive(SOURCE, [
    'inputPorts.*',
    'inputPorts.*.sourceSystemId',
    'inputPorts.*.type',
    'inputPorts.*.location',
    'inputPorts.*.dataContractId',
    'inputPorts.*.contractId',
    'inputPorts.*.custom.contractId',
  ]),
  ...additive(STANDING_OF_PRODUCT, [
    'info.owner',
    'teamId',
    'info.status',
    'info.archetype',
    'info.maturity',
    'info.domain',
  ]),
  OTHERWISE,
]

/** Gives the decision about a change at a place, whose steps are field names and `*`. */
export function ruleFor(rules: readonly Rule[], place: readonly string[]): Rule {
  return rules.find((rule) => fits(stepsOf(rule), place)) ?? OTHERWISE
}

/** Gives the level that a decision has for a kind of change. */
export function levelOf(rule: Rule, kind: ChangeKind): Exclude<Level, 'none'> {
  if (kind === 'added') return rule.added ?? rule.changed
  return kind === 'removed' ? (rule.removed ?? rule.changed) : rule.changed
}

function fits(pattern: readonly string[], place: readonly string[]): boolean {
  if (pattern.at(-1) === '**') {
    return (
      place.length >= pattern.length &&
      fits(pattern.slice(0, -1), place.slice(0, pattern.length - 1))
    )
  }
  if (pattern.length !== place.length) return false
  return pattern.every((step, at) => step === '*' || step === place[at])
}

// A rule's pattern is taken apart once.
const STEPS = new WeakMap<Rule, readonly string[]>()

function stepsOf(rule: Rule): readonly string[] {
  const known = STEPS.get(rule)
  if (known !== undefined) return known
  const steps = rule.path.split('.')
  STEPS.set(rule, steps)
  return steps
}

function breakingUnlessFirst(reason: string, fields: readonly string[]): Rule[] {
  return fields.map((field) => ({
    path: `outputPorts.*.${field}`,
    changed: 'breaking',
    added: 'additive',
    reason,
  }))
}

function additive(reason: string, paths: readonly string[]): Rule[] {
  return paths.map((path) => ({ path, changed: 'additive', reason }))
}
