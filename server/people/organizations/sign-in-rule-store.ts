import { sql } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import {
  appendIdentityPeople,
  appendIdentityResources,
} from '../../ledger/activity/identity-record.ts'
import type { Database } from '../../platform/tables.ts'
import type { SignInRule } from './sign-in-rule.ts'

/** The rule of an organization as it is stored; version 0 = it was never changed. */
export type StoredRule = Omit<SignInRule, 'signedInWithProvider'> & { version: number }

/** Finds the sign-in rule of an organization, with its owners and the number of its enabled providers. */
export async function findSignInRule(db: Database, organizationId: string): Promise<StoredRule> {
  const { rows } = await sql<StoredRule>`
    with owner as (
      select user_account.id, user_account.name, user_account.email,
        user_account.password_hash <> '' as has_password, break_glass.user_id is not null as is_break_glass
      from organization_member as member
      join user_account on user_account.id = member.user_id
      left join break_glass on break_glass.organization_id = member.organization_id
        and break_glass.user_id = member.user_id
      where member.organization_id = ${organizationId}
        and (member.role = 'Owner' and member.suspended_at is null or break_glass.user_id is not null)
    )
    select
      coalesce(sign_in.rule, 'any') as rule,
      coalesce(sign_in.version, 0) as version,
      (
        select coalesce(
          json_agg(json_build_object('userId', id, 'name', name, 'email', email) order by name, email, id), '[]'
        )
        from owner
        where is_break_glass
      ) as "breakGlass",
      (
        select coalesce(
          json_agg(
            json_build_object('userId', id, 'name', name, 'email', email, 'hasPassword', has_password)
            order by name, email, id
          ),
          '[]'
        )
        from owner
      ) as owners,
      (
        select count(*)
        from identity_provider
        where organization_id = ${organizationId}
          and enabled
      )::integer as "enabledProviders"
    from (values (1)) as always
    left join organization_sign_in as sign_in on sign_in.organization_id = ${organizationId}
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement returned no row')
  return row
}

/** The use of a break-glass sign-in, as one owner of the organization hears of it. */
interface BreakGlassUse {
  organizationId: string
  organizationName: string
  personName: string
  /** The address of the owner. */
  to: string
}

/**
 * Lists the owners of the organizations that require their provider, and in which a person may still sign in with a
 * password: a row for each.
 */
export async function listBreakGlassUses(db: Database, userId: string): Promise<BreakGlassUse[]> {
  const { rows } = await sql<BreakGlassUse>`
    select organization.id as "organizationId", organization.name as "organizationName",
      person.name as "personName", owner_account.email as "to"
    from break_glass
    join organization_sign_in as sign_in on sign_in.organization_id = break_glass.organization_id
      and sign_in.rule = 'provider'
    join organization on organization.id = break_glass.organization_id
    join user_account as person on person.id = break_glass.user_id
    cross join lateral (
      select distinct user_id
      from organization_role
      where organization_id = break_glass.organization_id
        and role = 'Owner'
      offset 0
    ) as owner
    join user_account as owner_account on owner_account.id = owner.user_id
    where break_glass.user_id = ${userId}
    order by organization.id, owner_account.id
  `.execute(db)
  return rows
}

/** Replaces the rule of an organization, with a new version. Its activity records the former one. */
export async function upsertRule(
  transaction: Database,
  organizationId: string,
  rule: SignInRule['rule'],
  actor: ActivityActor,
): Promise<void> {
  const details = sql`jsonb_build_object(
      'before', jsonb_build_object('rule', changed.former),
      'after', jsonb_build_object('rule', changed.rule)
    )`
  const entry = { kind: 'sign-in-rule', action: 'updated', details } as const
  await sql`
    with former as (
      select rule
      from organization_sign_in
      where organization_id = ${organizationId}
    ),
    stored as (
      insert into organization_sign_in (organization_id, rule, updated_by)
      values (${organizationId}, ${rule}, ${actor.principal})
      on conflict (organization_id) do update
      set rule = excluded.rule, version = organization_sign_in.version + 1, updated_at = clock_timestamp(),
        updated_by = excluded.updated_by
      returning rule
    ),
    written as (
      select 'rule' as id, 'Sign-in rule' as name, stored.rule,
        coalesce((select rule from former), 'any') as former
      from stored
    )
    ${appendIdentityResources({ organizationId, ...actor }, entry, 'written')}
  `.execute(transaction)
}

/** Gives break-glass access to owners who do not have it. */
export async function insertBreakGlass(
  transaction: Database,
  organizationId: string,
  userIds: readonly string[],
  actor: ActivityActor,
): Promise<void> {
  const entry = { kind: 'sign-in-rule', action: 'break-glass-added' } as const
  await sql`
    with added as (
      insert into break_glass (organization_id, user_id, created_by)
      select ${organizationId}, owner.id, ${actor.principal}
      from unnest(${userIds}::uuid[]) as owner (id)
      on conflict (organization_id, user_id) do nothing
      returning user_id
    )
    ${appendIdentityPeople({ organizationId, ...actor }, entry, 'added')}
  `.execute(transaction)
}

/** Takes break-glass access away. */
export async function deleteBreakGlass(
  transaction: Database,
  organizationId: string,
  userIds: readonly string[],
  actor: ActivityActor,
): Promise<void> {
  const entry = { kind: 'sign-in-rule', action: 'break-glass-removed' } as const
  await sql`
    with removed as (
      delete from break_glass
      where organization_id = ${organizationId}
        and user_id = any(${userIds}::uuid[])
      returning user_id
    )
    ${appendIdentityPeople({ organizationId, ...actor }, entry, 'removed')}
  `.execute(transaction)
}

/** Returns whether a person is the only break-glass owner of an organization that requires its provider. */
export async function isLastBreakGlass(
  transaction: Database,
  organizationId: string,
  userId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from break_glass
    join organization_sign_in on organization_sign_in.organization_id = break_glass.organization_id
      and organization_sign_in.rule = 'provider'
    where break_glass.organization_id = ${organizationId}
      and break_glass.user_id = ${userId}
      and not exists (
        select
        from break_glass as other
        where other.organization_id = ${organizationId}
          and other.user_id <> ${userId}
      )
  `.execute(transaction)
  return rows.length > 0
}

/** Finds the id of the organization with a vanity address. */
export async function findOrganization(
  db: Database,
  vanityUrl: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('organization')
    .select('id')
    .where('vanity_url', '=', vanityUrl)
    .executeTakeFirst()
  return row?.id
}
