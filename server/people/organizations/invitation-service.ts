import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { randomUUIDv7 } from 'node:crypto'
import { notFound, ApiError, toViolations } from '../../platform/errors.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { hashToken, isToken, newToken } from '../../platform/kit/token.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import { findAccountByPassword, type PasswordServices } from '../users/password-service.ts'
import {
  createInvitedUser,
  hashNewPassword,
  lockAddress,
  requireOwnAccount,
  type SignedIn,
} from '../users/service.ts'
import { endSession, startSession } from '../users/session-service.ts'
import type { SignInOrigin } from '../users/session.ts'
import * as store from './invitation-store.ts'
import { INVITATION_PAGE, INVITATIONS_MAX, newPersonForm } from './invitation.ts'
import type { CreatedInvitation, Invitation, OpenInvitation } from './invitation.ts'
import { hasMemberWithAddress, insertMember } from './member-store.ts'
import type { MemberRole } from './member.ts'

const INVITATION_PREFIX = 'pbi_'
// The salt of an address changes at most once: when it gets its first account.
const HASH_ATTEMPTS_MAX = 3
/** Creates an invitation for an address. Only a hash of the token in its link is stored. Errors: already_member, limit_reached. */
export async function invite(
  { db, clock, baseUrl }: Pick<Services, 'db' | 'clock' | 'baseUrl'>,
  organizationId: string,
  input: { email: string; role: MemberRole; invitedBy: string; requestId: string },
): Promise<CreatedInvitation> {
  const { email, role } = input
  const token = newToken(INVITATION_PREFIX)
  const id = randomUUIDv7()
  const row = { ...input, id, tokenHash: hashToken(token) }
  const { expiresAt, isMember } = await store.upsertInvitation(db, clock, organizationId, row)
  if (expiresAt !== null) {
    return { id, email, role, link: `${baseUrl}${INVITATION_PAGE}#${token}`, expiresAt }
  }
  if (isMember) throw new ApiError('already_member', `${email} is already a member.`)
  throw new ApiError(
    'limit_reached',
    `An organization can have at most ${INVITATIONS_MAX} invitations, including expired ones. Withdraw some first.`,
  )
}

/** Lists an organization's invitations, newest first. */
export async function listInvitations(
  db: Database,
  clock: Clock,
  organizationId: string,
): Promise<Invitation[]> {
  return await store.listInvitations(db, clock, organizationId)
}

/** Withdraws an invitation, so that its link no longer works. Errors: not_found. */
export async function withdraw(
  db: Database,
  organizationId: string,
  id: string,
  actor: ActivityActor,
): Promise<void> {
  if (!isUuid(id) || !(await store.deleteInvitation(db, organizationId, id, actor)))
    throw notFound()
}

/** Withdraws all invitations of an address, by the key with which addresses are compared. */
export async function withdrawInvitationsTo(
  db: Database,
  organizationId: string,
  emailKey: string,
  actor: ActivityActor,
): Promise<void> {
  await store.deleteInvitationsTo(db, organizationId, emailKey, actor)
}

/**
 * Returns the invitation of a link. It contains no information about accounts, so an owner who opens the link
 * cannot find out whether the address has one. Errors: `not_found` if it is used, unknown or expired.
 */
export async function getOpenInvitation(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  token: string,
): Promise<OpenInvitation> {
  const invitation = isToken(token, INVITATION_PREFIX)
    ? await store.findInvitation(db, clock, hashToken(token))
    : undefined
  if (invitation === undefined) throw closedLink()
  return invitation
}

/** The input of a person who accepts an invitation. */
interface Acceptance extends SignInOrigin {
  token: string
  /** Undefined = the person has an account and authenticates with its password. */
  name: string | undefined
  password: string
  client: string
  formerToken: string | undefined
  requestId: string
}

/** A person who accepted an invitation and is signed in. */
type Accepted = SignedIn & { organizationId: string }

/**
 * Makes the person of an invitation a member and signs them in. With a name they get an account that is visible
 * only to this organization, even if other accounts have the address. Without one they authenticate with the
 * password of an existing account.
 *
 * Errors: `not_found`, `validation_failed`, `credentials_unknown`, `too_many_requests`, `already_member`,
 * `managed_by_provider`.
 */
export async function acceptInvitation(
  services: PasswordServices,
  acceptance: Acceptance,
): Promise<Accepted> {
  const { email } = await getOpenInvitation(services, acceptance.token)
  const accepted =
    acceptance.name === undefined
      ? await acceptWithAccount(services, email, acceptance)
      : await acceptAsNew(services, email, { ...acceptance, name: acceptance.name })
  const { formerToken, requestId } = acceptance
  if (formerToken !== undefined) await endSession(services.db, formerToken, requestId)
  return accepted
}

async function acceptWithAccount(
  services: PasswordServices,
  email: string,
  { token, password, ...origin }: Acceptance,
): Promise<Accepted> {
  const { db, clock } = services
  const { client, requestId } = origin
  const account = await findAccountByPassword(services, { email, password, client, requestId })
  return await db.transaction().execute(async (transaction) => {
    await lockAddress(transaction, email)
    const { organizationId, role } = await claim(transaction, clock, token)
    await requireNoMember(transaction, organizationId, email, account.id)
    await requireOwnAccount(transaction, account.id)
    const actor = { principal: `user:${account.id}`, requestId }
    await insertMember(transaction, organizationId, account.id, { role }, actor)
    const start = { ...origin, method: 'invitation', passwordHash: account.passwordHash } as const
    const session = await startSession(transaction, clock, account.id, start)
    return { userId: account.id, token: session, organizationId }
  })
}

async function acceptAsNew(
  services: PasswordServices,
  email: string,
  { token, name, password, ...origin }: Acceptance & { name: string },
): Promise<Accepted> {
  const { db, clock } = services
  const person = newPersonForm.safeParse({ name, password })
  if (!person.success) throw invalidRequest(toViolations(person.error.issues))
  for (let attempt = 0; attempt < HASH_ATTEMPTS_MAX; attempt += 1) {
    const passwordHash = await hashNewPassword(services, email, person.data.password)
    const accepted = await db
      .transaction()
      .execute(async (transaction) => {
        await lockAddress(transaction, email)
        const { organizationId, role } = await claim(transaction, clock, token)
        await requireNoMember(transaction, organizationId, email)
        const user = { email, name: person.data.name, passwordHash }
        const userId = await createInvitedUser(transaction, organizationId, user)
        // An error rolls back the transaction, which keeps the invitation open for the next attempt.
        if (userId === undefined) throw new SaltChanged()
        const actor = { principal: `user:${userId}`, requestId: origin.requestId }
        await insertMember(transaction, organizationId, userId, { role }, actor)
        const start = { ...origin, method: 'invitation' } as const
        const session = await startSession(transaction, clock, userId, start)
        return { userId, token: session, organizationId }
      })
      .catch(ignoreSaltChange)
    if (accepted !== undefined) return accepted
  }
  throw new ApiError('overloaded', 'Another request is using this address. Try again.', {
    retryAfterSeconds: 1,
  })
}

/** A lost race: another account of the address was created first and set the salt of its password hashes. */
class SaltChanged extends Error {}

function ignoreSaltChange(error: unknown): undefined {
  if (!(error instanceof SaltChanged)) throw error
}

/** Deletes and returns the invitation of a link; undefined if it is used, unknown or expired. */
export async function claimInvitation(
  db: Database,
  clock: Clock,
  token: string,
): Promise<store.ClaimedInvitation | undefined> {
  if (!isToken(token, INVITATION_PREFIX)) return undefined
  return await store.claimInvitation(db, clock, hashToken(token))
}

async function claim(db: Database, clock: Clock, token: string): Promise<store.ClaimedInvitation> {
  const claimed = await claimInvitation(db, clock, token)
  if (claimed === undefined) throw closedLink()
  return claimed
}

// Team roles belong to addresses, so an organization has at most one member per address.
async function requireNoMember(
  db: Database,
  organizationId: string,
  email: string,
  exceptUserId?: string,
): Promise<void> {
  if (!(await hasMemberWithAddress(db, organizationId, email, exceptUserId))) return
  throw new ApiError('already_member', `${email} is already a member. Sign in instead.`)
}

function closedLink(): ApiError {
  return new ApiError(
    'not_found',
    'This invitation is used, withdrawn, expired or unknown. Request a new one.',
  )
}
