import { SYSTEM } from '../../ledger/activity/entry.ts'
import { appendAccountActivity } from '../../ledger/activity/record.ts'
import { sql, type RawBuilder } from 'kysely'
import { isOwner } from '../../requests/access/effective-role.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { toEmailKey } from './user.ts'

const LIFETIME = sql`interval '24 hours'`
const AGREEMENT_LIFETIME = sql`interval '7 days'`

/** A reset link that an owner creates. */
interface OwnerReset {
  userId: string
  tokenHash: Buffer
  organizationId: string
  createdBy: string
  requestId: string
}

/** The result of creating a link. `expiresAt` is null if none was created. */
interface InsertedReset {
  expiresAt: string | null
  isMember: boolean
  /** The name of the organization that manages the account, which therefore has no password; null = the person does. */
  managedBy: string | null
}

// An agreement is valid for 7 days, while the person who gave it is an owner.
const agrees = (
  organizationId: RawBuilder<unknown>,
  userId: RawBuilder<unknown>,
  at: Clock['now'],
) =>
  sql`exists (
    select
    from password_reset_agreement as agreement
    where agreement.organization_id = ${organizationId}
      and agreement.user_id = ${userId}
      and agreement.created_at + ${AGREEMENT_LIFETIME} > ${at}
      and ${isOwner({ organizationId: sql`agreement.organization_id`, userId: sql`agreement.agreed_by` })}
  )`

// The member of a requested link; a managed account cannot be its target.
const selectTarget = (organizationId: string, userId: string) => sql`
    person as (
      select organization_member.user_id, manager.name as managed_by
      from organization_member
      join user_account on user_account.id = organization_member.user_id
      left join organization as manager on manager.id = user_account.managed_by
      where organization_member.organization_id = ${organizationId}
        and organization_member.user_id = ${userId}
    ),
    target as (
      select user_id
      from person
      where managed_by is null
    )`

/**
 * Records the agreement of an owner for each of their organizations in which the person is a member, and adds or
 * replaces the link of the account. The same statement checks that the person is a member, that the account is not
 * managed, and that all of their organizations agree. Two owners who agree concurrently do not see each other's agreement; the next request of
 * either creates the link.
 */
export async function upsertOwnerReset(
  db: Database,
  clock: Clock,
  { userId, tokenHash, organizationId, createdBy, requestId }: OwnerReset,
): Promise<InsertedReset> {
  const origin = { principal: `user:${createdBy}`, requestId }
  const { rows } = await sql<InsertedReset>`
    with ${selectTarget(organizationId, userId)},
    agreed as (
      insert into password_reset_agreement (organization_id, user_id, agreed_by, created_at)
      select membership.organization_id, target.user_id, owner.user_id, ${clock.now}
      from target
      join organization_member as membership on membership.user_id = target.user_id
      join organization_member as owner on owner.organization_id = membership.organization_id
      where owner.user_id = ${createdBy}
        and ${isOwner({ organizationId: sql`owner.organization_id`, userId: sql`owner.user_id` })}
      on conflict (organization_id, user_id) do update
      set
        agreed_by = excluded.agreed_by,
        created_at = excluded.created_at
      returning organization_id
    ),
    added as (
      insert into password_reset (user_id, token_hash, organization_id, created_by, created_at)
      select user_id, ${tokenHash}::bytea, ${organizationId}::uuid, ${createdBy}::uuid, ${clock.now}
      from target
      where not exists (
        select
        from organization_member as membership
        where membership.user_id = target.user_id
          and membership.organization_id not in (select organization_id from agreed)
          and not ${agrees(sql`membership.organization_id`, sql`membership.user_id`, clock.now)}
      )
      on conflict (user_id) do update
      set
        token_hash = excluded.token_hash,
        organization_id = excluded.organization_id,
        created_by = excluded.created_by,
        created_at = excluded.created_at
      returning user_id, created_at, created_at as at
    ),
    recorded as (${appendAccountActivity(origin, { action: 'reset-link-created' }, 'added')}
    )
    select
      (select created_at + ${LIFETIME} from added) as "expiresAt",
      exists (select from person) as "isMember",
      (select managed_by from person) as "managedBy"
  `.execute(db)
  return rows[0] ?? { expiresAt: null, isMember: false, managedBy: null }
}

/** Adds a link for the operator, or replaces that of the same account. */
export async function upsertOperatorReset(
  db: Database,
  clock: Clock,
  userId: string,
  tokenHash: Buffer,
): Promise<void> {
  await sql`
    with added as (
      insert into password_reset (user_id, token_hash, created_at)
      values (${userId}, ${tokenHash}, ${clock.now})
      on conflict (user_id) do update
      set
        token_hash = excluded.token_hash,
        organization_id = null,
        created_by = null,
        created_at = excluded.created_at
      returning user_id, created_at as at
    )
    ${appendAccountActivity(SYSTEM, { action: 'reset-link-created' }, 'added')}
  `.execute(db)
}

// A link is valid for 24 hours, unless a provider manages the account. One that an owner created is valid only while that person is an owner, the account
// belongs to their organization, and every other organization of the account agrees.
const isOpen = (clock: Clock) => sql`
      password_reset.created_at + ${LIFETIME} > ${clock.now}
      and exists (
        select
        from user_account as account
        where account.id = password_reset.user_id
          and account.managed_by is null
      )
      and (
        password_reset.organization_id is null
        or (
          ${isOwner({ organizationId: sql`password_reset.organization_id`, userId: sql`password_reset.created_by` })}
          and exists (
            select
            from organization_member as target
            where target.organization_id = password_reset.organization_id
              and target.user_id = password_reset.user_id
          )
          and not exists (
            select
            from organization_member as membership
            where membership.user_id = password_reset.user_id
              and membership.organization_id <> password_reset.organization_id
              and not ${agrees(
                sql`membership.organization_id`,
                sql`membership.user_id`,
                sql`password_reset.created_at`,
              )}
          )
        )
      )`

/** A reset link that can be used now. */
export interface OpenReset {
  userId: string
  email: string
  expiresAt: string
}

/** Finds a usable link by the hash of its token. */
export async function findReset(
  db: Database,
  clock: Clock,
  tokenHash: Buffer,
): Promise<OpenReset | undefined> {
  const { rows } = await sql<OpenReset>`
    select
      password_reset.user_id as "userId",
      user_account.email,
      password_reset.created_at + ${LIFETIME} as "expiresAt"
    from password_reset
    join user_account on user_account.id = password_reset.user_id
    where password_reset.token_hash = ${tokenHash}
      and ${isOpen(clock)}
  `.execute(db)
  return rows[0]
}

/**
 * Deletes a usable link by the hash of its token, with the agreements that it needed. Of two concurrent calls, one
 * waits for the other's row lock and then finds nothing. Returns the account's ID.
 */
export async function claimReset(
  db: Database,
  clock: Clock,
  tokenHash: Buffer,
): Promise<string | undefined> {
  const { rows } = await sql<{ user_id: string }>`
    with used as (
      delete from password_reset
      where token_hash = ${tokenHash}
        and ${isOpen(clock)}
      returning user_id
    ),
    ended as (
      delete from password_reset_agreement
      using used
      where password_reset_agreement.user_id = used.user_id
    )
    select user_id
    from used
  `.execute(db)
  return rows[0]?.user_id
}

/** Deletes the link of an account and the agreements to one. */
export async function deleteReset(db: Database, userId: string): Promise<void> {
  await sql`
    with ended as (
      delete from password_reset_agreement
      where user_id = ${userId}
    )
    delete from password_reset
    where user_id = ${userId}
  `.execute(db)
}

/** An account and the names of its organizations. */
interface AccountWithOrganizations {
  id: string
  organizations: string[]
  /** The name of the organization that manages the account; null = the person does. */
  managedBy: string | null
}

/** Lists the accounts with an address, in any letter case, with their organizations. */
export async function listAccountsWithOrganizations(
  db: Database,
  email: string,
): Promise<AccountWithOrganizations[]> {
  const { rows } = await sql<AccountWithOrganizations>`
    select
      user_account.id,
      coalesce(
        array_agg(organization.name order by organization.name)
          filter (where organization.name is not null),
        '{}'
      ) as organizations,
      min(manager.name) as "managedBy"
    from user_account
    left join organization_member on organization_member.user_id = user_account.id
    left join organization on organization.id = organization_member.organization_id
    left join organization as manager on manager.id = user_account.managed_by
    where user_account.email_key = ${toEmailKey(email)}
    group by user_account.id
    order by user_account.created_at, user_account.id
  `.execute(db)
  return rows
}
