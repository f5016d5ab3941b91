import { randomUUID } from 'node:crypto'
import type { Services } from '../../requests/http/endpoint.ts'
import { composeMail } from '../../delivery/mail/compose-service.ts'
import type { MailDraft } from '../../delivery/mail/template.ts'
import type { CreatedReset } from '../users/password-reset.ts'
import { getOpenReset } from '../users/reset-service.ts'
import { getPerson } from '../users/service.ts'
import {
  writeBreakGlassUse,
  writeInvitation,
  writeLinkedIdentity,
  writePasswordReset,
} from './account-mail.ts'
import { getOpenInvitation } from './invitation-service.ts'
import type { CreatedInvitation } from './invitation.ts'
import { listBreakGlassUses } from './sign-in-rule-store.ts'
import { findOrganizationName } from './store.ts'

// Invitations and reset links are secrets: they are neither logged nor stored, so the messages are sent from memory. The
// owner who created a link sees it too, and can pass it on if the message is lost.

type AccountMailServices = Pick<Services, 'db' | 'clock' | 'log' | 'baseUrl' | 'mailing'>

/** Sends an invitation soon. Returns whether it is being sent. */
export async function mailInvitation(
  services: AccountMailServices,
  organizationId: string,
  { id, email, link, expiresAt }: CreatedInvitation,
): Promise<boolean> {
  return await postLink(services, organizationId, `invitation-${id}`, async () => {
    const { organizationName, invitedBy } = await getOpenInvitation(services, readToken(link))
    return { to: email, draft: writeInvitation({ organizationName, invitedBy, link, expiresAt }) }
  })
}

/** Sends a link with which a person sets a new password. Returns whether it is being sent. */
export async function mailReset(
  services: AccountMailServices,
  organizationId: string,
  { link, expiresAt }: CreatedReset,
): Promise<boolean> {
  return await postLink(services, organizationId, `password-reset-${randomUUID()}`, async () => {
    const { email } = await getOpenReset(services, readToken(link))
    const { host } = new URL(services.baseUrl)
    return { to: email, draft: writePasswordReset({ link, expiresAt, host }) }
  })
}

/** Informs a person that their account was linked to an identity provider. Returns whether it is being sent. */
export async function mailLinkedIdentity(
  services: AccountMailServices,
  organizationId: string,
  { userId, providerName }: { userId: string; providerName: string },
): Promise<boolean> {
  return await postLink(services, organizationId, `identity-linked-${randomUUID()}`, async () => {
    const { db, baseUrl } = services
    const { email } = await getPerson(db, userId)
    const organizationName = (await findOrganizationName(db, organizationId)) ?? 'your organization'
    const link = `${baseUrl}/settings/profile`
    const { host } = new URL(baseUrl)
    return { to: email, draft: writeLinkedIdentity({ organizationName, providerName, link, host }) }
  })
}

/** Informs all owners of the organizations in which a person has just made use of a break-glass sign-in. */
export async function mailBreakGlassUse(
  services: AccountMailServices,
  userId: string,
): Promise<void> {
  const { db, baseUrl, mailing } = services
  if (mailing === undefined) return
  const { host } = new URL(baseUrl)
  for (const use of await listBreakGlassUses(db, userId)) {
    const draft = writeBreakGlassUse({ ...use, link: `${baseUrl}/activity`, host })
    const id = `break-glass-used-${randomUUID()}`
    // One e-mail after the other, so that a sign-in does not load the database.
    // oxlint-disable-next-line no-await-in-loop
    await postLink(services, use.organizationId, id, () => Promise.resolve({ to: use.to, draft }))
  }
}

// A link that was created must reach its creator, whether or not the e-mail can be written.
async function postLink(
  { db, log, mailing }: AccountMailServices,
  organizationId: string,
  id: string,
  write: () => Promise<{ to: string; draft: MailDraft }>,
): Promise<boolean> {
  if (mailing === undefined) return false
  const about = { organizationId, mail: id }
  if (!mailing.rate(organizationId).allowed) {
    log.warn(about, 'an e-mail was not sent, because the organization sends too many')
    return false
  }
  try {
    const { to, draft } = await write()
    const parts = await composeMail(db, organizationId, draft)
    return parts !== undefined && mailing.outbox.post({ to, id, ...parts }, about)
  } catch (error) {
    log.warn({ ...about, err: error }, 'an e-mail could not be written')
    return false
  }
}

function readToken(link: string): string {
  return new URL(link).hash.slice(1)
}
