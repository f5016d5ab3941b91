import { sql, type RawBuilder } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendIdentityResources } from '../../ledger/activity/identity-record.ts'
import type { Database } from '../../platform/tables.ts'
import type { Comparison } from './filter.ts'
import type { GroupChange, MemberChange } from './group-change.ts'
import { toGroupKey } from './group-key.ts'
import type { GroupMember, DirectoryGroup } from './group.ts'

/** The attributes of groups that filters can compare. */
export const GROUP_FILTERS = [
  'id',
  'displayName',
  'externalId',
  'members',
  'members.value',
  'members.type',
]

const GROUP_COLUMNS = sql`
      directory_group.id,
      directory_group.display_name as "displayName",
      directory_group.external_id as "externalId",
      directory_group.version,
      directory_group.created_at as created,
      directory_group.updated_at as "lastModified"`

/** Finds a group, without counting its members. */
export async function findGroup(
  db: Database,
  organizationId: string,
  id: string,
): Promise<DirectoryGroup | undefined> {
  const { rows } = await sql<DirectoryGroup>`
    select ${GROUP_COLUMNS}
    from directory_group
    where organization_id = ${organizationId}
      and id = ${id}
  `.execute(db)
  return rows[0]
}

/** Locks a group against other changes until the end of the transaction, and finds it. */
export async function lockGroup(
  db: Database,
  organizationId: string,
  id: string,
): Promise<DirectoryGroup | undefined> {
  const { rows } = await sql<DirectoryGroup>`
    select ${GROUP_COLUMNS}
    from directory_group
    where organization_id = ${organizationId}
      and id = ${id}
    for no key update
  `.execute(db)
  return rows[0]
}

/** Counts the groups that all comparisons select. */
export async function countGroups(
  db: Database,
  organizationId: string,
  comparisons: readonly Comparison[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from directory_group
    where directory_group.organization_id = ${organizationId}
      and ${toConditions(organizationId, comparisons)}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** A group with the number of its members. */
export type CountedGroup = DirectoryGroup & { memberCount: number }

/** Lists the groups that all comparisons select, in the order of creation, each with the number of its members. */
export async function listGroups(
  db: Database,
  organizationId: string,
  comparisons: readonly Comparison[],
  { startIndex, count }: { startIndex: number; count: number },
): Promise<CountedGroup[]> {
  const { rows } = await sql<CountedGroup>`
    select
      ${GROUP_COLUMNS},
      (
        select count(*)::int
        from directory_group_member
        where directory_group_member.organization_id = directory_group.organization_id
          and directory_group_member.group_id = directory_group.id
      ) as "memberCount"
    from directory_group
    where directory_group.organization_id = ${organizationId}
      and ${toConditions(organizationId, comparisons)}
    order by directory_group.created_at, directory_group.id
    offset ${startIndex - 1}
    limit ${count}
  `.execute(db)
  return rows
}

function toConditions(
  organizationId: string,
  comparisons: readonly Comparison[],
): RawBuilder<unknown> {
  const conditions = comparisons.map((one) => toCondition(one, organizationId))
  return sql.join([sql`true`, ...conditions], sql` and `)
}

function toCondition(
  { attribute, value }: Comparison,
  organizationId: string,
): RawBuilder<unknown> {
  const text = String(value)
  switch (attribute) {
    case 'id':
      return sql`directory_group.id::text = ${text.toLowerCase()}`
    case 'displayname':
      return sql`directory_group.display_name_key = ${toGroupKey(text)}`
    case 'externalid':
      return sql`directory_group.external_id = ${text}`
    case 'members.type':
      return text.toLowerCase() === 'user' ? sql`true` : sql`false`
    default:
      return sql`directory_group.id in (
        select group_id
        from directory_group_member
        where organization_id = ${organizationId}
          and user_id::text = ${text.toLowerCase()}
      )`
  }
}

/** Lists the members of groups by the names of the people. */
export async function listGroupMembers(
  db: Database,
  organizationId: string,
  groupIds: readonly string[],
): Promise<GroupMember[]> {
  const { rows } = await sql<GroupMember>`
    select
      directory_group_member.group_id as "groupId",
      directory_group_member.user_id as "userId",
      user_account.name
    from directory_group_member
    join user_account on user_account.id = directory_group_member.user_id
    where directory_group_member.organization_id = ${organizationId}
      and directory_group_member.group_id = any(${groupIds}::uuid[])
    order by user_account.name, directory_group_member.user_id
  `.execute(db)
  return rows
}

/** Inserts a group with its members, in one statement. A constraint rejects a second name or external id, and unknown members. */
export async function insertGroup(
  db: Database,
  organizationId: string,
  group: GroupChange & { id: string; displayName: string },
  actor: ActivityActor,
): Promise<void> {
  const origin = { organizationId, ...actor }
  const { id, displayName, externalId = null, members } = group
  await sql`
    with added as (
      insert into directory_group (
        organization_id, id, display_name, display_name_key, external_id, updated_by
      )
      values (
        ${organizationId}, ${id}, ${displayName}, ${toGroupKey(displayName)}, ${externalId},
        ${actor.principal}
      )
      returning id, display_name as name, created_at
    ),
    joined as (
      insert into directory_group_member (organization_id, group_id, user_id)
      select ${organizationId}::uuid, ${id}::uuid, user_id
      from unnest(${members.added}::uuid[]) as new_member (user_id)
    )
    ${appendIdentityResources(
      origin,
      {
        kind: 'directory',
        action: 'group-created',
        at: sql`changed.created_at`,
        details: { membersAdded: members.added.length },
      },
      'added',
    )}
  `.execute(db)
}

/**
 * Changes a group and its members in one statement, which reads only the members that the change names, unless it replaces
 * them all. If nothing changes, it has no effect, no version and no entry. Returns the new version, if there is one. A
 * constraint rejects a second name or external id, and unknown members.
 */
export async function updateGroup(
  db: Database,
  organizationId: string,
  { id, displayName, externalId, members }: DirectoryGroup & { members: MemberChange },
  actor: ActivityActor,
): Promise<number | undefined> {
  const origin = { organizationId, ...actor }
  const { rows } = await sql<{ version: number }>`
    with removed as (
      delete from directory_group_member
      where organization_id = ${organizationId}
        and group_id = ${id}
        and ${toRemoved(members)}
      returning user_id
    ),
    joined as (
      insert into directory_group_member (organization_id, group_id, user_id)
      select ${organizationId}::uuid, ${id}::uuid, user_id
      from unnest(${members.added}::uuid[]) as new_member (user_id)
      on conflict (organization_id, group_id, user_id) do nothing
      returning user_id
    ),
    counted as (
      select
        (select count(*)::int from joined) as added,
        (select count(*)::int from removed) as removed
    ),
    changed as (
      update directory_group
      set display_name = ${displayName}, display_name_key = ${toGroupKey(displayName)},
        external_id = ${externalId}, version = version + 1, updated_at = clock_timestamp(),
        updated_by = ${actor.principal}
      from counted
      where organization_id = ${organizationId}
        and id = ${id}
        and (
          display_name <> ${displayName}
          or external_id is distinct from ${externalId}::text
          or counted.added > 0
          or counted.removed > 0
        )
      returning id, display_name as name, added, removed, version
    ),
    entry as (${appendIdentityResources(
      origin,
      {
        kind: 'directory',
        action: 'group-updated',
        details: sql`jsonb_build_object('membersAdded', changed.added, 'membersRemoved', changed.removed)`,
      },
      'changed',
    )}
    )
    select version
    from changed
  `.execute(db)
  return rows[0]?.version
}

function toRemoved({ clears, added, removed }: MemberChange): RawBuilder<unknown> {
  return clears
    ? sql`user_id not in (select unnest(${added}::uuid[]))`
    : sql`user_id = any(${removed}::uuid[])`
}

/** Finds the first of some people who is not a member of the organization. */
export async function findUnknownMember(
  db: Database,
  organizationId: string,
  userIds: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select added.id
    from unnest(${userIds}::uuid[]) with ordinality as added (id, position)
    where not exists (
      select
      from organization_member
      where organization_member.organization_id = ${organizationId}
        and organization_member.user_id = added.id
    )
    order by added.position
    limit 1
  `.execute(db)
  return rows[0]?.id
}

/** Deletes a group with its members. */
export async function deleteGroup(
  db: Database,
  organizationId: string,
  id: string,
  actor: ActivityActor,
): Promise<void> {
  await sql`
    with removed as (
      delete from directory_group
      where organization_id = ${organizationId}
        and id = ${id}
      returning id, display_name as name
    )
    ${appendIdentityResources({ organizationId, ...actor }, { kind: 'directory', action: 'group-deleted' }, 'removed')}
  `.execute(db)
}
