// Compares quality rules. A rule is a promise: an additional one is additive, a removed one breaking. Fields
// that only explain a rule, or how it is checked, are documentation.

import { canonicalText } from '../shape/canonical.ts'
import { any } from '../shape/shape.ts'
import type { QualityCheck } from '../schema/model.ts'
import { compareText } from '../text/problem.ts'
import { clip, fieldOf, isObject, type ObjectValue, textOf, type Value } from '../text/value.ts'
import { compareValues } from './exact.ts'
import { levelOfVerdict, type ModelChanges, type Verdict } from './model-changes.ts'
import { changeSentence } from './sentence.ts'
import { type Bound, compareBounds, together } from './verdict.ts'

// Fields that explain, classify or schedule a rule.
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
  same: 'it demands the same as before',
  narrower: 'it demands more than before',
  wider: 'data that it ruled out may come now',
  different: 'data that it ruled out may come now',
}

/** Compares the rules of a model, of a field or of all data; `subject` is what sentences call their owner. */
export function compareChecks(
  changes: ModelChanges,
  checks: { before: readonly QualityCheck[]; after: readonly QualityCheck[] },
  owner: { origin: string; subject: string },
): void {
  if (checks.before.length + checks.after.length === 0) return
  const open = new OpenChecks(checks.before, checks.after)
  open.pairBy(wholeText)
  for (const { before, after } of open.pairBy(keyText)) {
    tellCheck(changes, before, after, owner, verdictOf(before, after))
  }
  for (const { before, after } of open.pairBy(demandText)) {
    tellCheck(changes, before, after, owner, 'same')
  }
  for (const { before, after } of open.pairBy(measureText)) {
    tellCheck(changes, before, after, owner, compareRanges(before.rule, after.rule))
  }
  for (const before of open.before) tellCheck(changes, before, undefined, owner, 'wider')
  for (const after of open.after) tellCheck(changes, undefined, after, owner, 'narrower')
}

function tellCheck(
  changes: ModelChanges,
  before: QualityCheck | undefined,
  after: QualityCheck | undefined,
  { origin, subject }: { origin: string; subject: string },
  verdict: Verdict,
): void {
  const check = after ?? before
  if (check === undefined) return
  const name = check.name ?? textOf(fieldOf(check.rule, 'metric')) ?? check.type
  const words = `${subject}: quality rule ${clip(name)}`
  changes.tell(origin, 'quality', {
    path: check.origin,
    level: levelOfVerdict(verdict),
    before: before?.rule,
    after: after?.rule,
    kind: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    message: changeSentence(words, before?.rule, after?.rule, REASONS[verdict]),
  })
}

function verdictOf(before: QualityCheck, after: QualityCheck): Verdict {
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

  /** Pairs rules of one key, the first with the first and so on. */
  pairBy(keyOf: (check: QualityCheck) => string | undefined) {
    const open = new Map<string, QualityCheck[]>()
    for (const check of this.before.toReversed()) {
      const key = keyOf(check)
      if (key === undefined) continue
      const same = open.get(key)
      if (same === undefined) open.set(key, [check])
      else same.push(check)
    }
    const pairs = this.after.flatMap((after) => {
      const before = open.get(keyOf(after) ?? '')?.pop()
      return before === undefined ? [] : [{ before, after }]
    })
    const taken = new Set(pairs.flatMap(({ before, after }) => [before, after]))
    this.before = this.before.filter((check) => !taken.has(check))
    this.after = this.after.filter((check) => !taken.has(check))
    return pairs
  }
}

function wholeText({ name, type, description, rule }: QualityCheck): string {
  return JSON.stringify([name, type, description, textsOf(rule, () => false)])
}

function keyText({ name, rule }: QualityCheck): string | undefined {
  const id = textOf(fieldOf(rule, 'id'))
  return id === undefined && name === undefined ? undefined : JSON.stringify([id, name])
}

function demandText(check: QualityCheck): string {
  return demandWithout(check, isWord)
}

// The measurement of a rule, without its limits.
function measureText(check: QualityCheck): string {
  return demandWithout(check, (name) => isWord(name) || OPERATORS.has(name))
}

// A rule in words demands what its text describes.
function demandWithout(
  { type, rule, description }: QualityCheck,
  isLeftOut: (name: string) => boolean,
): string {
  const isText = type === 'text'
  const words = isText ? (description ?? textOf(fieldOf(rule, 'description'))) : undefined
  return JSON.stringify([type, words, textsOf(rule, isLeftOut)])
}

// The fields of a rule as texts: rules are many, and most of their fields are a word or a number.
function textsOf(rule: Value, isLeftOut: (name: string) => boolean): string[] {
  if (!isObject(rule)) return [canonicalText(rule, any)]
  const names = Object.keys(rule).filter((name) => !isLeftOut(name))
  return names
    .toSorted(compareText)
    .flatMap((name) => [name, canonicalText(rule[name] ?? null, any)])
}

function isWord(name: string): boolean {
  return WORDS.has(name)
}

// What a rule allows its measure to be; undefined when it is no range of values that can be ordered.
function compareRanges(before: Value, after: Value): Verdict {
  const [one, other] = [rangeOf(before), rangeOf(after)]
  if (one === undefined || other === undefined) return 'different'
  return together([
    compareBounds(one.lower, other.lower, 1),
    compareBounds(one.upper, other.upper, -1),
  ])
}

interface Range {
  lower: Bound | undefined
  upper: Bound | undefined
}

function rangeOf(rule: Value): Range | undefined {
  if (!isObject(rule)) return undefined
  const exact = fieldOf(rule, 'mustBe')
  const between = fieldOf(rule, 'mustBeBetween')
  const [low, high] = Array.isArray(between) ? between : [exact, exact]
  const range: Range = {
    lower: boundIn(
      rule,
      ['mustBeGreaterOrEqualTo', 'mustBeGreaterThanOrEqualTo'],
      low,
      'mustBeGreaterThan',
    ),
    upper: boundIn(
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

function boundIn(
  rule: ObjectValue,
  closed: readonly string[],
  end: Value | undefined,
  open: string,
): Bound | undefined {
  const values = [end, ...closed.map((name) => fieldOf(rule, name))]
  const value = values.find((one) => one !== undefined)
  if (value !== undefined) return { value, isExclusive: false }
  const limit = fieldOf(rule, open)
  return limit === undefined ? undefined : { value: limit, isExclusive: true }
}
