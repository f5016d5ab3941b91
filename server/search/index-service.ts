import type { Database } from '../tables.ts'
import * as store from './index-store.ts'
import type { IndexRow } from './index-store.ts'

// A run that sees more words than that learns some of them twice, which is no harm.
const LEARNED_MAX = 200_000

/**
 * Learns words, but for those that are in `learned`, where they are put. That of documents that are
 * never published are learned too is no harm: a word only says where to look.
 */
export async function learnWords(
  db: Database,
  organizationId: string,
  learned: Set<string>,
  words: Iterable<string>,
): Promise<void> {
  const fresh = new Set<string>()
  for (const word of words) if (!learned.has(word)) fresh.add(word)
  if (fresh.size === 0) return
  await store.insertWords(db, organizationId, [...fresh])
  if (learned.size > LEARNED_MAX) learned.clear()
  for (const word of fresh) learned.add(word)
}

/** Writes entries into the index and learns their words; it belongs into the writer's transaction. */
export async function indexEntries(db: Database, rows: readonly IndexRow[]): Promise<void> {
  if (rows.length === 0) return
  await store.upsertEntries(db, rows)
  for (const [organizationId, own] of Map.groupBy(rows, (row) => row.organizationId)) {
    const words = own.flatMap(({ entry }) => entry.vocabulary)
    await learnWords(db, organizationId, new Set(), words)
  }
}
