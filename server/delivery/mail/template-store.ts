import type { Database } from '../../platform/tables.ts'

/** Finds the e-mail templates of an organization, as JSON text. */
export async function findMailTemplates(
  db: Database,
  organizationId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('organization_document')
    .select('document')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'email-templates')
    .executeTakeFirst()
  return row?.document
}
