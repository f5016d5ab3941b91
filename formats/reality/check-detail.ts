// Describes the checks of a test result for people, for every program that sends them: the reason, the measured value with its
// limits, and the rows that failed.

import { ExactNumber, asText, getField, isObject, type Value } from '../text/value.ts'
import { findChecks, readChecks, type ReportedCheck, type SentCheck } from './check-read.ts'
import type { CheckOutcome } from './check-outcome.ts'

/** A check of one test result. */
export interface CheckDetail {
  name: string
  outcome: CheckOutcome
  /** The model and field that it is about, such as `orders.order_id`; null = the whole contract. */
  subject: string | null
  reason: string | null
  /** The measured value with its limits, such as `3 rows; must be 0`; null = not sent. */
  measured: string | null
  /** Its category, dimension and engine. */
  labels: string[]
  /** The numbers of rows that failed, and of all rows; null = not sent. */
  failedCount: number | null
  totalCount: number | null
  /** The members that are null because they may contain data that the reader may not see. */
  hidden: HideableMember[]
}

/** The members that may repeat values of the data. */
export const HIDEABLE_MEMBERS = ['reason', 'measured'] as const

type HideableMember = (typeof HIDEABLE_MEMBERS)[number]

const ORDER: readonly CheckOutcome[] = ['error', 'failed', 'warning']

const NO_CHECK: SentCheck = { check: null, dataName: undefined }

/**
 * Describes the checks of a result, those that did not pass first. `visible` is the result without the data that its reader may
 * not see.
 */
export function listCheckDetails(sent: Value, visible: Value): CheckDetail[] {
  const shown = findChecks(visible) ?? []
  const all = findChecks(sent) ?? []
  const checks = readChecks(all).map((reported, at) => {
    const check = all[at] ?? NO_CHECK
    return describeCheck(check, reported, shown[at] ?? check, at)
  })
  return checks.toSorted((a, b) => getRank(a) - getRank(b))
}

function getRank({ outcome }: CheckDetail): number {
  const rank = ORDER.indexOf(outcome)
  if (rank !== -1) return rank
  return outcome === 'passed' ? ORDER.length + 1 : ORDER.length
}

function describeCheck(
  sent: SentCheck,
  { outcome, name, model, dataName, field }: ReportedCheck,
  visible: SentCheck,
  at: number,
): CheckDetail {
  const { check } = sent
  const names = ['check', 'type', 'key'].map((member) => readText(check, member))
  const place = [model ?? dataName, field].filter((part) => part !== undefined).join('.')
  const labels = ['category', 'dimension', 'engine'].map((member) => readText(check, member))
  const whole = describeData(sent)
  const open = describeData(visible)
  return {
    name: name ?? names.find((one) => one !== undefined) ?? `Check ${at + 1}`,
    outcome,
    subject: (place === '' ? readText(check, 'path') : place) ?? null,
    ...open,
    labels: [...new Set(labels)].filter((label) => label !== undefined),
    ...countRows(check),
    hidden: HIDEABLE_MEMBERS.filter((member) => whole[member] !== null && open[member] === null),
  }
}

function describeData(sent: SentCheck): Pick<CheckDetail, HideableMember> {
  const { check } = sent
  const texts = ['reason', 'message', 'details'].map((member) => readText(check, member))
  const reason = texts.find((text) => text !== undefined) ?? findException(check)
  return { reason: reason ?? null, measured: describeMeasure(sent) ?? null }
}

// Great Expectations: one exception, or one for each metric.
function findException(check: Value): string | undefined {
  const info = getField(check, 'exception_info')
  const infos = [info, ...(isObject(info) ? Object.values(info) : [])]
  return infos
    .map((one) => readText(one, 'exception_message'))
    .find((message) => message !== undefined)
}

function describeMeasure({ check }: SentCheck): string | undefined {
  const diagnostics = getField(check, 'diagnostics')
  const values = [
    getField(check, 'value'),
    getField(diagnostics, 'value'),
    getField(getField(check, 'result'), 'observed_value'),
  ]
  const value = values.map(toScalar).find((one) => one !== undefined)
  if (value === undefined) return undefined
  const measured = [value, readText(check, 'unit')].filter((part) => part !== undefined).join(' ')
  const threshold = readText(diagnostics, 'threshold')
  const limits = [
    ...(threshold === undefined ? [] : [`expected ${threshold}`]),
    ...listLimits(getField(check, 'threshold')),
    ...listLimits(getField(diagnostics, 'fail')).map((limit) => `fails if ${limit}`),
    ...listLimits(getField(diagnostics, 'warn')).map((limit) => `warns if ${limit}`),
    ...listBounds(getField(getField(check, 'expectation_config') ?? check, 'kwargs')),
  ]
  return [measured, ...limits].join('; ')
}

/** Writes operators and their bounds in words: `mustBeBetween` 1 and 5 is `must be between 1 and 5`. */
function listLimits(limits: Value | undefined): string[] {
  if (!isObject(limits)) return []
  return Object.entries(limits).flatMap(([operator, bound]) => {
    const bounds = (Array.isArray(bound) ? bound : [bound]).map(toScalar)
    if (bounds.includes(undefined)) return []
    const words = operator.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    return [`${words} ${bounds.join(' and ')}`]
  })
}

const BOUNDS = [
  ['value', 'expected'],
  ['min_value', 'at least'],
  ['max_value', 'at most'],
] as const

function listBounds(kwargs: Value | undefined): string[] {
  return BOUNDS.flatMap(([member, words]) => {
    const bound = toScalar(getField(kwargs, member))
    return bound === undefined ? [] : [`${words} ${bound}`]
  })
}

// The members of clients of the API, of Great Expectations, of dbt, of datacontract-cli, and of Soda.
function countRows(check: Value): Pick<CheckDetail, 'failedCount' | 'totalCount'> {
  const result = getField(check, 'result')
  const diagnostics = getField(check, 'diagnostics')
  const soda = getField(diagnostics, 'v4')
  return {
    failedCount:
      readCount(check, 'failedNumber') ??
      readCount(result, 'unexpected_count') ??
      readCount(check, 'failures') ??
      readCount(diagnostics, 'failed_rows') ??
      readCount(soda, 'failedRowsCount'),
    totalCount:
      readCount(check, 'totalNumber') ??
      readCount(result, 'element_count') ??
      readCount(diagnostics, 'row_count') ??
      readCount(soda, 'checkRowsTested'),
  }
}

function readCount(value: Value | undefined, member: string): number | null {
  const count = getField(value, member)
  return typeof count === 'number' ? count : null
}

function readText(value: Value | undefined, member: string): string | undefined {
  const text = asText(getField(value, member))
  return text === undefined || text.trim() === '' ? undefined : text
}

function toScalar(value: Value | undefined): string | undefined {
  if (value instanceof ExactNumber) return value.text
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
