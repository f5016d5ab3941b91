import { lockReality } from '../../ledger/promises/lock.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { disableCompilation } from '../../platform/kit/planning.ts'
import type { RealityChange } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import { hasPromises, listAffected } from './affected-store.ts'
import { writeLinks } from './decision-store.ts'
import type { AffectedPromise } from './link.ts'

/** The maximum number of promises that one statement links. */
const LINKED_AT_ONCE = 5000

/**
 * Decides again about the links that a change may affect, in its transaction. Returns the promises whose comparison with an
 * asset may have another result now, sorted by key: all that the change touches, also if the link stays.
 */
export async function relink(
  db: Database,
  clock: Clock,
  change: RealityChange,
): Promise<AffectedPromise[]> {
  const { organizationId } = change
  const isOfAssets = change.kind === 'assets' || change.kind === 'run'
  if (change.kind === 'products' && change.namingContracts.length === 0) return []
  if (isOfAssets) {
    await lockReality(db, organizationId, 'shared')
    // A statement later, because only a statement after the lock sees the promises that were written while it waited.
    if (!(await hasPromises(db, organizationId))) return []
  }
  const keys = await listAffected(db, change, isOfAssets)
  if (keys.length === 0) return []
  await disableCompilation(db)
  const scope = { organizationId, runId: change.kind === 'run' ? change.runId : null }
  const affected: AffectedPromise[] = []
  for (let at = 0; at < keys.length; at += LINKED_AT_ONCE) {
    const page = keys.slice(at, at + LINKED_AT_ONCE)
    for (const promise of await writeLinks(db, clock, scope, page)) affected.push(promise)
  }
  return affected
}
