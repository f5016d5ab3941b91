import type { Caller } from '../access/caller.ts'
import type { Services } from '../http/endpoint.ts'
import type { ActivityFilters } from './activity.ts'
import { toCsvHeader } from '../kit/csv.ts'
import { CSV_COLUMNS, LINE_ENDS, listLines, type EntryKey, type LineFormat } from './list-store.ts'
import { toViewer } from './viewer.ts'

/** The maximum number of entries of a page. */
export const ENTRIES_MAX = 200

// The entries that an export reads at once.
const EXPORT_ENTRIES = 1000

/** Lists the newest entries after a position that the caller can see, as a JSON array. */
export async function listEntriesAsJson(
  { db }: Pick<Services, 'db'>,
  caller: Caller,
  filters: ActivityFilters,
  { after, limit }: { after: EntryKey | undefined; limit: number },
): Promise<{ json: string; next: EntryKey | undefined }> {
  const viewer = toViewer(caller)
  // The last entry of a full page may be the last one of all; the next page is then empty.
  const { text, count, last } = await listLines(db, viewer, filters, {
    after,
    limit,
    format: 'json',
  })
  const next = count === limit ? (last ?? undefined) : undefined
  // A line feed never occurs within a line of JSON.
  return { json: `[${text.replaceAll(LINE_ENDS.json, ',')}]`, next }
}

/**
 * Exports all entries that the caller can see and that match the filters, newest first, as fast as the client reads. No
 * statement stays open in between, and memory does not grow with the number of entries.
 */
export function exportEntries(
  { db }: Pick<Services, 'db'>,
  caller: Caller,
  filters: ActivityFilters,
  format: LineFormat,
): ReadableStream<Uint8Array> {
  const viewer = toViewer(caller)
  const lineEnd = LINE_ENDS[format]
  let after: EntryKey | undefined
  let isFirst = true
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const page = { after, limit: EXPORT_ENTRIES, format }
        const { text, count, last } = await listLines(db, viewer, filters, page)
        const header = isFirst && format === 'csv' ? `${toCsvHeader(CSV_COLUMNS)}${lineEnd}` : ''
        const body = text === '' ? '' : `${text}${lineEnd}`
        isFirst = false
        after = last ?? undefined
        if (header + body !== '') controller.enqueue(Buffer.from(header + body))
        if (count < EXPORT_ENTRIES) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
