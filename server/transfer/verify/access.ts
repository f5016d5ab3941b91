import type { Database } from '../../platform/tables.ts'
import { RESTORE, type Check, type Rule } from './check.ts'

const ACCESS_RULE: Rule = {
  name: 'open findings of access are the deviations of grants from agreements',
  repair: `run "update grant_reading set compared_at = null" on its database: Portbook compares again within minutes. If it stays, ${RESTORE}`,
}

/** Creates the check of the findings of access from a function that compares grants with agreements again. */
export function newAccessCheck(listViolations: (db: Database) => AsyncIterable<string>): Check {
  return {
    rules: [ACCESS_RULE],
    async *findings(_, db) {
      for await (const text of listViolations(db)) yield { rule: ACCESS_RULE, text }
    },
  }
}
