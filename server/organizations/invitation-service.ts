import { randomUUIDv7 } from 'node:crypto'
import { notFound, Refusal } from '../errors.ts'
import { invalidRequest } from '../http/document.ts'
import type { Services } from '../http/endpoint.ts'
import type { Clock } from '../kit/clock.ts'
import { hashToken, isToken, newToken } from '../kit/token.ts'
import type { Database } from '../tables.ts'
import { findAccountByPassword, type PasswordServices } from '../users/guess-service.ts'
import {
  createInvitedUser,
  endSession,
  hashNewPassword,
  lockAddress,
  startSession,
  startVerifiedSession,
  type SignedIn,
} from '../users/service.ts'
import * as store from './invitation-store.ts'
import { INVITATION_PAGE, INVITATIONS_MAX, newPersonForm, type Invitation } from './invitation.ts'
import { hasMemberWithAddress, insertMember } from './member-store.ts'
import type { MemberRole } from './member.ts'

const INVITATION_PREFIX = 'pbi_'
// The salt of an address changes at most once: when it gets its first account.
const HASH_ATTEMPTS_MAX = 3
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A new invitation. Only this response has its link; the database stores the hash of the secret. */
export interface CreatedInvitation {
  id: string
  email: string
  role: MemberRole
  link: string
  expiresAt: string
}

/** Invites a person by address. Errors: already_member, limit_reached. */
export async function invite(
  { db, clock, baseUrl }: Pick<Services, 'db' | 'clock' | 'baseUrl'>,
  organizationId: string,
  wish: { email: string; role: MemberRole; invitedBy: string },
): Promise<CreatedInvitation> {
  const { email, role } = wish
  const token = newToken(INVITATION_PREFIX)
  const id = randomUUIDv7()
  const row = { ...wish, id, tokenHash: hashToken(token) }
  const { expiresAt, isMember } = await store.upsertInvitation(db, clock, organizationId, row)
  if (expiresAt !== null) {
    return { id, email, role, link: `${baseUrl}${INVITATION_PAGE}#${token}`, expiresAt }
  }
  if (isMember) throw new Refusal('already_member', `${email} is a member already.`)
  throw new Refusal(
    'limit_reached',
    `An organization has ${INVITATIONS_MAX} invitations at most, expired ones included. Withdraw some first.`,
  )
}

/** An organization's invitations, the newest first. */
export async function listInvitations(
  db: Database,
  clock: Clock,
  organizationId: string,
): Promise<Invitation[]> {
  return await store.listInvitations(db, clock, organizationId)
}

/** Withdraws an invitation: its link is worth nothing any more. Errors: not_found. */
export async function withdraw(db: Database, organizationId: string, id: string): Promise<void> {
  if (!UUID.test(id) || !(await store.deleteInvitation(db, organizationId, id))) throw notFound()
}

/**
 * Returns the invitation of a link, without revealing whether the address has an account. Errors: not_found
 * if it is used, unknown or expired.
 */
export async function lookAtInvitation(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  token: string,
): Promise<store.FoundInvitation> {
  const found = isToken(token, INVITATION_PREFIX)
    ? await store.findInvitation(db, clock, hashToken(token))
    : undefined
  if (found === undefined) throw closedLink()
  return found
}

/** The acceptance of an invitation. */
export interface Acceptance {
  token: string
  /** Undefined = the person has an account here and proves it by its password. */
  name: string | undefined
  password: string
  client: string
  formerToken: string | undefined
}

/** A person who accepted an invitation and is signed in. */
type Accepted = SignedIn & { organizationId: string }

/**
 * Makes the invited person a member and signs them in. With a name they get a new account of this
 * organization only; without one they sign in to an existing account by its password. Errors: not_found,
 * validation_failed, credentials_unknown, too_many_requests, already_member.
 */
export async function acceptInvitation(
  services: PasswordServices,
  acceptance: Acceptance,
): Promise<Accepted> {
  const { email } = await lookAtInvitation(services, acceptance.token)
  const accepted =
    acceptance.name === undefined
      ? await acceptWithAccount(services, email, acceptance)
      : await acceptAsNew(services, email, { ...acceptance, name: acceptance.name })
  const { formerToken } = acceptance
  if (formerToken !== undefined) await endSession(services.db, formerToken)
  return accepted
}

async function acceptWithAccount(
  services: PasswordServices,
  email: string,
  { token, password, client }: Acceptance,
): Promise<Accepted> {
  const { db, clock } = services
  const account = await findAccountByPassword(services, { email, password, client })
  return await db.transaction().execute(async (transaction) => {
    await lockAddress(transaction, email)
    const { organizationId, role } = await claim(transaction, clock, token)
    await requireNoMember(transaction, organizationId, email, account.id)
    await insertMember(transaction, organizationId, account.id, role)
    const session = await startVerifiedSession(transaction, clock, account)
    return { userId: account.id, token: session, organizationId }
  })
}

async function acceptAsNew(
  { db, clock }: PasswordServices,
  email: string,
  { token, name, password }: { token: string; name: string; password: string },
): Promise<Accepted> {
  const person = newPersonForm.safeParse({ name, password })
  if (!person.success) {
    throw invalidRequest(
      person.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
    )
  }
  for (let attempt = 0; attempt < HASH_ATTEMPTS_MAX; attempt += 1) {
    const passwordHash = await hashNewPassword(db, email, person.data.password)
    const accepted = await db
      .transaction()
      .execute(async (transaction) => {
        await lockAddress(transaction, email)
        const { organizationId, role } = await claim(transaction, clock, token)
        await requireNoMember(transaction, organizationId, email)
        const user = { email, name: person.data.name, passwordHash }
        const userId = await createInvitedUser(transaction, organizationId, user)
        // Leaving the transaction by an error keeps the invitation open for the next attempt.
        if (userId === undefined) throw new SaltChanged()
        await insertMember(transaction, organizationId, userId, role)
        const session = await startSession(transaction, clock, userId)
        return { userId, token: session, organizationId }
      })
      .catch(ignoreSaltChange)
    if (accepted !== undefined) return accepted
  }
  throw new Refusal('overloaded', 'This address is being used elsewhere right now. Try again.', {
    retryAfterSeconds: 1,
  })
}

/** Another account got the address first, with another salt for its password hashes. */
class SaltChanged extends Error {}

function ignoreSaltChange(error: unknown): undefined {
  if (!(error instanceof SaltChanged)) throw error
}

async function claim(
  db: Database,
  clock: Clock,
  token: string,
): Promise<{ organizationId: string; role: MemberRole }> {
  const claimed = await store.claimInvitation(db, clock, hashToken(token))
  if (claimed === undefined) throw closedLink()
  return claimed
}

// Team roles are given to addresses, so an organization has one member for each.
async function requireNoMember(
  db: Database,
  organizationId: string,
  email: string,
  exceptUserId?: string,
): Promise<void> {
  if (!(await hasMemberWithAddress(db, organizationId, email, exceptUserId))) return
  throw new Refusal('already_member', `${email} is a member already. Sign in instead.`)
}

function closedLink(): Refusal {
  return new Refusal(
    'not_found',
    'This invitation is used, withdrawn, expired or unknown. Ask for a new one.',
  )
}
