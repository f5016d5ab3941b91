import { sql } from 'kysely'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import { readShort } from '../../platform/kit/short-reads.ts'
import type { Database } from '../../platform/tables.ts'

/** A key with which a directory provisions the people of an organization. */
export interface DirectoryKeyRow {
  id: string
  organization_id: string
  organization_name: string
  vanity_url: string
  /** The time of the look-up. */
  used_at: Instant
}

/** Finds a key of a directory by the hash of its secret. */
export async function findDirectoryKey(
  db: Database,
  clock: Clock,
  secretHash: Buffer,
): Promise<DirectoryKeyRow | undefined> {
  const rows = await readShort(
    db,
    sql<DirectoryKeyRow>`
    select
      directory_key.id,
      directory_key.organization_id,
      organization.name as organization_name,
      organization.vanity_url,
      ${clock.now} as used_at
    from directory_key
    join organization on organization.id = directory_key.organization_id
    where directory_key.secret_hash = ${secretHash}
  `,
  )
  return rows[0]
}
