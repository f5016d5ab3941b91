import { recordVocabulary } from '../../documents/search/index-service.ts'
import type { Database } from '../../platform/tables.ts'
import { toSeenAsset, type AssetOrigin, type SeenAsset } from './asset-document.ts'
import type { Claim } from './claim.ts'
import type { Batch } from '../../connectors/connector.ts'
import { insertStaged, listExistingAssets, type StagedAsset } from './staging-store.ts'

/**
 * Stages a batch; unchanged assets are staged without documents, so that an unchanged run sends
 * none. Returns the number of assets seen in each scope (a path as a JSON list) and the number of
 * staged rows, which counts duplicates once. Adds the new words of the assets to the search
 * vocabulary, except those in `addedWords`.
 */
export async function stageBatch(
  db: Database,
  claim: Claim,
  origin: AssetOrigin,
  { assets, unreadable = [], unchanged = [] }: Batch,
  addedWords: Set<string>,
): Promise<{ seen: Map<string, number>; stagedCount: number }> {
  const seen = new Map<string, SeenAsset>()
  for (const asset of assets) {
    const one = toSeenAsset(asset, origin)
    seen.set(one.path, one)
  }
  const kept = new Set<string>()
  const unread = unreadable.map(({ kind, path, scope }) => ({ kind, path, scope }))
  for (const place of [...unread, ...unchanged]) {
    const one = toSeenAsset(place, origin)
    if (seen.has(one.path)) continue
    // Without a document it changes nothing, but its path proves that it exists.
    seen.set(one.path, { ...one, digest: '' })
    kept.add(one.path)
  }
  const existing = new Map(
    (await listExistingAssets(db, claim, [...seen.keys()])).map((one) => [one.path, one]),
  )
  const staged = [...seen.values()].map(({ entry, ...one }): StagedAsset => {
    const { id, digest } = existing.get(one.path) ?? {}
    const isUnchanged = kept.has(one.path) || digest === one.digest
    return {
      ...one,
      document: isUnchanged ? null : one.document,
      entry: isUnchanged ? undefined : entry(),
      assetId: id === undefined || id === one.id ? null : id,
    }
  })
  const stagedCount = await insertStaged(db, claim, staged)
  await recordVocabulary(db, claim.organizationId, addedWords, wordsIn(staged))
  const byScope = Map.groupBy(staged, ({ scope }) => scope).entries()
  return { seen: new Map(byScope.map(([scope, ones]) => [scope, ones.length])), stagedCount }
}

function* wordsIn(staged: readonly StagedAsset[]): Iterable<string> {
  for (const { entry } of staged) yield* entry?.vocabulary ?? []
}
