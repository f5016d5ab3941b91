import { sql } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import type { OrganizationDocumentText } from './organization-document.ts'

/** A team role and the number of members that have it in a team of the organization. */
export interface RoleUse {
  role: string
  members: number
}

/** Finds the stored documents of some kinds, by kind. */
export async function findDocuments(
  db: Database,
  organizationId: string,
  kinds: readonly string[],
): Promise<Map<string, OrganizationDocumentText>> {
  const rows = await db
    .selectFrom('organization_document')
    .select(['kind', 'document', 'media_type as mediaType'])
    .where('organization_id', '=', organizationId)
    .where('kind', 'in', kinds)
    .execute()
  return new Map(rows.map(({ kind, ...text }) => [kind, text]))
}

/** Locks the documents of an organization against concurrent changes until the transaction ends. */
export async function lockDocuments(db: Database, organizationId: string): Promise<void> {
  await sql`
    select
    from organization
    where id = ${organizationId}
    for no key update
  `.execute(db)
}

/** Inserts or replaces a document. */
export async function upsertDocument(
  db: Database,
  clock: Clock,
  organizationId: string,
  {
    kind,
    document,
    mediaType,
    principal,
  }: OrganizationDocumentText & { kind: string; principal: string },
): Promise<void> {
  const changes = {
    document,
    media_type: mediaType,
    updated_at: clock.now,
    updated_by: principal,
  }
  await db
    .insertInto('organization_document')
    .values({ organization_id: organizationId, kind, ...changes })
    .onConflict((conflict) => conflict.columns(['organization_id', 'kind']).doUpdateSet(changes))
    .execute()
}

/** Lists the roles that members have in teams, without inherited ones. Each member of each team counts. */
export async function listRoleUses(db: Database, organizationId: string): Promise<RoleUse[]> {
  const { rows } = await sql<RoleUse>`
    select member.role, count(*)::int as members
    from team
    cross join lateral unnest(team.member_roles) as member (role)
    where team.organization_id = ${organizationId}
    group by member.role
    order by member.role
  `.execute(db)
  return rows
}
