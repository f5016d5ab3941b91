import type { KeyUse } from '../../requests/access/authenticate.ts'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { keepName, NO_NAME } from '../../ledger/activity/person-record.ts'
import {
  appendActivity,
  selectTeam,
  type EntryOrigin,
  type NewEntry,
} from '../../ledger/activity/record.ts'
import { sql, type RawBuilder } from 'kysely'
import type { KeyScope } from '../../../formats/team/key-scope.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { API_KEYS_MAX, type ApiKey, type NewApiKey } from './api-key.ts'

const DELETED = { action: 'deleted', at: sql`clock_timestamp()` }

// A key without a person concerns the person who created it.
function appendKeys(
  origin: EntryOrigin,
  { action, at }: Pick<NewEntry, 'action' | 'at'>,
  result: 'added' | 'removed',
): RawBuilder<unknown> {
  const entry = {
    kind: 'api-key',
    action,
    at,
    subject: sql`id`,
    name: sql`case when user_id is null then display_name else ${NO_NAME} end`,
    team: selectTeam(sql`${sql.table(result)}.organization_id`, sql`team_id`),
    person: sql`coalesce(
        user_id,
        case when created_by like 'user:%' then substr(created_by, 6)::uuid end
      )`,
    details: sql`jsonb_build_object('scope', scope, 'expiresOn', expires_on)
      || case when permissions is null then '{}' else jsonb_build_object('permissions', permissions) end`,
  } as const
  return appendActivity(origin, entry, sql`from ${sql.table(result)}`)
}

/** The result of inserting a key. `id` is null if it was not inserted. */
interface InsertedKey {
  id: string | null
  /** The external ID of the key's team; null = no team was given, or it does not exist. */
  team: string | null
  /** Whether the key expires today, later or never. */
  dayIsOpen: boolean
}

/**
 * Inserts a key, unless the limit is reached. The same statement counts it in the organization's row, whose lock
 * serializes concurrent inserts.
 */
export async function insertKey(
  db: Database,
  clock: Clock,
  organizationId: string,
  key: NewApiKey & {
    id: string
    secretHash: Buffer
    secretPrefix: string
    createdBy: string
    requestId: string
  },
): Promise<InsertedKey> {
  const origin = { organizationId, principal: key.createdBy, requestId: key.requestId }
  const { rows } = await sql<InsertedKey>`
    with ${selectWish(clock, organizationId, key)},
    counted as (
      update organization
      set api_key_count = api_key_count + 1
      from wish
      where organization.id = ${organizationId}
        and api_key_count < ${API_KEYS_MAX}
        and wish.day_is_open
        and (${key.team === undefined}::boolean or wish.team_id is not null)
      returning organization.id
    ),
    added as (
      insert into api_key (
        organization_id, id, scope, team_id, user_id, display_name, secret_hash, secret_prefix,
        expires_on, permissions, created_by, created_at
      )
      select
        counted.id, ${key.id}::uuid, ${key.scope}, wish.team_id, ${key.userId ?? null}::uuid,
        ${key.displayName}, ${key.secretHash}::bytea, ${key.secretPrefix},
        ${key.expiresOn ?? null}::date, ${key.permissions ?? null}::text[], ${key.createdBy},
        ${clock.now}
      from counted
      cross join wish
      returning *
    ),
    named as (${keepName(
      {
        kind: 'api-key',
        organizationId,
        id: sql`id`,
        name: sql`display_name`,
        person: sql`user_id`,
      },
      sql`from added where user_id is not null`,
    )}
    ),
    recorded as (${appendKeys(origin, { action: 'created', at: clock.now }, 'added')}
    )
    select (select id from added) as id, wish.team, wish.day_is_open as "dayIsOpen"
    from wish
  `.execute(db)
  return rows[0] ?? { id: null, team: null, dayIsOpen: false }
}

// Selects the team of a new key, and whether its day has not passed.
function selectWish(clock: Clock, organizationId: string, key: NewApiKey): RawBuilder<unknown> {
  return sql`
    owner as (
      select id, external_id
      from team
      where organization_id = ${organizationId}
        and (
          external_id = ${key.team ?? null}
          or (not ${key.teamIsExternal ?? false}::boolean and id::text = ${key.team ?? null})
        )
      order by external_id <> ${key.team ?? null}
      limit 1
    ),
    wish as (
      select
        (select id from owner) as team_id,
        (select external_id from owner) as team,
        ${key.expiresOn ?? null}::date is null
          or ${key.expiresOn ?? null}::date >= (${clock.now} at time zone 'UTC')::date as day_is_open
    )`
}

/** Lists an organization's keys, oldest first, with expired ones last. */
export async function listKeys(
  db: Database,
  clock: Clock,
  organizationId: string,
): Promise<ApiKey[]> {
  const { rows } = await sql<ApiKey>`
    select
      api_key.id, display_name as "displayName", secret_prefix as "secretPrefix", scope, permissions,
      team.external_id as team,
      team.name as "teamName", user_id as "userId", user_account.name as "personName",
      expires_on as "expiresOn",
      coalesce(expires_on < (${clock.now} at time zone 'UTC')::date, false) as expired,
      api_key.created_at as "createdAt", created_by as "createdBy", last_used_at as "lastUsedAt"
    from api_key
    left join team on team.organization_id = api_key.organization_id
      and team.id = api_key.team_id
    left join user_account on user_account.id = api_key.user_id
    where api_key.organization_id = ${organizationId}
    order by expired, api_key.created_at, api_key.id
  `.execute(db)
  return rows
}

/** Finds the scope and the owner of a key, to decide who may delete it. */
export async function findKeyById(
  db: Database,
  organizationId: string,
  id: string,
): Promise<{ scope: KeyScope; team: string | null; userId: string | null } | undefined> {
  const { rows } = await sql<{ scope: KeyScope; team: string | null; userId: string | null }>`
    select api_key.scope, team.external_id as team, api_key.user_id as "userId"
    from api_key
    left join team on team.organization_id = api_key.organization_id
      and team.id = api_key.team_id
    where api_key.organization_id = ${organizationId}
      and api_key.id = ${id}
  `.execute(db)
  return rows[0]
}

/** Deletes a key and updates the count in one statement. Returns whether the key existed. */
export async function deleteKey(
  db: Database,
  organizationId: string,
  id: string,
  actor: ActivityActor,
): Promise<boolean> {
  const origin = { organizationId, ...actor }
  const { rows } = await sql<{ id: string }>`
    with removed as (
      delete from api_key
      where organization_id = ${organizationId}
        and id = ${id}
      returning *
    ),
    recorded as (${appendKeys(origin, DELETED, 'removed')}
    )
    update organization
    set api_key_count = api_key_count - 1
    from removed
    where organization.id = removed.organization_id
    returning organization.id
  `.execute(db)
  return rows.length > 0
}

/**
 * Records the last uses of keys, each key once and at most once a minute. It skips locked rows, so that it can never be
 * part of a deadlock.
 */
export async function touchKeys(db: Database, uses: readonly KeyUse[]): Promise<void> {
  await sql`
    with stale as (
      select api_key.organization_id, api_key.id, last_use.used_at
      from api_key
      join unnest(
        ${uses.map(({ id }) => id)}::uuid[],
        ${uses.map(({ usedAt }) => usedAt)}::timestamptz[]
      ) as last_use (id, used_at) on last_use.id = api_key.id
      where api_key.last_used_at is null
        or api_key.last_used_at < last_use.used_at - interval '1 minute'
      for no key update of api_key skip locked
    )
    update api_key
    set last_used_at = stale.used_at
    from stale
    where api_key.organization_id = stale.organization_id
      and api_key.id = stale.id
  `.execute(db)
}

/** Records the last uses of the keys of directories among all keys, as `touchKeys` does. */
export async function touchDirectoryKeys(db: Database, uses: readonly KeyUse[]): Promise<void> {
  await sql`
    with stale as (
      select directory_key.organization_id, directory_key.id, last_use.used_at
      from directory_key
      join unnest(
        ${uses.map(({ id }) => id)}::uuid[],
        ${uses.map(({ usedAt }) => usedAt)}::timestamptz[]
      ) as last_use (id, used_at) on last_use.id = directory_key.id
      where directory_key.last_used_at is null
        or directory_key.last_used_at < last_use.used_at - interval '1 minute'
      for no key update of directory_key skip locked
    )
    update directory_key
    set last_used_at = stale.used_at
    from stale
    where directory_key.organization_id = stale.organization_id
      and directory_key.id = stale.id
  `.execute(db)
}

/** Deletes all keys of a person in all organizations, in one statement. Returns their number. */
export async function deletePersonalKeys(
  db: Database,
  userId: string,
  actor: ActivityActor,
): Promise<number> {
  const origin = { organizationId: sql`removed.organization_id`, ...actor }
  const { rows } = await sql<{ count: number }>`
    with removed as (
      delete from api_key
      where user_id = ${userId}
      returning *
    ),
    recorded as (${appendKeys(origin, DELETED, 'removed')}
    ),
    counted as (
      select organization_id, count(*)::int as count
      from removed
      group by organization_id
    ),
    noted as (
      update organization
      set api_key_count = api_key_count - counted.count
      from counted
      where organization.id = counted.organization_id
    )
    select coalesce(sum(count), 0)::int as count
    from counted
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Deletes all keys of a team or person and updates the count, in one statement. */
export async function deleteOwnerKeys(
  db: Database,
  organizationId: string,
  owner: { teamId: string } | { userId: string },
  actor: ActivityActor,
): Promise<void> {
  const origin = { organizationId, ...actor }
  const isOwned =
    'teamId' in owner ? sql`team_id = ${owner.teamId}` : sql`user_id = ${owner.userId}`
  await sql`
    with removed as (
      delete from api_key
      where organization_id = ${organizationId}
        and ${isOwned}
      returning *
    ),
    recorded as (${appendKeys(origin, DELETED, 'removed')}
    )
    update organization
    set api_key_count = api_key_count - (select count(*) from removed)
    where id = ${organizationId}
  `.execute(db)
}
