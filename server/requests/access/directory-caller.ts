import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { Caller } from './caller.ts'
import { findDirectoryKey, type DirectoryKeyRow } from './directory-key-store.ts'

/** The prefix of every key of a directory. */
export const DIRECTORY_KEY_PREFIX = 'pbd_'

/** The path below which directories provision people and groups (SCIM 2.0), the only one that their keys open. */
export const DIRECTORY_PATH = '/api/scim/v2'

/** Finds the caller of a key of a directory by the hash of its secret, and the time of the look-up. */
export async function findDirectoryCaller(
  db: Database,
  clock: Clock,
  secretHash: Buffer,
): Promise<{ caller: Caller; usedAt: Instant } | undefined> {
  const key = await findDirectoryKey(db, clock, secretHash)
  return key && { caller: toDirectory(key), usedAt: key.used_at }
}

// It has no role and no scope of its own: everything that a directory may do is below its path.
function toDirectory(row: DirectoryKeyRow): Caller {
  return {
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    vanityUrl: row.vanity_url,
    principal: `directory:${row.id}`,
    keyId: row.id,
    userId: undefined,
    responsibleId: undefined,
    keyName: 'Directory',
    scope: 'organization_read',
    team: undefined,
    readOnly: false,
    organizationOwner: false,
    allowed: undefined,
    roles: new Map(),
    customRoles: undefined,
    opensOnly: DIRECTORY_PATH,
    hasOnlyManagedTags: false,
  }
}
