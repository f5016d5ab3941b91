import { recordVocabulary } from '../search/index-service.ts'
import type { Database } from '../tables.ts'
import { seenAsset, type AssetOrigin, type SeenAsset } from './asset-document.ts'
import type { Claim } from './claim.ts'
import type { Batch } from '../connectors/connector.ts'
import { insertStaged, listKnown, type StagedAsset } from './staging-store.ts'

/**
 * Stages a batch: what the catalog has just so already is staged without its document, so that an
 * unchanged run sends no documents. Returns how many assets of each scope (a path as a JSON list)
 * were seen, and how many rows were staged: of what a source lists twice, one. Search learns the words
 * of what it will find, but for those that are in `learned` already.
 */
export async function stageBatch(
  db: Database,
  claim: Claim,
  origin: AssetOrigin,
  { assets, unreadable = [] }: Batch,
  learned: Set<string>,
): Promise<{ seen: Map<string, number>; stagedCount: number }> {
  const seen = new Map<string, SeenAsset>()
  for (const asset of assets) {
    const one = seenAsset(asset, origin)
    seen.set(one.path, one)
  }
  const kept = new Set<string>()
  for (const { kind, path, scope } of unreadable) {
    const one = seenAsset({ kind, path, scope }, origin)
    if (seen.has(one.path)) continue
    // Without a document it changes nothing, and its path says that it is there.
    seen.set(one.path, { ...one, digest: '' })
    kept.add(one.path)
  }
  const known = new Map(
    (await listKnown(db, claim, [...seen.keys()])).map((one) => [one.path, one]),
  )
  const staged = [...seen.values()].map(({ entry, ...one }): StagedAsset => {
    if (kept.has(one.path)) return { ...one, document: null, entry: undefined, assetId: null }
    const { id, digest } = known.get(one.path) ?? {}
    const isKnown = digest === one.digest
    return {
      ...one,
      document: isKnown ? null : one.document,
      entry: isKnown ? undefined : entry(),
      assetId: id === undefined || id === one.id ? null : id,
    }
  })
  const stagedCount = await insertStaged(db, claim, staged)
  await recordVocabulary(db, claim.organizationId, learned, wordsIn(staged))
  const byScope = Map.groupBy(staged, ({ scope }) => scope).entries()
  return { seen: new Map(byScope.map(([scope, ones]) => [scope, ones.length])), stagedCount }
}

function* wordsIn(staged: readonly StagedAsset[]): Iterable<string> {
  for (const { entry } of staged) yield* entry?.vocabulary ?? []
}
