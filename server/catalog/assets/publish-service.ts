import type { Clock } from '../../platform/kit/clock.ts'
import { planForSets } from '../../platform/kit/planning.ts'
import type { Database } from '../../platform/tables.ts'
import { isHeldByGuard, type ChangeCounts, type Publication, type ScopeVerdicts } from './change.ts'
import * as deletes from './delete-store.ts'
import * as store from './publish-store.ts'
import { writeStatistics } from './statistic-store.ts'
import * as renames from './rename-store.ts'
import { writeSourceVersions } from './live-store.ts'

/** The plan of a publication, without the staged assets. */
interface PublicationPlan {
  scopes: ScopeVerdicts
  /**
   * Whether the settings include an asset, by native path and kind: excluded assets are not gone.
   */
  isIncluded: (path: readonly string[], kind: string) => boolean
  /** Whether the source may only hide an asset, by its native path as a JSON list: it is not proven to be gone. */
  isUnproven: (path: string) => boolean
  /** Throws if the publication must stop because it was cancelled; it is then rolled back. */
  proceed: () => void
  /** Only plans: the change set contains what would be done. */
  isPreview: boolean
}

/**
 * Publishes the staged assets of a claim: creates, updates, deletes and events, and stores the
 * change set. Runs in the caller's transaction, which makes it atomic for readers. Deletes require
 * a scope that proves them, are held if they are too many at once, and never affect excluded
 * assets.
 */
export async function publishStaged(
  db: Database,
  clock: Clock,
  publication: Publication,
  plan: PublicationPlan,
): Promise<ChangeCounts> {
  await planForSets(db)
  await renames.deferPaths(db)
  await renames.resolveRenamed(db, publication)
  await renames.resolveTakenIds(db, publication)
  plan.proceed()
  await store.lockChanging(db, publication)
  await store.planWrites(db, publication)
  plan.proceed()
  await planDeletes(db, publication, plan)
  if (!plan.isPreview) {
    let lastId: string | undefined = ''
    while (lastId !== undefined) {
      plan.proceed()
      lastId = await store.writePlanned(db, clock, publication, lastId)
    }
    await renames.refreshSourceIds(db, publication)
    await writeStatistics(db, clock, publication)
    await writeSourceVersions(db, clock, publication)
    plan.proceed()
    await deletes.deletePlanned(db, clock, publication)
  }
  const counts = await countChanges(db, publication.organizationId, publication.runId)
  if (!plan.isPreview && counts.created >= ANALYZED_CHANGES_MIN) {
    // What follows looks assets up: without statistics, each look-up could read all of them.
    if (await store.hasOutgrownStatistics(db, counts.created)) await store.analyzeAssets(db)
  }
  const isCounted = !plan.isPreview && counts.updated > 0 && counts.updated <= MOVES_COUNTED_MAX
  return isCounted ? { ...counts, moved: await store.countMoved(db, publication) } : counts
}

async function planDeletes(
  db: Database,
  publication: Publication,
  { scopes, isIncluded, isUnproven }: PublicationPlan,
): Promise<void> {
  await deletes.planDeletes(db, publication, scopes)
  let page = await deletes.listPlannedDeletes(db, publication, '')
  while (page.length > 0) {
    const left = page
      .filter(({ path, kind }) => !isIncluded(parsePath(path), kind))
      .map(({ id }) => id)
    if (left.length > 0) await deletes.holdDeletes(db, publication, 'filter', left)
    const unproven = page.filter(({ path }) => isUnproven(path)).map(({ id }) => id)
    if (unproven.length > 0) await deletes.holdDeletes(db, publication, 'unproven', unproven)
    page = await deletes.listPlannedDeletes(db, publication, page.at(-1)?.id ?? '')
  }
  if (isHeldByGuard(await deletes.measureDeletes(db, publication))) {
    await deletes.holdDeletes(db, publication, 'brake')
  }
}

/**
 * The maximum number of updates that are compared with their earlier versions: a publication should
 * not wait long.
 */
const MOVES_COUNTED_MAX = 20_000

/** The number of changes from which the asset table is analyzed. */
const ANALYZED_CHANGES_MIN = 1000

/**
 * Analyzes the asset table after a large publication was committed, because its statistics are
 * outdated.
 */
export async function settleStatistics(
  db: Database,
  { created, updated, deleted }: ChangeCounts,
): Promise<void> {
  if (created + updated + deleted >= ANALYZED_CHANGES_MIN) await store.analyzeAssets(db)
}

/** Counts the change set of a run. A revived asset counts as created. */
export async function countChanges(
  db: Database,
  organizationId: string,
  runId: string,
): Promise<ChangeCounts> {
  const rows = await deletes.countChanges(db, organizationId, runId)
  const count = (isCounted: (row: (typeof rows)[number]) => boolean): number =>
    rows.filter(isCounted).reduce((total, row) => total + row.count, 0)
  return {
    created: count(({ action }) => action === 'created' || action === 'revived'),
    updated: count(({ action }) => action === 'updated'),
    deleted: count(({ action, because }) => action === 'deleted' && because === null),
    heldByGuard: count(({ because }) => because === 'brake'),
    heldByFilter: count(({ because }) => because === 'filter'),
    heldUnproven: count(({ because }) => because === 'unproven'),
  }
}

function parsePath(text: string): string[] {
  const path: unknown = JSON.parse(text)
  return Array.isArray(path) ? path.map(String) : []
}
