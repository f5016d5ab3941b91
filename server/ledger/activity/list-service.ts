import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../requests/access/caller.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { ActivityFilters } from './activity.ts'
import { toCsvHeader } from '../../platform/kit/csv.ts'
import { withoutSlot } from '../../platform/kit/held-slot.ts'
import {
  CSV_COLUMNS,
  takeTransactionId,
  isSettled,
  LINE_ENDS,
  listLines,
  type EntryKey,
  type LineFormat,
} from './list-store.ts'
import { latest, minutesAgo } from './source.ts'
import { toViewer, type Viewer } from './viewer.ts'

/** The maximum number of entries of a page. */
export const ENTRIES_MAX = 200

/** The minutes for which a client can look for the entries of a request. */
export const REQUEST_MINUTES = 15

// Transactions of requests take milliseconds; one that waits for a standby can take longer.
const SETTLING_MS = 50
const SETTLING_ATTEMPTS_MAX = 20
const SETTLING_RETRY_SECONDS = 2

// The entries that an export reads at once.
const EXPORT_ENTRIES = 1000

/** Lists the newest entries after a position that the caller can see, as a JSON array. */
export async function listEntriesAsJson(
  { db }: Pick<Services, 'db'>,
  caller: Caller,
  filters: ActivityFilters,
  { after, limit }: { after: EntryKey | undefined; limit: number },
): Promise<{ json: string; next: EntryKey | undefined }> {
  return await listAsJson(db, toViewer(caller), filters, { after, limit })
}

async function listAsJson(
  db: Services['db'],
  viewer: Viewer,
  filters: ActivityFilters,
  { after, limit }: { after: EntryKey | undefined; limit: number },
): Promise<{ json: string; next: EntryKey | undefined }> {
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
 * Lists the entries of a request that the caller sent in the last minutes, of every kind, as a JSON array. A client reads
 * them if it does not know whether its change was saved, so "none" must be final: it is answered only when the
 * transactions that were open have ended. Errors: store_unavailable if they have not.
 */
export async function listRequestAsJson(
  services: Pick<Services, 'db' | 'clock'>,
  caller: Caller,
  filters: ActivityFilters & { requestId: string },
  page: { after: EntryKey | undefined; limit: number },
): Promise<{ json: string; next: EntryKey | undefined }> {
  const { db, clock } = services
  const own = {
    ...filters,
    actor: caller.principal,
    since: latest(filters.since, minutesAgo(clock, REQUEST_MINUTES)),
  }
  // Every caller sees the entries of its requests, including team keys.
  const viewer = { ...toViewer(caller), isOwner: true }
  const found = await listAsJson(db, viewer, own, page)
  if (found.json !== '[]') return found
  await waitForOpenTransactions(db)
  return await listAsJson(db, viewer, own, page)
}

async function waitForOpenTransactions(db: Services['db']): Promise<void> {
  const position = await takeTransactionId(db)
  for (let attempts = 0; attempts < SETTLING_ATTEMPTS_MAX; attempts += 1) {
    if (await isSettled(db, position)) return
    await withoutSlot(async () => await sleep(SETTLING_MS))
  }
  throw new ApiError(
    'store_unavailable',
    'Changes that were sent earlier are still being saved. Ask again.',
    { retryAfterSeconds: SETTLING_RETRY_SECONDS },
  )
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
