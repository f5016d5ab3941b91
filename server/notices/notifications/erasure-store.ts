import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'

/** A person in the organizations that know them. */
interface ErasedPerson {
  userId: string
  organizationIds: readonly string[]
}

/**
 * Replaces the name of a person in notifications of others about access, and deletes those about personal keys, which
 * have the names of the keys.
 */
export async function eraseFromNotifications(
  db: Database,
  { userId, organizationIds }: ErasedPerson,
  name: string,
): Promise<void> {
  await sql`
    with removed as (
      delete from notification
      where organization_id = any(${organizationIds}::uuid[])
        and subject_kind = 'api-key'
        and audience @> jsonb_build_array(jsonb_build_object('type', 'user', 'user', ${userId}::text))
    )
    update notification
    set data = data || jsonb_build_object('consumer', ${name}::text)
    where organization_id = any(${organizationIds}::uuid[])
      and data ->> 'consumerUser' = ${userId}::text
  `.execute(db)
}
