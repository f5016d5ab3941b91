/** The checks of `portbook verify` about promises: links, findings, freshness, signals of trust and grants. */

import type { Database } from '../server/platform/tables.ts'
import { listOutdatedFreshness } from '../server/reality/freshness/settle-service.ts'
import { listViolations } from '../server/reality/grants/verify-service.ts'
import { judgeResources } from '../server/reality/trust/settle-service.ts'
import { withSnapshot } from '../server/transfer/verify.ts'
import { newAccessCheck } from '../server/transfer/verify/access.ts'
import type { Check } from '../server/transfer/verify/check.ts'
import { DRIFT_CHECK } from '../server/transfer/verify/drift.ts'
import { LINK_CHECK, PROMISE_CHECK } from '../server/transfer/verify/promises.ts'
import { newFreshnessCheck, newTrustCheck } from '../server/transfer/verify/trust.ts'

/** Every check of what follows from promises. */
export const REALITY_CHECKS: readonly Check[] = [
  PROMISE_CHECK,
  LINK_CHECK,
  DRIFT_CHECK,
  newFreshnessCheck(listOutdatedFreshness),
  newTrustCheck(judgeResources),
  newAccessCheck(listViolations),
]

/** Lists what does not follow from the documents and assets of a database. */
export async function verifyReality(db: Database): Promise<string[]> {
  return await withSnapshot(db, async (run, snapshot) => {
    const texts: string[] = []
    for (const check of REALITY_CHECKS) {
      for await (const { text } of check.findings(run, snapshot)) texts.push(text)
    }
    return texts
  })
}
