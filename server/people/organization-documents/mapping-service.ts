import type { Database } from '../../platform/tables.ts'
import { readMappings } from './directory-mapping.ts'
import * as store from './mapping-store.ts'
import { lockDocuments } from './store.ts'

const ORGANIZATIONS_AT_ONCE = 100

/**
 * Adds the rows of mappings that were stored or imported by a version without them. Returns the number of mappings that
 * got rows. Each is added under the lock of its organization: two processes that start at once add it once, and neither
 * replaces rows of a newer document.
 */
export async function ensureMappings(db: Database): Promise<number> {
  let count = 0
  let after: string | undefined
  for (;;) {
    const organizations = await store.listUnlisted(db, after, ORGANIZATIONS_AT_ONCE)
    for (const organizationId of organizations) {
      if (await addMapping(db, organizationId)) count += 1
    }
    after = organizations.at(-1)
    if (organizations.length < ORGANIZATIONS_AT_ONCE) return count
  }
}

async function addMapping(db: Database, organizationId: string): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    await lockDocuments(transaction, organizationId)
    const unlisted = await store.findUnlisted(transaction, organizationId)
    if (unlisted === undefined) return false
    const mappings = readMappings(unlisted.document, unlisted.mediaType) ?? []
    if (mappings.length === 0) return false
    await store.replaceMappings(transaction, organizationId, mappings)
    return true
  })
}
