import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { keepName, NO_NAME } from '../../ledger/activity/person-record.ts'
import { appendActivity } from '../../ledger/activity/record.ts'
import { sql, type RawBuilder } from 'kysely'
import { isOwner } from '../../requests/access/effective-role.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { toEmailKey } from '../users/user.ts'
import { INVITATIONS_MAX, type Invitation, type OpenInvitation } from './invitation.ts'
import type { MemberRole } from './member.ts'

const LIFETIME = sql`interval '7 days'`

/** The result of adding an invitation. `expiresAt` is null if it was not added. */
interface InsertedInvitation {
  expiresAt: string | null
  isMember: boolean
}

/**
 * Adds an invitation, or replaces that of the same address. The same statement checks that the address has no
 * member and that the limit is not exceeded.
 */
export async function upsertInvitation(
  db: Database,
  clock: Clock,
  organizationId: string,
  input: {
    id: string
    email: string
    role: MemberRole
    tokenHash: Buffer
    invitedBy: string
    requestId: string
  },
): Promise<InsertedInvitation> {
  const actor = { principal: `user:${input.invitedBy}`, requestId: input.requestId }
  const emailKey = toEmailKey(input.email)
  const { rows } = await sql<InsertedInvitation>`
    with person as (
      select organization_member.user_id
      from organization_member
      join user_account on user_account.id = organization_member.user_id
      where organization_member.organization_id = ${organizationId}
        and user_account.email_key = ${emailKey}
    ),
    others as (
      select count(*) as count
      from invitation
      where organization_id = ${organizationId}
        and email_key <> ${emailKey}
    ),
    added as (
      insert into invitation (
        organization_id, id, email, email_key, role, token_hash, invited_by, created_at
      )
      select
        ${organizationId}::uuid, ${input.id}::uuid, ${input.email}, ${emailKey}, ${input.role},
        ${input.tokenHash}::bytea, ${input.invitedBy}::uuid, ${clock.now}
      from others
      where others.count < ${INVITATIONS_MAX}
        and not exists (select from person)
      on conflict (organization_id, email_key) do update
      set
        id = excluded.id,
        email = excluded.email,
        role = excluded.role,
        token_hash = excluded.token_hash,
        invited_by = excluded.invited_by,
        created_at = excluded.created_at
      returning *
    ),
    named as (${keepAddresses(organizationId, 'added')}
    ),
    recorded as (${appendInvitations(organizationId, actor, 'created', 'added')}
    )
    select
      (select created_at + ${LIFETIME} from added) as "expiresAt",
      exists (select from person) as "isMember"
  `.execute(db)
  return rows[0] ?? { expiresAt: null, isMember: false }
}

/** Lists an organization's invitations, newest first. */
export async function listInvitations(
  db: Database,
  clock: Clock,
  organizationId: string,
): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select
      invitation.id,
      invitation.email,
      invitation.role,
      user_account.name as "invitedBy",
      invitation.created_at as "createdAt",
      invitation.created_at + ${LIFETIME} as "expiresAt",
      invitation.created_at + ${LIFETIME} <= ${clock.now} as expired
    from invitation
    join user_account on user_account.id = invitation.invited_by
    where invitation.organization_id = ${organizationId}
    order by invitation.created_at desc, invitation.id
  `.execute(db)
  return rows
}

// An invitation can be accepted for seven days, while its creator is an owner of the organization.
const isOpen = (clock: Clock) => sql`
      ${isOwner({ organizationId: sql`invitation.organization_id`, userId: sql`invitation.invited_by` })}
      and invitation.created_at + ${LIFETIME} > ${clock.now}`

/** Finds an acceptable invitation by the hash of its token. */
export async function findInvitation(
  db: Database,
  clock: Clock,
  tokenHash: Buffer,
): Promise<OpenInvitation | undefined> {
  const { rows } = await sql<OpenInvitation>`
    select
      organization.name as "organizationName",
      organization.vanity_url as "vanityUrl",
      invitation.email,
      invitation.role,
      user_account.name as "invitedBy",
      invitation.created_at + ${LIFETIME} as "expiresAt"
    from invitation
    join organization on organization.id = invitation.organization_id
    join user_account on user_account.id = invitation.invited_by
    where invitation.token_hash = ${tokenHash}
      and ${isOpen(clock)}
  `.execute(db)
  return rows[0]
}

/** An invitation that a person accepts. */
export interface ClaimedInvitation {
  organizationId: string
  role: MemberRole
  email: string
}

/**
 * Deletes and returns an acceptable invitation by the hash of its token. Of two concurrent calls, one waits for the
 * other's row lock and then finds nothing.
 */
export async function claimInvitation(
  db: Database,
  clock: Clock,
  tokenHash: Buffer,
): Promise<ClaimedInvitation | undefined> {
  const { rows } = await sql<ClaimedInvitation>`
    delete from invitation
    where invitation.token_hash = ${tokenHash}
      and ${isOpen(clock)}
    returning invitation.organization_id as "organizationId", invitation.role, invitation.email
  `.execute(db)
  return rows[0]
}

/** Deletes an invitation. Returns whether it existed. */
export async function deleteInvitation(
  db: Database,
  organizationId: string,
  id: string,
  actor: ActivityActor,
): Promise<boolean> {
  return await withdraw(db, organizationId, sql`id = ${id}`, actor)
}

/** Deletes all invitations that a person created. */
export async function deleteInvitationsBy(
  db: Database,
  organizationId: string,
  userId: string,
  actor: ActivityActor,
): Promise<void> {
  await withdraw(db, organizationId, sql`invited_by = ${userId}`, actor)
}

/** Deletes all invitations of an address. */
export async function deleteInvitationsTo(
  db: Database,
  organizationId: string,
  emailKey: string,
  actor: ActivityActor,
): Promise<void> {
  await withdraw(db, organizationId, sql`email_key = ${emailKey}`, actor)
}

async function withdraw(
  db: Database,
  organizationId: string,
  condition: RawBuilder<unknown>,
  actor: ActivityActor,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with removed as (
      delete from invitation
      where organization_id = ${organizationId}
        and ${condition}
      returning *
    )
    ${appendInvitations(organizationId, actor, 'withdrawn', 'removed')}
  `.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

// Keeps the addresses of invitations for the activity.
function keepAddresses(organizationId: string, result: string): RawBuilder<unknown> {
  const columns = { id: sql`id`, name: sql`email`, addressKey: sql`email_key` }
  const names = { kind: 'invitation', organizationId, ...columns } as const
  return keepName(names, sql`from ${sql.table(result)}`)
}

function appendInvitations(
  organizationId: string,
  actor: ActivityActor,
  action: string,
  result: string,
): RawBuilder<unknown> {
  const entry = {
    kind: 'invitation',
    action,
    at: sql`clock_timestamp()`,
    subject: sql`id`,
    name: NO_NAME,
    details: sql`jsonb_build_object('role', role)`,
  } as const
  return appendActivity({ organizationId, ...actor }, entry, sql`from ${sql.table(result)}`)
}
