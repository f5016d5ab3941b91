import { notFound } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { NOTIFICATION_KINDS } from '../notifications/kinds.ts'
import { switchOffEmails } from '../notifications/service.ts'
import { findMailRecipient } from './recipient-store.ts'
import { openUnsubscribeToken, type UnsubscribeClaim, type UnsubscribeLink } from './unsubscribe.ts'

type UnsubscribeServices = Pick<Services, 'db' | 'secretBox'>

/** Returns the e-mails that a link switches off. Errors: not_found if the link is not genuine or the person left. */
export async function describeUnsubscribe(
  services: UnsubscribeServices,
  token: string,
): Promise<UnsubscribeLink> {
  const { claim, organizationName } = await open(services, token)
  const kindTitle = claim.kind === 'digest' ? null : NOTIFICATION_KINDS[claim.kind].title
  return { organizationName, kindTitle }
}

/**
 * Switches off the e-mails of a link: of its kind, or of all kinds that the person gets in the daily e-mail. Doing it again
 * changes nothing. Errors: not_found if the link is not genuine or the person left.
 */
export async function unsubscribe(services: UnsubscribeServices, token: string): Promise<void> {
  const { claim } = await open(services, token)
  const { organizationId, userId, kind } = claim
  await switchOffEmails(services.db, organizationId, userId, kind)
}

async function open(
  { db, secretBox }: UnsubscribeServices,
  token: string,
): Promise<{ claim: UnsubscribeClaim; organizationName: string }> {
  const claim = openUnsubscribeToken(secretBox, token)
  if (claim === undefined) throw notFound()
  const recipient = await findMailRecipient(db, claim.organizationId, claim.userId)
  if (recipient === undefined) throw notFound()
  return { claim, organizationName: recipient.organization }
}
