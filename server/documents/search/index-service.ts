import type { Database } from '../../platform/tables.ts'
import * as store from './index-store.ts'
import type { IndexRow } from './index-store.ts'

// A run with more words records some of them twice, which does no harm.
const RECORDED_MAX = 200_000

/**
 * Records the words that are not in `recorded` yet, and adds them to it. Words of documents that are never
 * published do no harm: they only suggest corrections.
 */
export async function recordVocabulary(
  db: Database,
  organizationId: string,
  recorded: Set<string>,
  words: Iterable<string>,
): Promise<void> {
  const fresh = new Set<string>()
  for (const word of words) if (!recorded.has(word)) fresh.add(word)
  if (fresh.size === 0) return
  await store.insertWords(db, organizationId, [...fresh])
  if (recorded.size > RECORDED_MAX) recorded.clear()
  for (const word of fresh) recorded.add(word)
}

/** Writes entries and their words into the index, inside the transaction of the caller. */
export async function indexEntries(db: Database, rows: readonly IndexRow[]): Promise<void> {
  if (rows.length === 0) return
  await store.upsertEntries(db, rows)
  for (const [organizationId, own] of Map.groupBy(rows, (row) => row.organizationId)) {
    const words = own.flatMap(({ entry }) => entry.vocabulary)
    await recordVocabulary(db, organizationId, new Set(), words)
  }
}
