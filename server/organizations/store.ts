import { sql } from 'kysely'
import type { Database } from '../tables.ts'

// Any constant will do, as long as every process uses the same one.
const SETUP_LOCK = 7_276_222

/** Makes those who set up a store take turns, until the end of the transaction. */
export async function lockSetup(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SETUP_LOCK})`.execute(db)
}

/** Says whether the store has any organization. */
export async function hasOrganization(db: Database): Promise<boolean> {
  const found = await db.selectFrom('organization').select('id').limit(1).executeTakeFirst()
  return found !== undefined
}

/** Adds an organization. */
export async function insertOrganization(db: Database, id: string, name: string): Promise<void> {
  await db.insertInto('organization').values({ id, name }).execute()
}

/** Adds a person to an organization. */
export async function insertMember(
  db: Database,
  organizationId: string,
  userId: string,
  role: 'Owner' | 'Member',
): Promise<void> {
  await db
    .insertInto('organization_member')
    .values({ organization_id: organizationId, user_id: userId, role })
    .execute()
}

/** Takes a person out of an organization. Says whether the person was in it. */
export async function deleteMember(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('organization_member')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Keeps the hash of a set-up link. */
export async function insertSetupLink(db: Database, tokenHash: Buffer): Promise<void> {
  await db.insertInto('setup_link').values({ token_hash: tokenHash }).execute()
}

/** Says whether a set-up link is still open. */
export async function hasSetupLink(db: Database, tokenHash: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('setup_link')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return found !== undefined
}

/** Closes every set-up link. */
export async function deleteSetupLinks(db: Database): Promise<void> {
  await db.deleteFrom('setup_link').execute()
}
