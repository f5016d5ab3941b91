import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { DirectoryRefusal } from './directory-key.ts'

/** The refusals of an organization that are kept. */
const REFUSALS_MAX = 50

/** The last request of a directory, and when the process noticed it. */
interface LastRequest {
  organizationId: string
  requestedAt: string
}

/** A refused request ready to insert. */
interface NewRefusal extends DirectoryRefusal {
  organizationId: string
}

/** Counts of what a directory has provisioned, and its last request. */
interface DirectoryCounts {
  lastRequestAt: string | null
  userCount: number
  suspendedCount: number
  groupCount: number
}

/** Counts the people and the groups of a directory, and finds its last request. */
export async function countProvisioned(
  db: Database,
  organizationId: string,
): Promise<DirectoryCounts> {
  const { rows } = await sql<DirectoryCounts>`
    select
      (
        select last_request_at
        from directory_state
        where organization_id = ${organizationId}
      ) as "lastRequestAt",
      (
        select count(*)::int
        from directory_user
        where organization_id = ${organizationId}
      ) as "userCount",
      (
        select count(*)::int
        from organization_member
        where organization_id = ${organizationId}
          and suspended_at is not null
      ) as "suspendedCount",
      (
        select count(*)::int
        from directory_group
        where organization_id = ${organizationId}
      ) as "groupCount"
  `.execute(db)
  return rows[0] ?? { lastRequestAt: null, userCount: 0, suspendedCount: 0, groupCount: 0 }
}

/** Lists the last refused requests of a directory, newest first. */
export async function listRefusals(
  db: Database,
  organizationId: string,
): Promise<DirectoryRefusal[]> {
  const { rows } = await sql<DirectoryRefusal>`
    select id, refused_at as "refusedAt", method, path, status, sentence, request_id as "requestId"
    from directory_refusal
    where organization_id = ${organizationId}
    order by refused_at desc, id desc
    limit ${REFUSALS_MAX}
  `.execute(db)
  return rows
}

/** Records the last requests of directories, one for each organization. An organization that no longer exists is left out. */
export async function upsertLastRequests(
  db: Database,
  requests: readonly LastRequest[],
): Promise<void> {
  await sql`
    insert into directory_state (organization_id, last_request_at)
    select organization.id, last_request.at
    from unnest(
      ${requests.map(({ organizationId }) => organizationId)}::uuid[],
      ${requests.map(({ requestedAt }) => requestedAt)}::timestamptz[]
    ) as last_request (organization_id, at)
    join organization on organization.id = last_request.organization_id
    order by organization.id
    on conflict (organization_id) do update
    set last_request_at = greatest(directory_state.last_request_at, excluded.last_request_at)
  `.execute(db)
}

/** Inserts refused requests of directories. */
export async function insertRefusals(db: Database, refusals: readonly NewRefusal[]): Promise<void> {
  await sql`
    insert into directory_refusal (
      organization_id, id, refused_at, method, path, status, sentence, request_id
    )
    select organization.id, refusal.id, refusal.refused_at, method, path, status, sentence, request_id
    from unnest(
      ${refusals.map(({ organizationId }) => organizationId)}::uuid[],
      ${refusals.map(({ id }) => id)}::uuid[],
      ${refusals.map(({ refusedAt }) => refusedAt)}::timestamptz[],
      ${refusals.map(({ method }) => method)}::text[],
      ${refusals.map(({ path }) => path)}::text[],
      ${refusals.map(({ status }) => status)}::integer[],
      ${refusals.map(({ sentence }) => sentence)}::text[],
      ${refusals.map(({ requestId }) => requestId)}::text[]
    ) as refusal (organization_id, id, refused_at, method, path, status, sentence, request_id)
    join organization on organization.id = refusal.organization_id
  `.execute(db)
}

/** Deletes all but the last refused requests of organizations. */
export async function deleteOldRefusals(
  db: Database,
  organizationIds: readonly string[],
): Promise<void> {
  await sql`
    delete from directory_refusal
    using (
      select organization_id, id, row_number() over (
        partition by organization_id
        order by refused_at desc, id desc
      ) as position
      from directory_refusal
      where organization_id = any(${organizationIds}::uuid[])
    ) as ranked
    where directory_refusal.organization_id = ranked.organization_id
      and directory_refusal.id = ranked.id
      and ranked.position > ${REFUSALS_MAX}
  `.execute(db)
}
