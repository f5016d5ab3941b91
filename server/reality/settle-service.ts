import type { SettleReality } from '../platform/reality-change.ts'
import { settleDrift } from './drift/settle-service.ts'
import { judgeTested, settleFreshness } from './freshness/settle-service.ts'
import { settleGrants } from './grants/settle-service.ts'
import { settleIncidents } from './incidents/settle-service.ts'
import { relink } from './links/relink-service.ts'
import { settleSignals, settleTrustAfter } from './trust/change-service.ts'

/** Brings links, and what follows from them, up to date after a change. Each step gets the promises that the step before affected. */
export const settleReality: SettleReality = async (db, clock, change) => {
  if (change.kind === 'signals' || change.kind === 'certifications') {
    await settleSignals(db, clock, change)
    return
  }
  const affected = change.kind === 'tests' ? [] : await relink(db, clock, change)
  if (change.kind !== 'tests') await settleDrift(db, clock, change, affected)
  const judged =
    change.kind === 'tests'
      ? await judgeTested(db, clock, change)
      : await settleFreshness(db, clock, change, affected)
  await settleIncidents(db, clock, change)
  await settleGrants(db, clock, change)
  await settleTrustAfter(db, clock, change, affected, judged)
}
