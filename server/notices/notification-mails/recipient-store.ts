import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'

/** A person who gets e-mails of an organization. */
interface MailRecipient {
  email: string
  /** The name of the organization. */
  organization: string
}

/** Finds the address of a member; undefined if the person is no longer one, or is suspended. */
export async function findMailRecipient(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<MailRecipient | undefined> {
  const { rows } = await sql<MailRecipient>`
    select account.email, organization.name as organization
    from organization_member as member
    join user_account as account on account.id = member.user_id
    join organization on organization.id = member.organization_id
    where member.organization_id = ${organizationId}
      and member.user_id = ${userId}::uuid
      and member.suspended_at is null
  `.execute(db)
  return rows[0]
}
