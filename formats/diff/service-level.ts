// Compares service levels. For some, higher is better (availability, retention), for others lower (latency).
// Unknown changes count as lowered, because consumers may get less.

import { fieldOf, isObject, type ObjectValue, textOf, type Value } from '../text/value.ts'
import { type Measure, readMeasure } from './duration.ts'
import { levelOfVerdict, type Verdict } from './model-changes.ts'
import { changeSentence } from './sentence.ts'
import type { Step, Walk } from './walk.ts'

// What is promised, in words without gaps: the more or later (1) or the less or sooner (-1) the better.
const DIRECTIONS: ReadonlyMap<string, 1 | -1> = new Map<string, 1 | -1>([
  ...better(1, 'availability generalavailability uptime retention throughput'),
  ...better(1, 'completeness accuracy coverage consistency conformity uniqueness validity'),
  ...better(1, 'endofsupport endoflife'),
  ...better(-1, 'latency freshness frequency interval backup timeliness timeofavailability'),
  ...better(-1, 'responsetime supportresponsetime recoverytime recoverypoint'),
  ...better(-1, 'backuprecoverytime backuprecoverypoint backupinterval backupfrequency'),
  ...better(-1, 'timetodetect timetonotify timetorepair errorrate downtime'),
])

// Shares of the data or of time, also without a unit.
const SHARES = new Set([
  'availability',
  'generalavailability',
  'uptime',
  'completeness',
  'accuracy',
])

// From the slowest to the fastest.
const DELIVERIES = ['manual', 'batch', 'micro-batching', 'streaming']

const REASONS: { readonly [verdict in Verdict]: string } = {
  same: 'it promises the same as before',
  narrower: 'it promises more than before',
  wider: 'it promises less than before',
  different: 'it may promise less than before',
}

/** A service level of a document. */
export interface Promised {
  value: Value
  unit?: string | undefined
  /** The upper end, where the promise is a range. */
  valueExt?: Value | undefined
}

function better(direction: 1 | -1, names: string): [string, 1 | -1][] {
  return names.split(' ').map((name) => [name, direction])
}

/** Compares two promises of one kind (`retention`): `narrower` is what promises more. */
export function compareServiceLevels(property: string, before: Promised, after: Promised): Verdict {
  const name = property.toLowerCase().replaceAll(/[^a-z]/g, '')
  const [one, other] = [measureOf(name, before), measureOf(name, after)]
  if (isEqual(before.valueExt, after.valueExt) && isSameMeasure(one, other)) return 'same'
  const direction = directionOf(name, one)
  if (one === undefined || other === undefined || direction === undefined) return 'different'
  if (one.of !== other.of || !isEqual(before.valueExt, after.valueExt)) return 'different'
  return (other.amount - one.amount) * direction > 0 ? 'narrower' : 'wider'
}

function isSameMeasure(a: Measure | undefined, b: Measure | undefined): boolean {
  return a !== undefined && b !== undefined && a.of === b.of && a.amount === b.amount
}

function isEqual(a: Value | undefined, b: Value | undefined): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}

function measureOf(name: string, { value, unit }: Promised): Measure | undefined {
  const rank = name === 'frequencytype' ? DELIVERIES.indexOf(textOf(value) ?? '') : -1
  if (rank >= 0) return { of: 'delivery', amount: rank }
  const measure = readMeasure(value, unit)
  return measure?.of === '' && SHARES.has(name) ? { ...measure, of: 'percent' } : measure
}

function directionOf(name: string, measure: Measure | undefined): 1 | -1 | undefined {
  if (measure?.of === 'delivery') return 1
  // The day from which on the data is available is better the sooner it is.
  if (name === 'generalavailability' && measure?.of === 'instant') return -1
  return DIRECTIONS.get(name)
}

const PROMISE_FIELDS = ['property', 'value', 'valueExt', 'unit']

/** Compares a changed member of ODCS’ `slaProperties`, and reports it. */
export function tellServiceLevel(step: Step, walk: Walk): boolean {
  const { before, after, shape } = step
  const property = textOf(fieldOf(after, 'property'))
  if (!isObject(before) || !isObject(after) || property === undefined) return false
  const [one, other] = [promised(before), promised(after)]
  if (!isEqual(numberless(before), numberless(after))) {
    const verdict = compareServiceLevels(property, one, other)
    tell(step, walk, verdict, shown(one), shown(other))
  }
  if (shape.kind === 'object') walk.fields(step, shape, PROMISE_FIELDS)
  return true
}

function numberless(item: ObjectValue): Value {
  return PROMISE_FIELDS.map((name) => fieldOf(item, name) ?? null)
}

function promised(item: ObjectValue): Promised {
  const value = fieldOf(item, 'value') ?? null
  return { value, unit: textOf(fieldOf(item, 'unit')), valueExt: fieldOf(item, 'valueExt') }
}

function shown({ value, unit }: Promised): Value {
  if (unit === undefined) return value
  return typeof value === 'object' ? { value, unit } : `${value} ${unit}`
}

/** Compares a changed part of DCS’ `servicelevels`, and reports it; false if it has no level. */
export function tellDcsServiceLevel(step: Step, walk: Walk): boolean {
  const [, level = '', part] = step.place
  const { before, after, shape } = step
  if (part === undefined) {
    if (level !== 'retention' || !isObject(before) || !isObject(after)) return false
    return tellRetention(step, walk)
  }
  if (before === undefined || after === undefined || !PARTS.has(part)) return false
  const isMain = ['percentage', 'period', 'threshold', 'interval'].includes(part)
  const name = isMain ? level : part === 'type' ? `${level}type` : part
  const verdict = compareServiceLevels(name, { value: before }, { value: after })
  tell(step, walk, verdict, before, after)
  return shape.kind !== 'nothing'
}

const PARTS = new Set(
  'percentage period threshold interval type cron time responseTime recoveryTime recoveryPoint unlimited'.split(
    ' ',
  ),
)

// Data that is kept without limit is kept longer than for any period.
function tellRetention(step: Step, walk: Walk): boolean {
  const { before, after, shape } = step
  const [one, other] = [retentionOf(before), retentionOf(after)]
  if (one === undefined || other === undefined || shape.kind !== 'object') return false
  if (!isEqual(one, other)) {
    const verdict = compareServiceLevels('retention', { value: one }, { value: other })
    tell(step, walk, verdict, one, other)
    walk.fields(step, shape, ['period', 'unlimited'])
    return true
  }
  return false
}

function retentionOf(value: Value | undefined): Value | undefined {
  return fieldOf(value, 'unlimited') === true ? 'unlimited' : fieldOf(value, 'period')
}

function tell(step: Step, walk: Walk, verdict: Verdict, before: Value, after: Value): void {
  const subject = [step.owner, step.field].filter(Boolean).join(': ')
  walk.tell(step, {
    kind: 'changed',
    level: levelOfVerdict(verdict),
    before,
    after,
    message: changeSentence(subject, before, after, REASONS[verdict]),
  })
}
