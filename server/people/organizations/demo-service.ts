import type { Services } from '../../requests/http/endpoint.ts'
import type { Database } from '../../platform/tables.ts'
import type { DemoPerson } from './demo-person.ts'
import { insertDemoPerson, listDemoPeople } from './demo-store.ts'

/** Records a person that the load of the demo created, with the position on the sign-in page. */
export async function recordDemoPerson(
  db: Database,
  organizationId: string,
  person: { userId: string; position: number; email: string; role: string },
): Promise<void> {
  await insertDemoPerson(db, organizationId, person)
}

/**
 * Lists the people who can sign in to the demo. Empty unless this process serves the demo, and its database recorded
 * that it loaded them: a copy of a demo, and every other installation, lists no accounts.
 */
export async function findDemoPeople({
  db,
  installation,
}: Pick<Services, 'db' | 'installation'>): Promise<DemoPerson[]> {
  return installation.isDemo ? await listDemoPeople(db) : []
}
