import { CompiledQuery } from 'kysely'
import type { Database } from '../tables.ts'
import type { RunQuery } from './cursor.ts'
import type { Check } from './verify/check.ts'
import { DOCUMENT_CHECK } from './verify/documents.ts'
import { FEED_CHECKS } from './verify/feed.ts'
import { HISTORY_CHECKS } from './verify/history.ts'
import { KEY_CHECKS } from './verify/keys.ts'
import { INDEX_CHECKS } from './verify/search-index.ts'
import { VERSION_CHECK } from './verify/versions.ts'

const CHECKS: readonly Check[] = [
  ...HISTORY_CHECKS,
  ...FEED_CHECKS,
  ...INDEX_CHECKS,
  ...KEY_CHECKS,
  DOCUMENT_CHECK,
  VERSION_CHECK,
]

const FINDINGS_SHOWN_MAX = 20

/** A rule and what breaks it; a sound store has no findings. */
export interface Verdict {
  rule: string
  /** What the operator can do. */
  repair: string
  /** The first findings, in plain words. */
  findings: string[]
  /** The number of all findings. */
  count: number
}

/**
 * Checks a store, as of one moment: that its tables agree, and that every document and every version
 * means what is stored beside it. Memory does not grow with the store. Each verdict is also reported as
 * soon as it is known.
 */
export async function verifyStore(
  db: Database,
  report: (verdict: Verdict) => void = () => undefined,
): Promise<Verdict[]> {
  return await db.transaction().execute(async (transaction) => {
    const run: RunQuery = async <Row extends object>(statement: string): Promise<Row[]> =>
      (await transaction.executeQuery<Row>(CompiledQuery.raw(statement))).rows
    await run('set transaction isolation level repeatable read, read only')
    const verdicts: Verdict[] = []
    for (const check of CHECKS) {
      for (const verdict of await examine(run, check)) {
        verdicts.push(verdict)
        report(verdict)
      }
    }
    return verdicts
  })
}

async function examine(run: RunQuery, check: Check): Promise<Verdict[]> {
  const verdicts = check.rules.map(({ name: rule, repair }): Verdict => {
    return { rule, repair, findings: [], count: 0 }
  })
  for await (const { rule, text } of check.findings(run)) {
    const verdict = verdicts.find((one) => one.rule === rule.name)
    if (verdict === undefined) throw new Error(`the check does not declare the rule ${rule.name}`)
    verdict.count += 1
    if (verdict.findings.length < FINDINGS_SHOWN_MAX) verdict.findings.push(text)
  }
  return verdicts
}
