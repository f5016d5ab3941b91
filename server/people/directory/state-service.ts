import { randomUUIDv7 } from 'node:crypto'
import { DIRECTORY_PATH } from '../../requests/access/directory-caller.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { z } from '@hono/zod-openapi'
import { DIRECTORY_KEYS_MAX, type directoryState } from './directory-key.ts'
import { listKeys } from './key-store.ts'
import * as store from './state-store.ts'

/** Returns the directory of an organization as its page shows it. */
export async function getDirectory(
  { db, baseUrl }: Pick<Services, 'db' | 'baseUrl'>,
  organizationId: string,
): Promise<z.infer<typeof directoryState>> {
  return {
    address: `${baseUrl}${DIRECTORY_PATH}`,
    keys: await listKeys(db, organizationId),
    keysMax: DIRECTORY_KEYS_MAX,
    ...(await store.countProvisioned(db, organizationId)),
    refusals: await store.listRefusals(db, organizationId),
  }
}

/** Records the requests of directories that this process has noted since the last call. */
export async function recordDirectoryRequests({
  db,
  directoryLog,
}: Pick<Services, 'db' | 'directoryLog'>): Promise<void> {
  const noted = directoryLog.take()
  if (noted.length === 0) return
  await store.upsertLastRequests(
    db,
    noted.map(({ organizationId, lastRequestAt }) => ({
      organizationId,
      requestedAt: lastRequestAt,
    })),
  )
  const refusals = noted.flatMap(({ organizationId, refused }) =>
    refused.map((one) => ({ ...one, organizationId, id: randomUUIDv7() })),
  )
  if (refusals.length === 0) return
  await store.insertRefusals(db, refusals)
  await store.deleteOldRefusals(db, [...new Set(refusals.map((one) => one.organizationId))])
}
