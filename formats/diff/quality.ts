// Compares quality rules. A rule is a promise: an added one is additive, a removed one is breaking. Changes of
// descriptions and of how a rule is checked are wording.

import { canonicalText } from '../shape/canonical.ts'
import { any } from '../shape/shape.ts'
import type { QualityCheck } from '../schema/model.ts'
import { canonicalSql } from '../schema/sql/canonical.ts'
import { compareText } from '../text/problem.ts'
import { clip, getField, isObject, type ObjectValue, asText, type Value } from '../text/value.ts'
import { compareValues } from './exact.ts'
import { toLevel, type ModelChanges, type Verdict } from './model-changes.ts'
import { changeSentence } from './sentence.ts'
import { normalizeSql } from './sql-text.ts'
import { type Bound, compareBounds, combineVerdicts } from './verdict.ts'

// Fields that describe, classify and schedule a rule and do not affect its requirement.
const WORDS = new Set([
  'id',
  'name',
  'description',
  'title',
  'tags',
  'dimension',
  'severity',
  'businessImpact',
  'method',
  'schedule',
  'scheduler',
  'customProperties',
  'authoritativeDefinitions',
])

const OPERATORS = new Set([
  'mustBe',
  'mustBeGreaterThan',
  'mustBeGreaterOrEqualTo',
  'mustBeGreaterThanOrEqualTo',
  'mustBeLessThan',
  'mustBeLessOrEqualTo',
  'mustBeLessThanOrEqualTo',
  'mustBeBetween',
])

const REASONS: { readonly [verdict in Verdict]: string } = {
  same: 'it requires the same as before',
  narrower: 'it requires more than before',
  wider: 'it allows data that it rejected before',
  different: 'it allows data that it rejected before',
}

/**
 * Compares the rules of a model, of a field or of all data; `subject` is the name of their owner in messages. `isKept`
 * returns whether something else in the newer version requires what a removed or changed rule required.
 */
export function compareChecks(
  changes: ModelChanges,
  checks: { before: readonly QualityCheck[]; after: readonly QualityCheck[] },
  owner: { origin: string; subject: string; isKept?: (check: QualityCheck) => boolean },
): void {
  if (checks.before.length + checks.after.length === 0) return
  const open = new OpenChecks(checks.before, checks.after)
  open.pairBy(wholeText)
  for (const { before, after } of open.pairBy(keyText)) {
    const verdict = compareCheck(before, after)
    const isStronger = verdict === 'different' && owner.isKept?.(before) === true
    reportCheck(changes, before, after, owner, isStronger ? 'narrower' : verdict)
  }
  for (const { before, after } of open.pairBy(demandText)) {
    reportCheck(changes, before, after, owner, 'same')
  }
  for (const { before, after } of open.pairBy(measureText)) {
    reportCheck(changes, before, after, owner, compareRanges(before.rule, after.rule))
  }
  for (const before of open.before) {
    const isKept = owner.isKept?.(before) === true
    reportCheck(changes, before, undefined, owner, isKept ? 'narrower' : 'wider')
  }
  for (const after of open.after) reportCheck(changes, undefined, after, owner, 'narrower')
}

function reportCheck(
  changes: ModelChanges,
  before: QualityCheck | undefined,
  after: QualityCheck | undefined,
  { origin, subject }: { origin: string; subject: string },
  verdict: Verdict,
): void {
  const check = after ?? before
  if (check === undefined) return
  const name = check.name ?? asText(getField(check.rule, 'metric')) ?? check.type
  const words = `${subject}: quality rule ${clip(name)}`
  changes.report(origin, 'quality', {
    path: check.origin,
    level: toLevel(verdict),
    before: before?.rule,
    after: after?.rule,
    kind: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    message: changeSentence(words, before?.rule, after?.rule, REASONS[verdict]),
  })
}

function compareCheck(before: QualityCheck, after: QualityCheck): Verdict {
  if (demandText(before) === demandText(after)) return 'same'
  const isSameMeasure = measureText(before) === measureText(after)
  return isSameMeasure ? compareRanges(before.rule, after.rule) : 'different'
}

// Rules that have no partner yet.
class OpenChecks {
  before: readonly QualityCheck[]
  after: readonly QualityCheck[]

  constructor(before: readonly QualityCheck[], after: readonly QualityCheck[]) {
    this.before = before
    this.after = after
  }

  /** Matches rules with the same key in order. */
  pairBy(getKey: (check: QualityCheck) => string | undefined) {
    const open = new Map<string, QualityCheck[]>()
    for (const check of this.before.toReversed()) {
      const key = getKey(check)
      if (key === undefined) continue
      const same = open.get(key)
      if (same === undefined) open.set(key, [check])
      else same.push(check)
    }
    const pairs = this.after.flatMap((after) => {
      const before = open.get(getKey(after) ?? '')?.pop()
      return before === undefined ? [] : [{ before, after }]
    })
    const taken = new Set(pairs.flatMap(({ before, after }) => [before, after]))
    this.before = this.before.filter((check) => !taken.has(check))
    this.after = this.after.filter((check) => !taken.has(check))
    return pairs
  }
}

function wholeText({ name, type, description, rule }: QualityCheck): string {
  return JSON.stringify([
    name,
    type,
    description,
    toTexts(
      rule,
      () => false,
      (_, value) => value,
    ),
  ])
}

function keyText({ name, rule }: QualityCheck): string | undefined {
  const id = asText(getField(rule, 'id'))
  return id === undefined && name === undefined ? undefined : JSON.stringify([id, name])
}

function demandText(check: QualityCheck): string {
  return demandWithout(check, isWord)
}

// The measure of a rule without its limits.
function measureText(check: QualityCheck): string {
  return demandWithout(check, (name) => isWord(name) || OPERATORS.has(name))
}

// The text of a rule that is only described in prose is its requirement.
function demandWithout(
  { type, rule, description }: QualityCheck,
  isLeftOut: (name: string) => boolean,
): string {
  const isText = type === 'text'
  const words = isText ? (description ?? asText(getField(rule, 'description'))) : undefined
  // A condition of a script: the case of its words and its layout have no meaning.
  const demand = type === 'sql' && typeof rule === 'string' ? canonicalSql(rule) : rule
  return JSON.stringify([type, words, toTexts(demand, isLeftOut)])
}

// All properties of a rule, field by field: there are many rules, and most fields are a word or a number.
function toTexts(
  rule: Value,
  isLeftOut: (name: string) => boolean,
  getMeaning = toMeaning,
): string[] {
  if (!isObject(rule)) return [canonicalText(rule, any)]
  const names = Object.keys(rule).filter((name) => !isLeftOut(name))
  return names
    .toSorted(compareText)
    .flatMap((name) => [name, canonicalText(getMeaning(name, rule[name] ?? null), any)])
}

function toMeaning(name: string, value: Value): Value {
  return name === 'query' && typeof value === 'string' ? normalizeSql(value) : value
}

function isWord(name: string): boolean {
  return WORDS.has(name)
}

// Compares the ranges that rules allow for their measure; `different` if they are not ranges of values that can be
// ordered.
function compareRanges(before: Value, after: Value): Verdict {
  const [one, other] = [readRange(before), readRange(after)]
  if (one === undefined || other === undefined) return 'different'
  return combineVerdicts([
    compareBounds(one.lower, other.lower, 1),
    compareBounds(one.upper, other.upper, -1),
  ])
}

interface Range {
  lower: Bound | undefined
  upper: Bound | undefined
}

function readRange(rule: Value): Range | undefined {
  if (!isObject(rule)) return undefined
  const exact = getField(rule, 'mustBe')
  const between = getField(rule, 'mustBeBetween')
  const [low, high] = Array.isArray(between) ? between : [exact, exact]
  const range: Range = {
    lower: readBound(
      rule,
      ['mustBeGreaterOrEqualTo', 'mustBeGreaterThanOrEqualTo'],
      low,
      'mustBeGreaterThan',
    ),
    upper: readBound(
      rule,
      ['mustBeLessOrEqualTo', 'mustBeLessThanOrEqualTo'],
      high,
      'mustBeLessThan',
    ),
  }
  const bounds = [range.lower, range.upper].filter((bound) => bound !== undefined)
  const isOrdered = bounds.every(({ value }) => compareValues(value, value) === 0)
  return bounds.length > 0 && isOrdered ? range : undefined
}

function readBound(
  rule: ObjectValue,
  closed: readonly string[],
  end: Value | undefined,
  open: string,
): Bound | undefined {
  const values = [end, ...closed.map((name) => getField(rule, name))]
  const value = values.find((one) => one !== undefined)
  if (value !== undefined) return { value, isExclusive: false }
  const limit = getField(rule, open)
  return limit === undefined ? undefined : { value: limit, isExclusive: true }
}
