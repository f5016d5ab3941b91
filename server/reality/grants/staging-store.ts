import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { IntegrationKey, ReadingEnd } from './grants.ts'

/** The attempt of a run that reads grants. */
export interface GrantClaim extends IntegrationKey {
  runId: string
  fence: number
}

/** The kinds of what is staged. */
export type StagedKind = 'grant' | 'member' | 'administrator' | 'scope'

/** Stages what a run has read, as JSON objects. Equal ones are staged once. */
export async function insertStaged(
  db: Database,
  { organizationId, runId, fence }: GrantClaim,
  kind: StagedKind,
  contents: readonly string[],
): Promise<void> {
  await sql`
    insert into staged_grant (organization_id, run_id, fence, kind, id, content)
    select ${organizationId}, ${runId}, ${fence}, ${kind}, md5(given.content::jsonb::text)::uuid,
      given.content::jsonb
    from unnest(${contents}::text[]) as given (content)
    on conflict do nothing
  `.execute(db)
}

/** Deletes what a run has staged up to this attempt. */
export async function deleteStaged(db: Database, claim: GrantClaim): Promise<void> {
  await sql`
    delete from staged_grant
    where organization_id = ${claim.organizationId}
      and run_id = ${claim.runId}
      and fence <= ${claim.fence}
  `.execute(db)
}

/** Deletes what runs have staged whose workers died. */
export async function deleteAbandoned(db: Database): Promise<void> {
  await sql`
    delete from staged_grant as staged
    where not exists (
      select from ingestion_run as run
      where run.organization_id = staged.organization_id
        and run.id = staged.run_id
        and run.fence = staged.fence
        and run.status = 'RUNNING'
    )
  `.execute(db)
}

function isStaged(
  { organizationId, runId, fence }: GrantClaim,
  kind: StagedKind,
): RawBuilder<unknown> {
  return sql`staged.organization_id = ${organizationId}
      and staged.run_id = ${runId}
      and staged.fence = ${fence}
      and staged.kind = ${sql.lit(kind)}`
}

/** Inserts the staged grants that the catalog does not have. */
export async function publishGrants(db: Database, claim: GrantClaim): Promise<void> {
  const { organizationId, integrationId } = claim
  await sql`
    insert into asset_grant (
      organization_id, integration_id, id, path, grantee_kind, grantee_name, privilege, effect,
      columns, with_grant, inherited_from
    )
    select ${organizationId}, ${integrationId}, staged.id, content ->> 'path', content ->> 'kind',
      content ->> 'name', content ->> 'privilege', content ->> 'effect',
      case when jsonb_typeof(content -> 'columns') = 'array'
        then array(select jsonb_array_elements_text(content -> 'columns')) end,
      (content ->> 'withGrant')::boolean, content ->> 'inheritedFrom'
    from staged_grant as staged
    where ${isStaged(claim, 'grant')}
    on conflict do nothing
  `.execute(db)
}

/**
 * Deletes the grants that a run has not seen, on objects that it read wholly, on what they contain and on what contains them.
 * Others stay as they were read before.
 */
export async function deleteUnseenGrants(db: Database, claim: GrantClaim): Promise<void> {
  const { organizationId, integrationId } = claim
  await sql`
    with whole as materialized (
      select content ->> 'path' as path
      from staged_grant as staged
      where ${isStaged(claim, 'scope')}
        and (content ->> 'isWhole')::boolean
    ),
    object as materialized (
      select distinct path
      from asset_grant
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
    ),
    settled as materialized (
      select object.path
      from object
      where exists (
        select from whole
        where whole.path = object.path
          or starts_with(object.path, left(whole.path, -1) || ',')
          or starts_with(whole.path, left(object.path, -1) || ',')
          or (object.path = '[]')
          or (whole.path = '[]')
      )
    )
    delete from asset_grant as held
    using settled
    where held.organization_id = ${organizationId}
      and held.integration_id = ${integrationId}
      and held.path = settled.path
      and not exists (
        select from staged_grant as staged
        where ${isStaged(claim, 'grant')}
          and staged.id = held.id
      )
  `.execute(db)
}

/** Inserts the staged memberships; with `isWhole`, it deletes all others. */
export async function publishMembers(
  db: Database,
  claim: GrantClaim,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  const { organizationId, integrationId } = claim
  await sql`
    with seen as materialized (
      select content ->> 'roleKind' as role_kind, content ->> 'role' as role,
        content ->> 'memberKind' as member_kind, content ->> 'member' as member,
        bool_or((content ->> 'isInherited')::boolean) as is_inherited,
        bool_or((content ->> 'isSettable')::boolean) as is_settable
      from staged_grant as staged
      where ${isStaged(claim, 'member')}
      group by 1, 2, 3, 4
    ),
    gone as (
      delete from grantee_member as edge
      where ${isWhole}
        and edge.organization_id = ${organizationId}
        and edge.integration_id = ${integrationId}
        and (edge.member_kind, edge.member, edge.role_kind, edge.role) not in (
          select member_kind, member, role_kind, role
          from seen
        )
    )
    insert into grantee_member (
      organization_id, integration_id, role_kind, role, member_kind, member, is_inherited, is_settable
    )
    select ${organizationId}, ${integrationId}, role_kind, role, member_kind, member, is_inherited,
      is_settable
    from seen
    on conflict (organization_id, integration_id, member_kind, member, role_kind, role) do update
    set is_inherited = excluded.is_inherited, is_settable = excluded.is_settable
    where (grantee_member.is_inherited, grantee_member.is_settable)
      <> (excluded.is_inherited, excluded.is_settable)
  `.execute(db)
}

/** Inserts the staged administrators; with `isWhole`, it deletes all others. */
export async function publishAdministrators(
  db: Database,
  claim: GrantClaim,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  const { organizationId, integrationId } = claim
  await sql`
    with seen as materialized (
      select content ->> 'kind' as kind, content ->> 'name' as name
      from staged_grant as staged
      where ${isStaged(claim, 'administrator')}
    ),
    gone as (
      delete from grantee_administrator as former
      where ${isWhole}
        and former.organization_id = ${organizationId}
        and former.integration_id = ${integrationId}
        and (former.grantee_kind, former.grantee_name) not in (select kind, name from seen)
    )
    insert into grantee_administrator (organization_id, integration_id, grantee_kind, grantee_name)
    select ${organizationId}, ${integrationId}, kind, name
    from seen
    on conflict do nothing
  `.execute(db)
}

/**
 * Records which objects a run has read, and the attempt. Objects without an outcome keep the time of their last reading, which
 * is before the attempt.
 */
export async function recordReading(
  db: Database,
  clock: Clock,
  claim: GrantClaim,
  end: ReadingEnd,
): Promise<void> {
  const { organizationId, integrationId, runId } = claim
  const { beganAt, membersBecause, incompleteBecause, hasRead, gates, delayHours } = end
  await sql`
    with now as materialized (
      select ${clock.now} as instant
    ),
    outcome as materialized (
      select content ->> 'path' as path, bool_and((content ->> 'isWhole')::boolean) as is_whole,
        min(content ->> 'message') as message
      from staged_grant as staged
      where ${isStaged(claim, 'scope')}
      group by 1
    ),
    attempted as (
      update grant_reading
      set attempted_at = now.instant,
        read_at = case when ${hasRead} then ${beganAt}::timestamptz else read_at end,
        members_read_at = case when ${membersBecause !== undefined} then now.instant else members_read_at end,
        run_id = case when ${hasRead} then ${runId}::uuid else run_id end,
        incomplete_because = ${incompleteBecause},
        members_because = ${membersBecause === undefined ? sql`coalesce(members_because, 'They were not read.')` : membersBecause},
        gates = ${gates}::integer[], delay_hours = ${delayHours}
      from now
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
    )
    insert into grant_scope (organization_id, integration_id, path, read_at, incomplete_because)
    select ${organizationId}, ${integrationId}, outcome.path,
      case when outcome.is_whole then now.instant end, outcome.message
    from outcome
    cross join now
    on conflict (organization_id, integration_id, path) do update
    set read_at = coalesce(excluded.read_at, grant_scope.read_at),
      incomplete_because = excluded.incomplete_because
  `.execute(db)
}
