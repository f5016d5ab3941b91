// Determines whether a service level was raised or lowered. Higher is better for some (availability, retention),
// lower for others (latency). Values that cannot be parsed count as lowered, because consumers may get less.

import { getField, isObject, type ObjectValue, asText, type Value } from '../text/value.ts'
import { type Measure, readMeasure } from './duration.ts'
import { toLevel, type Verdict } from './model-changes.ts'
import { changeSentence } from './sentence.ts'
import type { Step, Walk } from './walk.ts'

// Normalized names of service levels, and whether more or later (1) or less or sooner (-1) is better.
const DIRECTIONS: ReadonlyMap<string, 1 | -1> = new Map<string, 1 | -1>([
  ...listDirections(1, 'availability generalavailability uptime retention throughput'),
  ...listDirections(1, 'completeness accuracy coverage consistency conformity uniqueness validity'),
  ...listDirections(1, 'endofsupport endoflife'),
  ...listDirections(
    -1,
    'latency freshness frequency interval backup timeliness timeofavailability',
  ),
  ...listDirections(-1, 'responsetime supportresponsetime recoverytime recoverypoint'),
  ...listDirections(-1, 'backuprecoverytime backuprecoverypoint backupinterval backupfrequency'),
  ...listDirections(-1, 'timetodetect timetonotify timetorepair errorrate downtime'),
])

// Ratios of the data or of the time, even without a unit.
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

/** A promise about the service. */
export interface ServicePromise {
  value: Value
  unit?: string | undefined
  /** The upper end if the promise is a range. */
  valueExt?: Value | undefined
}

function listDirections(direction: 1 | -1, names: string): [string, 1 | -1][] {
  return names.split(' ').map((name) => [name, direction])
}

/** Compares two promises with the same property (`retention`): `narrower` promises more. */
export function compareServiceLevels(
  property: string,
  before: ServicePromise,
  after: ServicePromise,
): Verdict {
  const name = property.toLowerCase().replaceAll(/[^a-z]/g, '')
  const [one, other] = [toMeasure(name, before), toMeasure(name, after)]
  if (isEqual(before.valueExt, after.valueExt) && isSameMeasure(one, other)) return 'same'
  const direction = getDirection(name, one)
  if (one === undefined || other === undefined || direction === undefined) return 'different'
  if (one.of !== other.of || !isEqual(before.valueExt, after.valueExt)) return 'different'
  return (other.amount - one.amount) * direction > 0 ? 'narrower' : 'wider'
}

function isSameMeasure(a: Measure | undefined, b: Measure | undefined): boolean {
  if (a === undefined || b === undefined) return false
  if (a.utc !== undefined && a.utc === b.utc) return true
  return a.of === b.of && a.amount === b.amount
}

function isEqual(a: Value | undefined, b: Value | undefined): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}

function toMeasure(name: string, { value, unit }: ServicePromise): Measure | undefined {
  const rank = name === 'frequencytype' ? DELIVERIES.indexOf(asText(value) ?? '') : -1
  if (rank >= 0) return { of: 'delivery', amount: rank }
  const measure = readMeasure(value, unit)
  return measure?.of === '' && SHARES.has(name) ? { ...measure, of: 'percent' } : measure
}

function getDirection(name: string, measure: Measure | undefined): 1 | -1 | undefined {
  if (measure?.of === 'delivery') return 1
  // For the day from which the data is available, sooner is better.
  if (name === 'generalavailability' && measure?.of === 'instant') return -1
  return DIRECTIONS.get(name)
}

const PROMISE_FIELDS = ['property', 'value', 'valueExt', 'unit']

/** Compares a changed member of ODCS’ `slaProperties` and reports its changes. */
export function reportServiceLevel(step: Step, walk: Walk): boolean {
  const { before, after, shape } = step
  const property = asText(getField(after, 'property'))
  if (!isObject(before) || !isObject(after) || property === undefined) return false
  const [one, other] = [toServiceLevel(before), toServiceLevel(after)]
  if (!isEqual(pickPromise(before), pickPromise(after))) {
    const verdict = compareServiceLevels(property, one, other)
    report(step, walk, verdict, toDisplayValue(one), toDisplayValue(other))
  }
  if (shape.kind === 'object') walk.fields(step, shape, PROMISE_FIELDS)
  return true
}

function pickPromise(item: ObjectValue): Value {
  return PROMISE_FIELDS.map((name) => getField(item, name) ?? null)
}

function toServiceLevel(item: ObjectValue): ServicePromise {
  const value = getField(item, 'value') ?? null
  return { value, unit: asText(getField(item, 'unit')), valueExt: getField(item, 'valueExt') }
}

function toDisplayValue({ value, unit }: ServicePromise): Value {
  if (unit === undefined) return value
  return typeof value === 'object' ? { value, unit } : `${value} ${unit}`
}

/**
 * Compares a changed part of DCS’ `servicelevels` and reports its changes; returns false if the part defines no
 * level.
 */
export function reportDcsServiceLevel(step: Step, walk: Walk): boolean {
  const [, level = '', part] = step.place
  const { before, after, shape } = step
  if (part === undefined) {
    if (level !== 'retention' || !isObject(before) || !isObject(after)) return false
    return reportRetention(step, walk)
  }
  if (before === undefined || after === undefined || !PARTS.has(part)) return false
  const isMain = ['percentage', 'period', 'threshold', 'interval'].includes(part)
  const name = isMain ? level : part === 'type' ? `${level}type` : part
  const verdict = compareServiceLevels(name, { value: before }, { value: after })
  report(step, walk, verdict, before, after)
  return shape.kind !== 'nothing'
}

const PARTS = new Set(
  'percentage period threshold interval type cron time responseTime recoveryTime recoveryPoint unlimited'.split(
    ' ',
  ),
)

// Unlimited retention is longer than any period.
function reportRetention(step: Step, walk: Walk): boolean {
  const { before, after, shape } = step
  const [one, other] = [getRetention(before), getRetention(after)]
  if (one === undefined || other === undefined || shape.kind !== 'object') return false
  if (!isEqual(one, other)) {
    const verdict = compareServiceLevels('retention', { value: one }, { value: other })
    report(step, walk, verdict, one, other)
    walk.fields(step, shape, ['period', 'unlimited'])
    return true
  }
  return false
}

function getRetention(value: Value | undefined): Value | undefined {
  return getField(value, 'unlimited') === true ? 'unlimited' : getField(value, 'period')
}

function report(step: Step, walk: Walk, verdict: Verdict, before: Value, after: Value): void {
  const subject = [step.owner, step.field].filter(Boolean).join(': ')
  walk.report(step, {
    kind: 'changed',
    level: toLevel(verdict),
    before,
    after,
    message: changeSentence(subject, before, after, REASONS[verdict]),
  })
}
