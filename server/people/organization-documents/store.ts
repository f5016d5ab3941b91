import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendActivity } from '../../ledger/activity/record.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { OrganizationDocumentText } from './organization-document.ts'

/** A team role and the number of members that have it in a team of the organization. */
interface RoleUse {
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
    called,
    document,
    mediaType,
    details,
    ...actor
  }: OrganizationDocumentText & ActivityActor & { kind: string; called: string; details: object },
): Promise<void> {
  const entry = {
    kind: 'organization-settings',
    action: 'updated',
    at: sql`updated_at`,
    subject: kind,
    name: called,
    details,
  } as const
  await sql`
    with written as (
      insert into organization_document (
        organization_id, kind, document, media_type, updated_at, updated_by
      )
      values (
        ${organizationId}, ${kind}, ${document}, ${mediaType}, ${clock.now}, ${actor.principal}
      )
      on conflict (organization_id, kind) do update
      set document = excluded.document, media_type = excluded.media_type,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by
      returning updated_at
    )
    ${appendActivity({ organizationId, ...actor }, entry, sql`from written`)}
  `.execute(db)
}

/** Members of a team who have a role. */
interface RoleHolders {
  teamId: string
  teamName: string
  role: string
  members: number
  /** The number of all teams and roles of the list. */
  total: number
}

/**
 * Lists the teams in which people have one of some roles, without inherited ones, by id and role: those in the
 * documents, also if they are not members yet, and those in groups.
 */
export async function listRoleHolders(
  db: Database,
  organizationId: string,
  roles: readonly string[],
  limit: number,
): Promise<RoleHolders[]> {
  const { rows } = await sql<RoleHolders>`
    select team.external_id as "teamId", team.name as "teamName", member.role,
      count(*)::int as members, count(*) over ()::int as total
    from team
    join (${selectRolesOfPeople(organizationId)}) as member on member.team_id = team.id
    where team.organization_id = ${organizationId}
      and member.role = any(${roles}::text[])
    group by team.external_id, team.name, member.role
    order by team.external_id, member.role
    limit ${limit}
  `.execute(db)
  return rows
}

function selectRolesOfPeople(organizationId: string): RawBuilder<unknown> {
  return sql`
      select team.id as team_id, named.email, named.role
      from team
      cross join lateral unnest(team.member_emails, team.member_roles) as named (email, role)
      where team.organization_id = ${organizationId}
      union
      select held.team_id, account.email_key, held.role
      from team_role as held
      join user_account as account on account.id = held.user_id
      where held.organization_id = ${organizationId}
        and held.source <> 'manual'
    `
}

/** Lists the roles that people have in teams, without inherited ones. A person with a role in several teams counts once. */
export async function listRoleUses(db: Database, organizationId: string): Promise<RoleUse[]> {
  const { rows } = await sql<RoleUse>`
    select member.role, count(distinct member.email)::int as members
    from (${selectRolesOfPeople(organizationId)}) as member
    group by member.role
    order by member.role
  `.execute(db)
  return rows
}
