import { sql } from 'kysely'
import type { Database } from '../platform/tables.ts'

/** Sends an empty query to the database. */
export async function ping(db: Database): Promise<void> {
  await sql`select 1`.execute(db)
}

/** Returns the version of the PostgreSQL server. */
export async function findStoreVersion(db: Database): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version') as version
  `.execute(db)
  return rows[0]?.version ?? ''
}

/** Measures the size of the database in bytes. It reads the sizes of all files, so it may take a moment. */
export async function measureStore(db: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes
  `.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Returns whether the installation has only one organization. */
export async function hasOneOrganization(db: Database): Promise<boolean> {
  const { rows } = await sql`select from organization limit 2`.execute(db)
  return rows.length === 1
}
