import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { hashToken, newToken } from '../server/platform/kit/token.ts'
import { KEY_PREFIX } from '../server/requests/access/authenticate.ts'
import { DIRECTORY_KEY_PREFIX } from '../server/requests/access/directory-caller.ts'
import { OWNER_TEAM } from './documents.ts'

// Members and groups of a directory, inserted as a directory would provision them.

/** The numbers of members and groups; each member is in all groups. */
export interface DirectorySize {
  members: number
  groups: number
}

/** A member with a personal key that does not expire. */
export interface BenchMember {
  userId: string
  key: string
}

/** Adds a member with a personal key. */
export async function addMember(db: Client): Promise<BenchMember> {
  const [userId, key] = [randomUUID(), newToken(KEY_PREFIX)]
  await db.query(
    `insert into user_account (id, email, email_key, name, password_hash)
     values ($1, $2, $2, 'Member', '')`,
    [userId, `${userId}@velmora.example`],
  )
  await db.query(
    `insert into organization_member (organization_id, user_id, role)
     select id, $1, 'Member' from organization`,
    [userId],
  )
  await db.query(
    `insert into api_key (organization_id, id, scope, user_id, display_name, secret_hash, created_by)
     select id, gen_random_uuid(), 'user', $1, 'Key', $2, 'system' from organization`,
    [userId, hashToken(key)],
  )
  return { userId, key }
}

/** Adds members and groups, and the given member to each group. A tenth of the groups is mapped to a role. */
export async function addDirectory(
  db: Client,
  { members, groups }: DirectorySize,
  { userId }: Pick<BenchMember, 'userId'>,
): Promise<void> {
  await db.query(
    `with account as (
       insert into user_account (id, email, email_key, name, password_hash)
       select gen_random_uuid(), 'person-' || at || '@velmora.example', 'person-' || at || '@velmora.example',
         'Person ' || at, ''
       from generate_series(1, $1::integer) as at
       returning id
     )
     insert into organization_member (organization_id, user_id, role, origin)
     select organization.id, account.id, 'Member', 'directory' from organization cross join account`,
    [members - 1],
  )
  await db.query(
    `insert into directory_group (organization_id, id, display_name, display_name_key, updated_by)
     select id, gen_random_uuid(), 'Group ' || at, 'group ' || at, 'system'
     from organization cross join generate_series(1, $1::integer) as at`,
    [groups],
  )
  await db.query(
    `insert into directory_group_member (organization_id, group_id, user_id)
     select directory_group.organization_id, directory_group.id, member.user_id
     from directory_group
     join organization_member as member using (organization_id)
     where member.origin = 'directory' or member.user_id = $1`,
    [userId],
  )
  await db.query(
    `insert into directory_mapping (organization_id, position, group_name, group_key, kind, team, role)
     select id, at, 'Group ' || at * 10, 'group ' || at * 10, 'teamMemberRole', $2, 'Editor'
     from organization cross join generate_series(1, $1::integer / 10) as at`,
    [groups, OWNER_TEAM.id],
  )
  await db.query('analyze')
}

/** A key of a directory, and two groups with different numbers of members. */
export interface BenchGroups {
  key: string
  large: string
  small: string
  /** A member of neither group. */
  userId: string
}

/** Adds the groups, and a key with which a directory changes them. */
export async function addGroups(
  db: Client,
  { large, small }: { large: number; small: number },
): Promise<BenchGroups> {
  const key = newToken(DIRECTORY_KEY_PREFIX)
  const ids = { large: randomUUID(), small: randomUUID() }
  const { userId } = await addMember(db)
  await addDirectory(db, { members: large + 1, groups: 1 }, { userId })
  await db.query(
    `insert into directory_key (organization_id, id, secret_hash, secret_prefix, created_by)
     select id, gen_random_uuid(), $1, 'bench', 'system' from organization`,
    [hashToken(key)],
  )
  for (const [name, count] of Object.entries({ large, small })) {
    const id = ids[name as keyof typeof ids]
    await db.query(
      `insert into directory_group (organization_id, id, display_name, display_name_key, updated_by)
       select id, $1, $2, lower($2), 'system' from organization`,
      [id, `Group of ${count}`],
    )
    await db.query(
      `insert into directory_group_member (organization_id, group_id, user_id)
       select organization_id, $1, user_id
       from organization_member
       where origin = 'directory'
       limit $2::integer`,
      [id, count],
    )
  }
  await db.query('analyze')
  return { key, ...ids, userId }
}
