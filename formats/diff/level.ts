// Levels of changes. A team promises data to others; a change that may break consumers is breaking. The tables below
// are the specification: each row contains the position of a change, its level, and the reason.

import type { Value } from '../text/value.ts'
import { isVariableChange } from './variable-change.ts'

/** From highest to lowest: consumers may fail, the promise grows or moves, only texts changed, no change. */
export type Level = 'breaking' | 'additive' | 'wording' | 'none'

export type ChangeKind = 'added' | 'removed' | 'changed' | 'renamed'

export interface Change {
  /** JSON pointer into the newer document, or into the older one if the value was removed. */
  path: string
  kind: ChangeKind
  level: Exclude<Level, 'none'>
  /** Null if the value was added. */
  before: Value
  /** Null if the value was removed. */
  after: Value
  /** One sentence for users. */
  message: string
}

/**
 * A decision about changes at a position. `path` is a dotted pattern in which `*` matches any one name or list
 * member; nested positions do not match, except that a final `**` matches all of them. `changed` applies to kinds of
 * change without their own level.
 */
export interface LevelRule {
  path: string
  changed: Exclude<Level, 'none'>
  added?: Exclude<Level, 'none'>
  removed?: Exclude<Level, 'none'>
  /** If given, only changes to this word match, in any letter case. */
  to?: string
  /** If true, only changes from or to a variable match. */
  variable?: true
  /** The value that an absent field has: stating it changes nothing. */
  default?: Value
  reason: string
}

/** Returns the highest level of some changes. */
export function highestLevel(changes: readonly Change[]): Level {
  const levels = new Set(changes.map(({ level }) => level))
  if (levels.has('breaking')) return 'breaking'
  if (levels.has('additive')) return 'additive'
  return levels.has('wording') ? 'wording' : 'none'
}

const PORT_GONE = 'Consumers of a port fail when it is removed or renamed.'
const CONTRACT = 'Consumers rely on the previous contract; a first contract only adds a promise.'
const TYPE =
  'A different type of port needs a different client; adding a missing type changes nothing.'
const PLACE = 'Consumers read from the old location; adding a missing location only helps them.'
const LOOKUP = 'Clients look up the port by its id; a first id adds a way to find it.'
const STANDING = 'It describes how the port may be used in the future, and removes no data.'
const SOURCE = 'The inputs of a product are internal; consumers read its output ports.'
const OPERATION = 'Programs that operate the product use it; consumers of the data do not.'
const STANDING_OF_PRODUCT =
  'It describes the role of the product in the organization, and removes no data.'
const END = 'The promise ends: consumers must not rely on it any longer.'
const UNKNOWN = 'The value of a variable is unknown, so the change cannot be analyzed.'
const WORDS = 'Texts, links and non-standard fields describe the data and do not change it.'

/** The rule for changes without a matching row. */
export const OTHERWISE: LevelRule = { path: '…', changed: 'wording', reason: WORDS }

/** Rules for ODPS documents. A custom property is at the position of its name. The first matching row applies. */
export const ODPS_RULES: readonly LevelRule[] = [
  { path: 'outputPorts.*', changed: 'breaking', added: 'additive', reason: PORT_GONE },
  {
    path: 'outputPorts.*.version',
    changed: 'breaking',
    added: 'wording',
    removed: 'wording',
    reason:
      'A different version is a different port; adding or removing the version of the same port is not.',
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
  ...ending(['status', 'outputPorts.*.customProperties.status']),
  ...deprecation(['inputPorts.*.', 'outputPorts.*.', 'managementPorts.*.', '']),
  ...additive(STANDING, [
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
  ]),
  ...additive(STANDING_OF_PRODUCT, [
    'status',
    'domain',
    'tenant',
    'version',
    'type',
    'team.name',
    'customProperties.type',
    'customProperties.maturity',
  ]),
  OTHERWISE,
]

/** Rules for DPS documents. The first matching row applies. */
export const DPS_RULES: readonly LevelRule[] = [
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
  ...ending(['info.status', 'outputPorts.*.status']),
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

/** Returns the rule for a change of a value at a position, whose steps are field names and `*`. */
export function ruleFor(
  rules: readonly LevelRule[],
  place: readonly string[],
  change: { before?: Value | undefined; after?: Value | undefined } = {},
): LevelRule {
  const { before, after } = change
  const isMatch = (rule: LevelRule): boolean =>
    matches(getSteps(rule), place) &&
    (rule.to === undefined || isWord(after, rule.to)) &&
    (rule.variable === undefined || isVariableChange(before, after))
  return rules.find(isMatch) ?? OTHERWISE
}

function isWord(value: Value | undefined, word: string): boolean {
  return typeof value === 'string' && value.trim().toLowerCase() === word
}

/** Returns the rules for promises that a variable makes unknown; `added`: the level of a first promise. */
export function unknownByVariable(
  paths: readonly string[],
  added: 'additive' | 'breaking' = 'breaking',
): LevelRule[] {
  return paths.map((path) => {
    return { path, changed: 'breaking', added, variable: true, reason: UNKNOWN }
  })
}

/** Returns the rules for the end of a promise by a status. */
export function ending(paths: readonly string[]): LevelRule[] {
  return [
    ...paths.map((path): LevelRule => {
      return { path, changed: 'breaking', to: 'retired', reason: END }
    }),
    ...unknownByVariable(paths),
  ]
}

/** Returns the level of a rule for a kind of change. */
export function getLevel(rule: LevelRule, kind: ChangeKind): Exclude<Level, 'none'> {
  if (kind === 'added') return rule.added ?? rule.changed
  return kind === 'removed' ? (rule.removed ?? rule.changed) : rule.changed
}

function matches(pattern: readonly string[], place: readonly string[]): boolean {
  if (pattern.at(-1) === '**') {
    return (
      place.length >= pattern.length &&
      matches(pattern.slice(0, -1), place.slice(0, pattern.length - 1))
    )
  }
  if (pattern.length !== place.length) return false
  return pattern.every((step, at) => step === '*' || step === place[at])
}

// A rule's pattern is split only once.
const STEPS = new WeakMap<LevelRule, readonly string[]>()

function getSteps(rule: LevelRule): readonly string[] {
  const known = STEPS.get(rule)
  if (known !== undefined) return known
  const steps = rule.path.split('.')
  STEPS.set(rule, steps)
  return steps
}

function breakingUnlessFirst(reason: string, fields: readonly string[]): LevelRule[] {
  return fields.map((field) => ({
    path: `outputPorts.*.${field}`,
    changed: 'breaking',
    added: 'additive',
    reason,
  }))
}

function deprecation(parts: readonly string[]): LevelRule[] {
  return parts.map((part) => {
    return { path: `${part}deprecated`, changed: 'additive', default: false, reason: STANDING }
  })
}

function additive(reason: string, paths: readonly string[]): LevelRule[] {
  return paths.map((path) => ({ path, changed: 'additive', reason }))
}
