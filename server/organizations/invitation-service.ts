import { randomUUIDv7 } from 'node:crypto'
import { notFound, Refusal } from '../errors.ts'
import { invalidDocument } from '../http/document.ts'
import type { Services } from '../http/endpoint.ts'
import type { Clock } from '../kit/clock.ts'
import { hashToken, isToken, newToken } from '../kit/token.ts'
import type { Database } from '../tables.ts'
import {
  findAccountByPassword,
  passwordHashOf,
  type PasswordServices,
} from '../users/guess-service.ts'
import {
  createNewUser,
  endSession,
  hasAccount,
  startSession,
  startVerifiedSession,
  type SignedIn,
} from '../users/service.ts'
import * as store from './invitation-store.ts'
import { INVITATION_PAGE, INVITATIONS_MAX, newPersonForm, type Invitation } from './invitation.ts'
import { insertMember } from './member-store.ts'
import type { MemberRole } from './member.ts'

const INVITATION_PREFIX = 'pbi_'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A new invitation, with its link for the only time: the store keeps the hash of the secret. */
export interface CreatedInvitation {
  id: string
  email: string
  role: MemberRole
  link: string
  expiresAt: string
}

/** Invites the person of an address. Errors: already_member, limit_reached. */
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

/** An invitation as the person sees it whom it is for. */
export interface OpenInvitation extends store.FoundInvitation {
  hasAccount: boolean
}

/** Tells whose invitation a link is. Errors: not_found when it is used, unknown or expired. */
export async function lookAtInvitation(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  token: string,
): Promise<OpenInvitation> {
  const found = isToken(token, INVITATION_PREFIX)
    ? await store.findInvitation(db, clock, hashToken(token))
    : undefined
  if (found === undefined) throw closedLink()
  return { ...found, hasAccount: await hasAccount(db, found.email) }
}

/** How somebody accepts an invitation. */
export interface Acceptance {
  token: string
  name: string | undefined
  password: string
  client: string
  formerToken: string | undefined
}

/**
 * Makes the person of an invitation a member and signs them in: somebody new with a name and a
 * password, somebody with an account by its password. Errors: not_found, document_invalid,
 * credentials_unknown, too_many_requests.
 */
export async function acceptInvitation(
  services: PasswordServices,
  acceptance: Acceptance,
): Promise<SignedIn & { organizationId: string }> {
  const invitation = await lookAtInvitation(services, acceptance.token)
  const accepted = invitation.hasAccount
    ? await acceptWithAccount(services, invitation, acceptance)
    : ((await acceptAsNew(services, invitation, acceptance)) ??
      // Another invitation made the account at this moment: from now on its password counts.
      (await acceptWithAccount(services, invitation, acceptance)))
  const { formerToken } = acceptance
  if (formerToken !== undefined) await endSession(services.db, formerToken)
  return accepted
}

async function acceptWithAccount(
  services: PasswordServices,
  { email }: OpenInvitation,
  { token, password, client }: Acceptance,
): Promise<SignedIn & { organizationId: string }> {
  const { db, clock } = services
  const account = await findAccountByPassword(services, { email, password, client })
  return await db.transaction().execute(async (transaction) => {
    const organizationId = await join(transaction, clock, token, account.id)
    const session = await startVerifiedSession(transaction, clock, account)
    return { userId: account.id, token: session, organizationId }
  })
}

async function acceptAsNew(
  { db, clock }: PasswordServices,
  { email }: OpenInvitation,
  { token, name, password }: Acceptance,
): Promise<(SignedIn & { organizationId: string }) | undefined> {
  const person = newPersonForm.safeParse({ name: name ?? '', password })
  if (!person.success) {
    throw invalidDocument(
      person.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
    )
  }
  const passwordHash = await passwordHashOf(person.data.password)
  return await db.transaction().execute(async (transaction) => {
    const user = { email, name: person.data.name, passwordHash }
    const userId = await createNewUser(transaction, user)
    if (userId === undefined) return undefined
    const organizationId = await join(transaction, clock, token, userId)
    const session = await startSession(transaction, clock, userId)
    return { userId, token: session, organizationId }
  })
}

async function join(db: Database, clock: Clock, token: string, userId: string): Promise<string> {
  const claimed = await store.claimInvitation(db, clock, hashToken(token))
  if (claimed === undefined) throw closedLink()
  await insertMember(db, claimed.organizationId, userId, claimed.role)
  return claimed.organizationId
}

function closedLink(): Refusal {
  return new Refusal(
    'not_found',
    'This invitation is used, withdrawn, expired or unknown. Ask for a new one.',
  )
}
