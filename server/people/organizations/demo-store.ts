import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { DEMO_PEOPLE_MAX, type DemoPerson } from './demo-person.ts'

/** Records that the load of the demo created a person who can sign in. */
export async function insertDemoPerson(
  db: Database,
  organizationId: string,
  person: { userId: string; position: number; email: string; role: string },
): Promise<void> {
  const { userId, position, email, role } = person
  await sql`
    insert into demo_person (organization_id, user_id, position, email, role)
    values (${organizationId}, ${userId}, ${position}, ${email}, ${role})
  `.execute(db)
}

/**
 * Lists the people of the demo who are still members, with the address of the load and a password. Other members, and
 * people of other organizations, have no row.
 */
export async function listDemoPeople(db: Database): Promise<DemoPerson[]> {
  const { rows } = await sql<DemoPerson>`
    select user_account.name, user_account.email, demo_person.role
    from demo_person
    join organization_member using (organization_id, user_id)
    join user_account on user_account.id = demo_person.user_id
    where user_account.email = demo_person.email
      and user_account.password_hash <> ''
    order by demo_person.organization_id, demo_person.position
    limit ${DEMO_PEOPLE_MAX}
  `.execute(db)
  return rows
}
