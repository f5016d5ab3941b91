import { sql, type RawBuilder } from 'kysely'
import type { TeamMember } from '../../../formats/team/team.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { selectRolesInTeam, selectRolesOfMember } from '../../requests/access/effective-role.ts'
import { selectLine } from '../../requests/access/team-line.ts'
import type { ResourceKey, ResourceState } from '../../documents/resource.ts'
import type { DocumentReference } from '../../requests/http/document-list.ts'
import { selectPage } from '../../requests/http/paging.ts'
import type { Database } from '../../platform/tables.ts'

/** The state of a team that a change depends on. */
export interface TeamState extends ResourceState {
  id: string | null
  document: string | null
  parent: string | null
  /** Internal id of the new parent; null if it does not exist. */
  newParentId: string | null
  /** Whether the new parent is a subteam of the team. */
  makesCycle: boolean
}

/**
 * Serializes changes of an organization's teams until the end of the transaction; two concurrent moves could
 * otherwise form a cycle.
 */
export async function lockTeams(db: Database, organizationId: string): Promise<void> {
  await sql`select id from organization where id = ${organizationId} for no key update`.execute(db)
}

/**
 * Locks a team until the end of the transaction. It waits for requests of access under way, which then count as uses;
 * later ones wait for the deletion.
 */
export async function lockTeam(db: Database, organizationId: string, id: string): Promise<void> {
  await sql`
    select id
    from team
    where organization_id = ${organizationId}
      and external_id = ${id}
    for update
  `.execute(db)
}

/** Finds a team, and whether its possible parent is below it. */
export async function findState(
  db: Database,
  { organizationId, id }: ResourceKey,
  newParent: string | undefined,
): Promise<TeamState> {
  const { rows } = await sql<TeamState>`
    with recursive line as (
      select id, external_id, parent_id
      from team
      where organization_id = ${organizationId}
        and external_id = ${newParent ?? null}
      union
      select team.id, team.external_id, team.parent_id
      from line
      join team on team.organization_id = ${organizationId}
        and team.id = line.parent_id
    )
    select
      team.id, team.version, team.digest, team.document, 'team' as format, null as owner,
      null as "ownerTeamId", parent.external_id as parent,
      (select id from line where external_id = ${newParent ?? null}) as "newParentId",
      exists (select from line where external_id = ${id}) as "makesCycle"
    from (select 1) as always
    left join team on team.organization_id = ${organizationId}
      and team.external_id = ${id}
    left join team as parent on parent.organization_id = team.organization_id
      and parent.id = team.parent_id
  `.execute(db)
  const [state] = rows
  if (state === undefined) throw new Error('a statement that always gives a row gave none')
  return state
}

/**
 * Lists the roles in a team and in those above it, by the address in lower case: those of documents, also of people who are
 * not members yet, and those of groups.
 */
export async function listMembersFrom(
  db: Database,
  organizationId: string,
  team: string,
): Promise<TeamMember[]> {
  const inLine = { organizationId: sql`${organizationId}::uuid`, teamId: sql`line.id` }
  const { rows } = await sql<TeamMember>`
    with recursive ${selectLine(organizationId, team)}
    select member.email as "emailAddress", member.role
    from line
    join team on team.organization_id = ${organizationId}
      and team.id = line.id
    cross join lateral unnest(team.member_emails, team.member_roles) as member (email, role)
    union
    select account.email_key, held.role
    from line
    cross join lateral ${selectRolesInTeam(inLine)} as held
    join user_account as account on account.id = held.user_id
  `.execute(db)
  return rows
}

/** Finds the address of the person behind a caller, in lower case; undefined for keys of teams and organizations. */
export async function findCallerAddress(
  db: Database,
  { userId }: Caller,
): Promise<string | undefined> {
  if (userId === undefined) return undefined
  const { rows } = await sql<{ address: string }>`
    select email_key as address
    from user_account
    where id = ${userId}::uuid
  `.execute(db)
  return rows[0]?.address
}

/** Finds a team's document. */
export async function findTeam(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<{ document: string; digest: string } | undefined> {
  return await db
    .selectFrom('team')
    .select(['document', 'digest'])
    .where('organization_id', '=', organizationId)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
}

/**
 * Lists a page of teams by creation, and one more if there is a next page: all, or those in which the person with an
 * address has a role. The documents may also name people who are not members yet.
 */
export async function listReferences(
  db: Database,
  organizationId: string,
  page: number,
  email: string | undefined,
): Promise<DocumentReference<string>[]> {
  const { rows } = await sql<DocumentReference<string>>`
    select external_id as key, octet_length(document) as bytes
    from team
    where organization_id = ${organizationId}
      and ${email === undefined ? sql`true` : hasMember(organizationId, email.toLowerCase())}
    order by created_at, external_id
    ${selectPage(page)}
  `.execute(db)
  return rows
}

function hasMember(organizationId: string, emailKey: string): RawBuilder<unknown> {
  return sql`(
        member_emails @> array[${emailKey}::text] and not exists (
          select
          from user_account as account
          join organization_member as member on member.organization_id = ${organizationId}
            and member.user_id = account.id
          where account.email_key = ${emailKey}
            and member.suspended_at is not null
        )
        or id in (
          select held.team_id
          from user_account as account
          cross join lateral ${selectRolesOfMember({ organizationId: sql`${organizationId}::uuid`, userId: sql`account.id` })} as held
          where account.email_key = ${emailKey}
        )
      )`
}

/** Loads documents by id, in the given order, without those that were deleted in the meantime. */
export async function loadDocuments(
  db: Database,
  organizationId: string,
  externalIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ document: string }>`
    select team.document
    from unnest(${externalIds}::text[]) with ordinality as requested (external_id, ordinal)
    join team on team.organization_id = ${organizationId}
      and team.external_id = requested.external_id
    order by requested.ordinal
  `.execute(db)
  return rows.map((row) => row.document)
}

/** The order by creation, for lists of former versions. */
export const BY_CREATION: RawBuilder<unknown> = sql`created_at`

/** SQL condition: a former version of a team has a member. */
export function hadMember(email: string): RawBuilder<unknown> {
  return sql`facts->'emails' ? ${email.toLowerCase()}::text`
}
