import type { SettleReality } from '../platform/reality-change.ts'
import { settleDrift } from './drift/settle-service.ts'
import { settleFreshness } from './freshness/service.ts'
import { settleIncidents } from './incidents/settle-service.ts'
import { relink } from './links/relink-service.ts'

/** Brings links, and what follows from them, up to date after a change. Each step gets the promises that the step before affected. */
export const settleReality: SettleReality = async (db, clock, change) => {
  if (change.kind !== 'tests') {
    const affected = await relink(db, clock, change)
    await settleDrift(db, clock, change, affected)
    await settleFreshness(db, clock, change, affected)
  }
  await settleIncidents(db, clock, change)
}
