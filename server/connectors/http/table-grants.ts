import {
  attemptReading,
  toGrantBatches,
  toOutcomeBatches,
  toUnreadOutcome,
  toWholeOutcome,
} from '../access.ts'
import { SourceFailure, type AssetPlace } from '../connector.ts'
import type { GrantBatch, GrantOutcome, SourceGrant } from '../grant.ts'
import { mapConcurrently } from './parallel.ts'

/** The number of tables that are read before they are reported. */
const TABLES_AT_ONCE = 200

/** The grants on a table. */
interface TableGrants {
  grants: readonly SourceGrant[]
  /** Why others may have access nevertheless; absent = they are complete. */
  message?: string | undefined
}

/**
 * Reads the grants on tables of platforms that answer for one table at a time. A table that cannot be read leaves the others
 * readable. Errors: SourceFailure for all of them.
 */
export async function* readTableGrants(
  tables: readonly AssetPlace[],
  read: (table: AssetPlace) => Promise<TableGrants>,
): AsyncGenerator<GrantBatch> {
  for (let at = 0; at < tables.length; at += TABLES_AT_ONCE) {
    const part = tables.slice(at, at + TABLES_AT_ONCE)
    const results = await mapConcurrently(part, async (table) => ({
      path: table.path,
      result: await attemptReading(() => read(table)),
    }))
    const outcomes: GrantOutcome[] = []
    for (const { path, result } of results) {
      if (result instanceof SourceFailure) {
        outcomes.push(toUnreadOutcome(path, result))
        continue
      }
      yield* toGrantBatches(result.grants)
      outcomes.push(toWholeOutcome(path, result.message))
    }
    yield* toOutcomeBatches(outcomes)
  }
}
