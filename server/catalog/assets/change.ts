/**
 * A run publishes a change set: the assets of its integration that it created, updated and deleted,
 * each with the versions before and after, and the deletes that it held.
 */

/** The kind of a change. A revived asset was deleted and is in its source again. */
type ChangeAction = 'created' | 'updated' | 'deleted' | 'revived'

/**
 * The reason why a delete is held: too many at once (`brake`), the source still has the asset and the
 * filters no longer include it (`filter`), or the source may only hide it (`unproven`).
 */
export type HoldReason = 'brake' | 'filter' | 'unproven'

/** A publication: the integration, the run, and the principal of its events. */
export interface Publication {
  organizationId: string
  integrationId: string
  runId: string
  /** The fence of the claim whose staged assets are published. */
  fence: number
  principal: string
  /** The connector's name, which is the assets' source. */
  source: string
  /** Identifies how assets with versions were read. */
  reading: string
}

/** Scopes that justify deletes, each as a native path in a JSON list. */
export interface ScopeVerdicts {
  /**
   * Unseen assets of these scopes are gone: the scopes were read completely, or are missing for
   * longer than the grace period.
   */
  proven: readonly string[]
  /** Scopes that the filters exclude. */
  filtered: readonly string[]
}

/** A change in a change set, for people. */
export interface AssetChange {
  assetId: string
  action: ChangeAction
  heldBecause: HoldReason | null
  /** Native paths; null = the asset did not exist before, or does not exist after. */
  pathBefore: string[] | null
  pathAfter: string[] | null
  versionBefore: number | null
  versionAfter: number | null
}

/** The size of a change set. */
export interface ChangeCounts {
  created: number
  updated: number
  /** Updates that changed only the host and port of the source; absent = not counted. */
  moved?: number
  deleted: number
  heldByGuard: number
  heldByFilter: number
  heldUnproven: number
}

/** Returns the number of held deletes. */
export function countHeld({ heldByGuard, heldByFilter, heldUnproven }: ChangeCounts): number {
  return heldByGuard + heldByFilter + heldUnproven
}

/** Formats the counts: `31 created, 2 updated, 0 deleted, 25 held`. */
export function countsText(counts: ChangeCounts): string {
  const { created, updated, deleted } = counts
  const held = countHeld(counts)
  return `${created} created, ${updated} updated, ${deleted} deleted, ${held} held`
}

/**
 * The delete guard holds the deletes of a run when any of its rules applies. A lost privilege or a wrong
 * database looks like a source whose tables were dropped, so losing many tables needs a confirmation.
 */
const DELETE_GUARD = {
  /** A large share of a large catalog: more than this many assets and more than this share of them. */
  deletesMin: 50,
  deletedShare: 0.2,
  /** Most of a small catalog: more than this share of at least this many tables. */
  tablesMin: 10,
  deletedTablesShare: 0.5,
  /** A whole scope with more than this many tables. */
  scopeTablesMax: 20,
} as const

/** The assets of an integration that a run would delete, and how many it has. */
export interface DeleteExtent {
  deleted: number
  /** Live assets, including those to delete. */
  live: number
  deletedTables: number
  /** Live assets that are not containers, including those to delete. */
  liveTables: number
  /** The number of tables of the largest scope that loses all of them. */
  largestWholeScope: number
}

/** Checks whether the delete guard holds these deletes until a person confirms them. */
export function isHeldByGuard(extent: DeleteExtent): boolean {
  const { deleted, live, deletedTables, liveTables, largestWholeScope } = extent
  const isLargeShare =
    deleted > DELETE_GUARD.deletesMin && deleted > live * DELETE_GUARD.deletedShare
  const isMostOfSmall =
    liveTables >= DELETE_GUARD.tablesMin &&
    deletedTables > liveTables * DELETE_GUARD.deletedTablesShare
  return isLargeShare || isMostOfSmall || largestWholeScope > DELETE_GUARD.scopeTablesMax
}
