import type { Services } from '../http/endpoint.ts'
import { StoreUnavailable } from '../kit/store-errors.ts'
import type { Database } from '../tables.ts'
import { VERSION } from '../version.ts'
import { SLOW_STORE_MS, type About } from './about.ts'
import * as store from './store.ts'

/** Returns the current information about this installation. Errors: store_unavailable. */
export async function describeInstallation(services: Services): Promise<About> {
  const { db, installation, secretBox, mailing } = services
  const startedAtMs = performance.now()
  await store.ping(db)
  const storeMs = Math.round((performance.now() - startedAtMs) * 10) / 10
  return {
    version: VERSION,
    nodeVersion: process.versions.node,
    store: {
      version: await store.findStoreVersion(db),
      sizeBytes: await measureSize(db),
    },
    baseUrl: services.baseUrl,
    startedAt: installation.startedAt,
    workers: installation.workers,
    health: { store: storeMs > SLOW_STORE_MS ? 'slow' : 'ok', storeMs },
    encryptionKeyId: secretBox.keyId,
    dpsUntil: services.dpsUntil,
    dcsUntil: services.dcsUntil,
    mail: mailing === undefined ? null : { server: mailing.server, from: mailing.from },
    memoryBytes: process.memoryUsage.rss(),
  }
}

// The database role may lack the permission to measure the size; the rest is still reported.
async function measureSize(db: Database): Promise<number | null> {
  try {
    return await store.measureStore(db)
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    return null
  }
}
