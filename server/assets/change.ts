/**
 * A run publishes a change set: what it created, updated and deleted of the assets of its
 * integration, each with the version before and after. The deletes that it held wait in it too.
 */

/** What happened, or would, to an asset. A revived one was deleted and is in its source again. */
export type ChangeAction = 'created' | 'updated' | 'deleted' | 'revived'

/**
 * Why a delete waits for a person: too many at once (`brake`), or the source still has it and the
 * filters no longer take it in (`filter`).
 */
export type HoldReason = 'brake' | 'filter'

/** A publication: whose assets, by which run, told in whose name. */
export interface Publication {
  organizationId: string
  integrationId: string
  runId: string
  /** Of the claim whose staged assets are published. */
  fence: number
  principal: string
  /** The connector's name, which is the assets' source. */
  source: string
}

/** What a publication knows of scopes, each a native path as a JSON list. */
export interface ScopeVerdicts {
  /** What is not seen there is gone: read completely, or missing for longer than the grace. */
  proven: readonly string[]
  /** Scopes that the filters leave out. */
  filtered: readonly string[]
}

/** One change of a change set, for people. */
export interface AssetChange {
  assetId: string
  action: ChangeAction
  heldBecause: HoldReason | null
  /** Native paths; null = there was none, there is none. */
  pathBefore: string[] | null
  pathAfter: string[] | null
  versionBefore: number | null
  versionAfter: number | null
}

/** How many of each. */
export interface ChangeCounts {
  created: number
  updated: number
  deleted: number
  heldByBrake: number
  heldByFilter: number
}

/** Says in words what was counted: `31 created, 2 updated, 0 deleted, 25 held`. */
export function countsText(counts: ChangeCounts): string {
  const { created, updated, deleted, heldByBrake, heldByFilter } = counts
  const held = heldByBrake + heldByFilter
  return `${created} created, ${updated} updated, ${deleted} deleted, ${held} held`
}

/** Deletes at once that are never held, whatever share of the assets they are. */
export const DELETES_UNHELD_MAX = 50

/** The share of an integration's live assets that may be deleted at once. */
export const DELETED_SHARE_MAX = 0.2

/** The tables of a scope that may vanish together. */
export const SCOPE_DELETES_UNHELD_MAX = 20

/** What is deleted, and out of how much. */
export interface DeleteExtent {
  deleted: number
  /** Assets of the integration that are live, the deleted ones among them. */
  live: number
  /** The tables of the largest scope that loses all it has. */
  largestWholeScope: number
}

/** Says whether so many deletes at once wait for a person. */
export function isBraked({ deleted, live, largestWholeScope }: DeleteExtent): boolean {
  const isLarge = deleted > DELETES_UNHELD_MAX && deleted > live * DELETED_SHARE_MAX
  return isLarge || largestWholeScope > SCOPE_DELETES_UNHELD_MAX
}
