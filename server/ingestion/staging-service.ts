import type { Database } from '../tables.ts'
import { seenAsset, type AssetOrigin, type SeenAsset } from './asset-document.ts'
import type { Claim } from './claim.ts'
import type { Batch, UnreadableAsset } from './connectors/connector.ts'
import { insertStaged, listKnown, type StagedAsset } from './staging-store.ts'

/**
 * Stages a batch: what the catalog has just so already is staged without its document, so that an
 * unchanged run sends no documents. Returns how many assets of each scope (a path as a JSON list)
 * were seen, and how many rows were staged: of what a source lists twice, one.
 */
export async function stageBatch(
  db: Database,
  claim: Claim,
  origin: AssetOrigin,
  { assets, unreadable = [] }: Batch,
): Promise<{ seen: Map<string, number>; stagedCount: number }> {
  const seen = new Map<string, SeenAsset | StagedAsset>()
  for (const asset of assets) {
    const one = seenAsset(asset, origin)
    seen.set(one.path, one)
  }
  for (const one of unreadable) {
    const path = JSON.stringify(one.path)
    if (!seen.has(path)) seen.set(path, keptAsset(one, origin))
  }
  const known = new Map(
    (await listKnown(db, claim, [...seen.keys()])).map((one) => [one.path, one]),
  )
  const staged = [...seen.values()].map((one): StagedAsset => {
    const { id, digest } = known.get(one.path) ?? {}
    return {
      ...one,
      document: digest === one.digest ? null : one.document,
      assetId: id === undefined || id === one.id ? null : id,
    }
  })
  const stagedCount = await insertStaged(db, claim, staged)
  const byScope = Map.groupBy(staged, ({ scope }) => scope).entries()
  return { seen: new Map(byScope.map(([scope, ones]) => [scope, ones.length])), stagedCount }
}

// Without a document it changes nothing, and its path says that it is there.
function keptAsset({ path, scope, kind }: UnreadableAsset, origin: AssetOrigin): StagedAsset {
  const one = seenAsset({ kind, path, scope }, origin)
  return { ...one, digest: '', document: null, assetId: null }
}
