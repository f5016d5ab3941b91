/** The checks of `portbook verify` about links and findings. */

import type { Database } from '../server/platform/tables.ts'
import { withSnapshot } from '../server/transfer/verify.ts'
import { DRIFT_CHECK } from '../server/transfer/verify/drift.ts'
import { LINK_CHECK, PROMISE_CHECK } from '../server/transfer/verify/promises.ts'

/** Lists what does not follow from the documents and assets of a database. */
export async function verifyReality(db: Database): Promise<string[]> {
  return await withSnapshot(db, async (run, snapshot) => {
    const texts: string[] = []
    for (const check of [PROMISE_CHECK, LINK_CHECK, DRIFT_CHECK]) {
      for await (const { text } of check.findings(run, snapshot)) texts.push(text)
    }
    return texts
  })
}
