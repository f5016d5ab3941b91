import { CompiledQuery } from 'kysely'
import { planForWholeTables } from '../platform/kit/planning.ts'
import type { Database } from '../platform/tables.ts'
import type { RunQuery } from './cursor.ts'
import type { Check } from './verify/check.ts'
import { AGREEMENT_PARTY_CHECKS, AGREEMENT_CHECK } from './verify/agreements.ts'
import { ACTIVITY_CHECK } from './verify/activity.ts'
import { DRIFT_CHECK } from './verify/drift.ts'
import { DELIVERY_CHECK, FEED_CHECKS } from './verify/feed.ts'
import { DOCUMENT_CHECK, INDEX_CHECK } from './verify/documents.ts'
import { GROUP_CHECKS } from './verify/mappings.ts'
import { HISTORY_CHECKS, VERSION_CHECK } from './verify/history.ts'
import { KEY_CHECKS } from './verify/keys.ts'
import {
  LINEAGE_EVENT_CHECK,
  TEST_RESULT_CHECK,
  USAGE_DAY_CHECK,
  USAGE_MONTH_CHECK,
} from './verify/reports.ts'
import { PEOPLE_CHECK } from './verify/people.ts'
import { PLAIN_RECORD_CHECK } from './verify/plain-records.ts'
import { LINK_CHECK, PROMISE_CHECK } from './verify/promises.ts'

/** Every check of a database. */
export const CHECKS: readonly Check[] = [
  ...HISTORY_CHECKS,
  ...FEED_CHECKS,
  ACTIVITY_CHECK,
  PEOPLE_CHECK,
  ...GROUP_CHECKS,
  INDEX_CHECK,
  ...KEY_CHECKS,
  LINEAGE_EVENT_CHECK,
  TEST_RESULT_CHECK,
  DELIVERY_CHECK,
  DRIFT_CHECK,
  USAGE_DAY_CHECK,
  USAGE_MONTH_CHECK,
  DOCUMENT_CHECK,
  PLAIN_RECORD_CHECK,
  PROMISE_CHECK,
  LINK_CHECK,
  VERSION_CHECK,
  AGREEMENT_CHECK,
  ...AGREEMENT_PARTY_CHECKS,
]

const FINDINGS_SHOWN_MAX = 20

/** A rule and its violations; a consistent database has no findings. */
export interface RuleResult {
  rule: string
  /** The action for the operator. */
  repair: string
  /** The first findings, as sentences. */
  findings: string[]
  /** The number of all findings. */
  count: number
}

/**
 * Checks a consistent snapshot of a database: that its tables agree, and that the columns derived from each document
 * and version match its text. Memory does not grow with the database. Each result is also reported as soon as it is
 * available.
 */
export async function verifyStore(
  db: Database,
  report: (result: RuleResult) => void = () => undefined,
  checks: readonly Check[] = CHECKS,
): Promise<RuleResult[]> {
  return await withSnapshot(db, async (run, snapshot) => {
    const results: RuleResult[] = []
    for (const check of checks) {
      for (const result of await examine(run, snapshot, check)) {
        results.push(result)
        report(result)
      }
    }
    return results
  })
}

/** Runs work on a consistent snapshot of a database, which it cannot change. */
export async function withSnapshot<T>(
  db: Database,
  work: (run: RunQuery, snapshot: Database) => Promise<T>,
): Promise<T> {
  return await db.transaction().execute(async (transaction) => {
    const run: RunQuery = async <Row extends object>(
      statement: string,
      parameters?: readonly unknown[],
    ): Promise<Row[]> =>
      (await transaction.executeQuery<Row>(CompiledQuery.raw(statement, [...(parameters ?? [])])))
        .rows
    await run('set transaction isolation level repeatable read, read only')
    await planForWholeTables(transaction)
    return await work(run, transaction)
  })
}

async function examine(run: RunQuery, snapshot: Database, check: Check): Promise<RuleResult[]> {
  const results = check.rules.map(({ name: rule, repair }): RuleResult => {
    return { rule, repair, findings: [], count: 0 }
  })
  for await (const { rule, text } of check.findings(run, snapshot)) {
    const result = results.find((one) => one.rule === rule.name)
    if (result === undefined) throw new Error(`undeclared rule: ${rule.name}`)
    result.count += 1
    if (result.findings.length < FINDINGS_SHOWN_MAX) result.findings.push(text)
  }
  return results
}
