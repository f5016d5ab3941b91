import { sql } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendIdentityPeople } from '../../ledger/activity/identity-record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { toEmailKey } from '../users/user.ts'
import type { Groups } from './sign-in-claims.ts'
import { toGroupKey } from '../directory/group-key.ts'

/** The place of an identity: a person at a provider of an organization. */
interface IdentityKey {
  organizationId: string
  providerId: string
  subject: string
}

/** The facts of a sign-in that an identity keeps. */
interface IdentityFacts {
  email: string | undefined
  /** Undefined = unknown: the stored ones stay. */
  groups: Groups
}

/** A member, who may be suspended. */
export interface IdentifiedMember {
  userId: string
  isSuspended: boolean
}

/** A member who signs in, with their account. */
interface SignedInMember {
  userId: string
  email: string
  name: string
}

/**
 * Records a sign-in of a known identity: its address and, if they are known, its groups. The row lock makes the removal of
 * the member wait, so that a session begins before it ends. Returns the member; undefined = no such identity, or the
 * member is suspended.
 */
export async function touchIdentity(
  db: Database,
  clock: Clock,
  { organizationId, providerId, subject }: IdentityKey,
  { email, groups }: IdentityFacts,
): Promise<SignedInMember | undefined> {
  const { rows } = await sql<SignedInMember>`
    update provider_identity as identity
    set
      email = ${email ?? null},
      groups = coalesce(${groups ?? null}::text[], identity.groups),
      group_keys = coalesce(${groups?.map((group) => toGroupKey(group)) ?? null}::text[], identity.group_keys),
      groups_known = ${groups !== undefined},
      last_sign_in_at = ${clock.now}
    from organization_member as member
    join user_account on user_account.id = member.user_id
    where identity.organization_id = ${organizationId}
      and identity.provider_id = ${providerId}
      and identity.subject = ${subject}
      and member.organization_id = ${organizationId}
      and member.user_id = identity.user_id
      and member.suspended_at is null
    returning identity.user_id as "userId", user_account.email, user_account.name
  `.execute(db)
  return rows[0]
}

/** Finds the member of an identity. */
export async function findIdentity(
  db: Database,
  { organizationId, providerId, subject }: IdentityKey,
): Promise<IdentifiedMember | undefined> {
  const { rows } = await sql<IdentifiedMember>`
    select identity.user_id as "userId", member.suspended_at is not null as "isSuspended"
    from provider_identity as identity
    join organization_member as member on member.organization_id = ${organizationId}
      and member.user_id = identity.user_id
    where identity.organization_id = ${organizationId}
      and identity.provider_id = ${providerId}
      and identity.subject = ${subject}
  `.execute(db)
  return rows[0]
}

/** A member that a new identity may belong to. */
export interface Candidate extends IdentifiedMember {
  /** Whether the person has an identity of this provider. */
  hasIdentityHere: boolean
  /** Whether the person has an identity of any provider of the organization. */
  hasIdentity: boolean
}

const selectCandidate = (organizationId: string, providerId: string) => sql`
    select member.user_id as "userId", member.suspended_at is not null as "isSuspended",
      exists (
        select
        from provider_identity
        where organization_id = ${organizationId}
          and user_id = member.user_id
          and provider_id = ${providerId}
      ) as "hasIdentityHere",
      exists (
        select
        from provider_identity
        where organization_id = ${organizationId}
          and user_id = member.user_id
      ) as "hasIdentity"
    from organization_member as member`

/** Finds a member by their account. */
export async function findMember(
  db: Database,
  { organizationId, providerId, userId }: Omit<IdentityKey, 'subject'> & { userId: string },
): Promise<Candidate | undefined> {
  const { rows } = await sql<Candidate>`
    ${selectCandidate(organizationId, providerId)}
    where member.organization_id = ${organizationId}
      and member.user_id = ${userId}
  `.execute(db)
  return rows[0]
}

/** Finds the member whose record of the directory has the subject as its external id. */
export async function findDirectoryMember(
  db: Database,
  { organizationId, providerId, subject }: IdentityKey,
): Promise<Candidate | undefined> {
  const { rows } = await sql<Candidate>`
    ${selectCandidate(organizationId, providerId)}
    join directory_user on directory_user.organization_id = ${organizationId}
      and directory_user.user_id = member.user_id
    where member.organization_id = ${organizationId}
      and directory_user.external_id = ${subject}
  `.execute(db)
  return rows[0]
}

/** Finds the member with an address. */
export async function findMemberByAddress(
  db: Database,
  { organizationId, providerId, email }: Omit<IdentityKey, 'subject'> & { email: string },
): Promise<Candidate | undefined> {
  const { rows } = await sql<Candidate>`
    ${selectCandidate(organizationId, providerId)}
    join user_account on user_account.id = member.user_id
    where member.organization_id = ${organizationId}
      and user_account.email_key = ${toEmailKey(email)}
  `.execute(db)
  return rows[0]
}

/** Links a person to an identity of a provider. Returns false if either of them is linked already. */
export async function insertIdentity(
  db: Database,
  clock: Clock,
  { organizationId, providerId, subject, userId }: IdentityKey & { userId: string },
  { email, groups }: IdentityFacts,
  actor: ActivityActor,
): Promise<boolean> {
  const details = sql`jsonb_build_object('provider', ${providerId}::text)`
  const { rows } = await sql`
    with linked as (
      insert into provider_identity (
        organization_id, provider_id, subject, user_id, email, groups, group_keys, groups_known, last_sign_in_at
      )
      values (
        ${organizationId}, ${providerId}, ${subject}, ${userId}, ${email ?? null}, ${groups ?? []}::text[],
        ${(groups ?? []).map((group) => toGroupKey(group))}::text[], ${groups !== undefined}, ${clock.now}
      )
      on conflict do nothing
      returning user_id
    ),
    recorded as (
      ${appendIdentityPeople({ organizationId, ...actor }, { kind: 'identity-provider', action: 'linked', details }, 'linked')}
    )
    select user_id
    from linked
  `.execute(db)
  return rows.length === 1
}

/** Returns whether an organization has verified a mail domain. */
export async function isDomainVerified(
  db: Database,
  organizationId: string,
  domain: string,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from organization_domain
    where organization_id = ${organizationId}
      and domain = ${domain}
      and verified_at is not null
  `.execute(db)
  return rows.length > 0
}

/** A row of the mapping that gives a role to a group. */
interface GroupRole {
  group: string
  /** The external id of a team; null = the role is owner of the organization. */
  team: string | null
  role: string
}

/** Lists the roles that the mapping of an organization gives to groups. */
export async function listGroupRoles(
  db: Database,
  organizationId: string,
  groups: readonly string[],
): Promise<GroupRole[]> {
  const { rows } = await sql<GroupRole>`
    select group_name as group, team, coalesce(role, 'Owner') as role
    from directory_mapping
    where organization_id = ${organizationId}
      and group_key = any(${groups.map((group) => toGroupKey(group))}::text[])
    order by position
  `.execute(db)
  return rows
}

/** A provider of an organization with the identity of a person; null = not linked. */
interface LinkedProvider {
  id: string
  name: string
  enabled: boolean
  identity: { email: string | null; linkedAt: string; lastSignInAt: string | null } | null
}

/** Lists the enabled providers of an organization, and those to which a person is linked, with their identities. */
export async function listLinkedProviders(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<LinkedProvider[]> {
  const { rows } = await sql<LinkedProvider>`
    select provider.id, provider.name, provider.enabled,
      case when identity.user_id is not null then json_build_object(
        'email', identity.email, 'linkedAt', identity.created_at, 'lastSignInAt', identity.last_sign_in_at
      ) end as identity
    from identity_provider as provider
    left join provider_identity as identity on identity.organization_id = ${organizationId}
      and identity.provider_id = provider.id
      and identity.user_id = ${userId}
    where provider.organization_id = ${organizationId}
      and (provider.enabled or identity.user_id is not null)
    order by lower(provider.name), provider.id
  `.execute(db)
  return rows
}

/**
 * SQL condition: without a provider, a person can still sign in to an organization, with another enabled provider or, where
 * the rule allows it, with a password.
 */
const hasOtherWay = (organizationId: string, userId: string, providerId: string) => sql`(
      exists (
        select
        from provider_identity as other
        join identity_provider as other_provider on other_provider.organization_id = ${organizationId}
          and other_provider.id = other.provider_id
        where other.organization_id = ${organizationId}
          and other.user_id = ${userId}
          and other.provider_id <> ${providerId}
          and other_provider.enabled
      )
      or (
        exists (
          select
          from user_account
          where id = ${userId}
            and password_hash <> ''
        )
        and not exists (
          select
          from organization_sign_in
          where organization_id = ${organizationId}
            and rule = 'provider'
        )
      )
    )`

/**
 * Removes the identity of a person, and the sessions that began with it, if the person has another way to sign in. Returns
 * whether it was removed.
 */
export async function deleteIdentity(
  db: Database,
  { organizationId, providerId, userId }: Omit<IdentityKey, 'subject'> & { userId: string },
  actor: ActivityActor,
): Promise<boolean> {
  const details = sql`jsonb_build_object('provider', ${providerId}::text)`
  const { rows } = await sql`
    with unlinked as (
      delete from provider_identity as identity
      where identity.organization_id = ${organizationId}
        and identity.provider_id = ${providerId}
        and identity.user_id = ${userId}
        and ${hasOtherWay(organizationId, userId, providerId)}
      returning identity.user_id
    ),
    ended as (
      delete from session
      using unlinked
      where session.organization_id = ${organizationId}
        and session.provider_id = ${providerId}
        and session.user_id = unlinked.user_id
    ),
    recorded as (
      ${appendIdentityPeople({ organizationId, ...actor }, { kind: 'identity-provider', action: 'unlinked', details }, 'unlinked')}
    )
    select user_id
    from unlinked
  `.execute(db)
  return rows.length === 1
}

/** Returns whether a session began within the given seconds. */
export async function isRecentSession(
  db: Database,
  clock: Clock,
  sessionId: string,
  seconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from session
    where id = ${sessionId}
      and created_at + make_interval(secs => ${seconds}::integer) > ${clock.now}
  `.execute(db)
  return rows.length > 0
}
