import { sql, type RawBuilder } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendActivity, selectTeam } from '../../ledger/activity/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { IntegrationKey } from './grants.ts'

/** A change of the settings of an integration. */
export interface SettingsChange extends IntegrationKey, ActivityActor {}

/** The settings that people change. */
interface GrantSettings {
  enabled: boolean
  pattern: string | null
}

/** Stores whether and how grants are read, with the entry of the activity in one statement; without a change there is none. */
export async function saveSettings(
  db: Database,
  clock: Clock,
  change: SettingsChange,
  { enabled, pattern }: GrantSettings,
): Promise<void> {
  const { organizationId, integrationId, principal } = change
  await sql`
    with former as materialized (
      select enabled, pattern
      from grant_reading
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
    ),
    changed as (
      insert into grant_reading (organization_id, integration_id, enabled, pattern, updated_at, updated_by)
      values (${organizationId}, ${integrationId}, ${enabled}, ${pattern}, ${clock.now}, ${principal})
      on conflict (organization_id, integration_id) do update
      set enabled = excluded.enabled, pattern = excluded.pattern, updated_at = excluded.updated_at,
        updated_by = excluded.updated_by
      where (grant_reading.enabled, grant_reading.pattern) is distinct from (excluded.enabled, excluded.pattern)
      returning enabled, pattern, updated_at
    )
    ${appendEntry(change, 'grants-configured', {
      at: sql`changed.updated_at`,
      details: sql`jsonb_build_object(
        'before', (select jsonb_build_object('enabled', enabled, 'pattern', pattern) from former),
        'after', jsonb_build_object('enabled', changed.enabled, 'pattern', changed.pattern)
      )`,
    })}
  `.execute(db)
}

/** Deletes everything that was read of an integration's grants; settings and names that people mapped stay. */
export async function deleteReadGrants(
  db: Database,
  { organizationId, integrationId }: IntegrationKey,
): Promise<void> {
  await sql`
    with held as (
      delete from asset_grant
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
    ),
    scope as (
      delete from grant_scope
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
    ),
    edge as (
      delete from grantee_member
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
    ),
    administrator as (
      delete from grantee_administrator
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
    ),
    identity as (
      delete from grantee_identity
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
        and origin <> 'hand'
    )
    update grant_reading
    set read_at = null, attempted_at = null, members_read_at = null, run_id = null, incomplete_because = null,
      members_because = null, omitted = '[]'
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
  `.execute(db)
}

/** A name of the platform. */
interface GranteeName {
  granteeKind: string
  granteeName: string
}

/** Maps a name by hand, with the entry of the activity, which does not have the name, in one statement. */
export async function saveIdentity(
  db: Database,
  clock: Clock,
  change: SettingsChange,
  { granteeKind, granteeName }: GranteeName,
  subject: { kind: string; id: string | null },
): Promise<void> {
  const { organizationId, integrationId, principal } = change
  await sql`
    with changed as (
      insert into grantee_identity (
        organization_id, integration_id, grantee_kind, grantee_name, subject_kind, subject_id, origin,
        mapped_at, mapped_by
      )
      values (
        ${organizationId}, ${integrationId}, ${granteeKind}, ${granteeName}, ${subject.kind}, ${subject.id}, 'hand',
        ${clock.now}, ${principal}
      )
      on conflict (organization_id, integration_id, grantee_kind, grantee_name) do update
      set subject_kind = excluded.subject_kind, subject_id = excluded.subject_id,
        origin = excluded.origin, mapped_at = excluded.mapped_at, mapped_by = excluded.mapped_by
      where (grantee_identity.subject_kind, grantee_identity.subject_id, grantee_identity.origin)
        is distinct from (excluded.subject_kind, excluded.subject_id, excluded.origin)
      returning mapped_at
    )
    ${appendEntry(change, 'grantee-mapped', { at: sql`changed.mapped_at`, details: { subject: subject.kind } })}
  `.execute(db)
}

/** Removes a mapping by hand, with the entry of the activity, in one statement. Returns false if there is none. */
export async function deleteIdentity(
  db: Database,
  clock: Clock,
  change: SettingsChange,
  { granteeKind, granteeName }: GranteeName,
): Promise<boolean> {
  const { organizationId, integrationId } = change
  const { numAffectedRows } = await sql`
    with changed as (
      delete from grantee_identity
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
        and grantee_kind = ${granteeKind}
        and grantee_name = ${granteeName}
        and origin = 'hand'
      returning subject_kind
    )
    ${appendEntry(change, 'grantee-unmapped', {
      at: clock.now,
      details: sql`jsonb_build_object('subject', changed.subject_kind)`,
    })}
  `.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

/** Counts the names that were mapped by hand. */
export async function countByHand(
  db: Database,
  { organizationId, integrationId }: IntegrationKey,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from grantee_identity
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and origin = 'hand'
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns whether the subject of a name exists in the organization. */
export async function hasSubject(
  db: Database,
  organizationId: string,
  { kind, id }: { kind: string; id: string },
): Promise<boolean> {
  const { rows } = await sql`
    select
    where exists (
      select from team
      where organization_id = ${organizationId}
        and external_id = ${id}
        and ${kind} = 'team'
    )
    or exists (
      select from data_product
      where organization_id = ${organizationId}
        and external_id = ${id}
        and ${kind} = 'data-product'
    )
    or exists (
      select from organization_member
      where organization_id = ${organizationId}
        and user_id::text = ${id}
        and ${kind} = 'user'
    )
    or exists (
      select from access_agreement
      where organization_id = ${organizationId}
        and external_id = ${id}
        and ${kind} = 'agreement'
    )
  `.execute(db)
  return rows.length > 0
}

// For each row of the result `changed`.
function appendEntry(
  { organizationId, integrationId, principal, requestId }: SettingsChange,
  action: string,
  { at, details }: { at: RawBuilder<unknown>; details: object | RawBuilder<unknown> },
): RawBuilder<unknown> {
  const entry = {
    kind: 'integration',
    action,
    at,
    subject: sql`integration.external_id`,
    name: sql`integration.name`,
    team: selectTeam(organizationId, sql`integration.owner_team_id`),
    details,
  } as const
  const from = sql`
    from changed
    join integration on integration.organization_id = ${organizationId}
      and integration.id = ${integrationId}`
  return appendActivity({ organizationId, principal, requestId }, entry, from)
}
