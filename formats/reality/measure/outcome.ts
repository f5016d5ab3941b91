// Judges planned checks by what was measured, and writes the result as datacontract-cli sends it. Its messages have the
// words of the contract, counts, and one instant: never a value of the table.

import { getWorstOutcome, type CheckOutcome } from '../check-outcome.ts'
import type { MeasureAnswer, MeasureFailure } from './measure.ts'
import { ROWS_MAX, STATEMENT_MS_MAX } from './measure.ts'
import type { PlannedCheck, TablePlan } from './plan.ts'
import { describeThreshold, passesThreshold } from './threshold.ts'

/** A judged check, as it is in a result. */
interface JudgedCheck {
  key: string
  category: string
  type: string
  name: string
  result: CheckOutcome
  engine: 'portbook'
  model: string
  field?: string
  reason?: string
  dimension?: string
  diagnostics?: Record<string, number | string>
  qualityId?: string
  qualityDefinition?: string
  failedNumber?: number
  totalNumber?: number
}

/** The plan of a table, and its answer; undefined = nothing was measured. */
interface MeasuredPlan {
  plan: TablePlan
  answer: MeasureAnswer | undefined
}

/** The members of a result beside its checks. */
interface ResultHead {
  id: string
  contractId: string
  contractVersion: string | undefined
  server: string
  startedAt: string
  endedAt: string
}

/** Writes the result of a test as JSON. */
export function writeTestResult(tables: readonly MeasuredPlan[], head: ResultHead): string {
  const nowMs = Date.parse(head.endedAt)
  const checks = tables.flatMap(({ plan, answer }) =>
    plan.checks.map((check) => judge(check, answer, nowMs)),
  )
  const logs = tables.flatMap(({ plan, answer }) =>
    answer === undefined || !('failure' in answer)
      ? []
      : [
          {
            level: 'WARN',
            message: `${plan.model}: ${FAILURES[answer.failure]}`,
            timestamp: head.endedAt,
          },
        ],
  )
  return JSON.stringify({
    id: head.id,
    runId: head.id,
    dataContractId: head.contractId,
    dataContractVersion: head.contractVersion,
    server: head.server,
    timestampStart: head.startedAt,
    timestampEnd: head.endedAt,
    result: getWorstOutcome(checks.map(({ result }) => result)),
    checks,
    logs,
  })
}

function judge(check: PlannedCheck, answer: MeasureAnswer | undefined, nowMs: number): JudgedCheck {
  const { key, category, type, name, table, field, id, definition, dimension } = check
  return {
    key,
    category,
    type,
    name,
    engine: 'portbook',
    model: table,
    ...(field !== undefined && { field }),
    ...(dimension !== undefined && { dimension }),
    ...(id !== undefined && { qualityId: id }),
    ...(definition !== undefined && { qualityDefinition: definition }),
    ...judgeTest(check, answer, nowMs),
  }
}

type Judgement = Pick<
  JudgedCheck,
  'result' | 'reason' | 'diagnostics' | 'failedNumber' | 'totalNumber'
>

function judgeTest(
  { test, field, table }: PlannedCheck,
  answer: MeasureAnswer | undefined,
  nowMs: number,
): Judgement {
  if (test.kind === 'none') return { result: 'skipped', reason: `Not tested: ${test.reason}.` }
  if (answer === undefined)
    return { result: 'skipped', reason: 'Not tested: the time was used up.' }
  if ('failure' in answer) return { result: 'error', reason: FAILURES[answer.failure] }
  if (test.kind === 'age') return judgeAge(test.seconds, answer.newestMs, nowMs)
  const { rowCount, counts } = answer
  const value = test.at === undefined ? rowCount : (counts[test.at] ?? Number.NaN)
  // As datacontract-cli, an empty table has 0 %.
  const percent = rowCount === 0 ? 0 : Math.round((value / rowCount) * 1e8) / 1e6
  const actual = test.isPercent ? percent : value
  const isPassed = passesThreshold(test.threshold, actual)
  const unit = test.isPercent ? ' %' : ''
  const expected = `${describeThreshold(test.threshold)}${unit}`
  const isShare = test.at !== undefined
  return {
    result: isPassed ? 'passed' : test.isWarning ? 'warning' : 'failed',
    ...(isPassed ? {} : { reason: `${field ?? table}: ${actual}${unit}, expected ${expected}.` }),
    diagnostics: {
      value,
      row_count: rowCount,
      threshold: expected,
      ...(test.isPercent && { percent, unit: 'percent' }),
    },
    ...(isShare && { failedNumber: value, totalNumber: rowCount }),
  }
}

function judgeAge(seconds: number, newestMs: number | null, nowMs: number): Judgement {
  const threshold = { threshold_seconds: seconds }
  if (newestMs === null) {
    return { result: 'failed', reason: 'The column has no value.', diagnostics: threshold }
  }
  const ageSeconds = Math.floor((nowMs - newestMs) / 1000)
  const isPassed = ageSeconds < seconds
  return {
    result: isPassed ? 'passed' : 'failed',
    ...(isPassed
      ? {}
      : { reason: `The newest value is ${ageSeconds} s old, expected less than ${seconds} s.` }),
    diagnostics: {
      ...threshold,
      age_seconds: ageSeconds,
      latest_timestamp: new Date(newestMs).toISOString(),
    },
  }
}

const FAILURES: Readonly<Record<MeasureFailure, string>> = {
  denied: 'The account for tests may not read the table or one of its columns.',
  missing: 'The source does not have the table or one of its columns. Run the integration again.',
  locked: 'Another program has locked the table. Test again later.',
  too_slow: `The source took more than ${STATEMENT_MS_MAX / 1000} seconds for the table.`,
  too_many_rows: `The table has more than ${ROWS_MAX / 1_000_000} million rows, by the estimate of its source.`,
  unestimated:
    'The source does not estimate the rows of the table. For a view of MySQL, grant SHOW VIEW.',
  rejected: 'The source rejected the statement that counts.',
  not_offered: 'Portbook does not count in tables of the product behind this connection.',
  unreadable: 'The source returned something that is not a count.',
  lost: 'The connection to the source was lost.',
}
