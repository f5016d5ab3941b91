import type { Caller } from '../requests/access/caller.ts'
import type { Installation, Services } from '../requests/http/endpoint.ts'
import { PROXIES_SETTING } from '../requests/http/refused-clients.ts'
import { StoreUnavailable } from '../platform/kit/store-errors.ts'
import type { Database } from '../platform/tables.ts'
import { VERSION } from '../platform/version.ts'
import { SLOW_STORE_MS, type About } from './about.ts'
import * as store from './store.ts'

/** Returns the current information about this installation, as far as the caller may see it. Errors: store_unavailable. */
export async function describeInstallation(services: Services, caller: Caller): Promise<About> {
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
    refusedConnections: await describeRefused(db, installation, caller),
    memoryBytes: process.memoryUsage.rss(),
  }
}

// Connections are refused before it is known who sends requests, so that those of several organizations are counted
// together. Only the owners of the only organization see them; the log has them for the operator.
async function describeRefused(
  db: Database,
  { findRefusedConnections }: Installation,
  { organizationOwner }: Caller,
): Promise<About['refusedConnections']> {
  const refused = findRefusedConnections()
  if (refused === undefined || !organizationOwner) return null
  return (await store.hasOneOrganization(db)) ? { ...refused, setting: PROXIES_SETTING } : null
}

/** Measures the size of the database in bytes; null = its role may not. */
export async function measureSize(db: Database): Promise<number | null> {
  try {
    return await store.measureStore(db)
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    return null
  }
}
