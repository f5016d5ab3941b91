import type {
  DeliveryChannel,
  DeliveryContext,
  SendOutcome,
} from '../../delivery/deliveries/channel.ts'
import type { OutgoingDelivery } from '../../delivery/deliveries/delivery.ts'
import type { Mailing } from '../../platform/kit/mailing.ts'
import { MAIL_CONNECTIONS_MAX, MailFailure } from '../../platform/kit/smtp-client.ts'
import { composeMail } from '../../delivery/mail/compose-service.ts'
import type { MailDraft } from '../../delivery/mail/template.ts'
import { describeForPerson } from '../notifications/delivery-service.ts'
import { NOTIFICATION_KINDS } from '../notifications/kinds.ts'
import { toNotificationUrl } from '../notifications/notification-link.ts'
import { writeDigest, writeNotification, type MailedNotification } from './notification-mail.ts'
import { findMailRecipient } from './recipient-store.ts'
import { newUnsubscribeToken, type UnsubscribeClaim } from './unsubscribe.ts'
import { z } from 'zod'

const IDS_MAX = 1000

/** The content of a delivery by e-mail: who gets it, and what it lists. The text is written when it is sent. */
const mailPayload = z.object({
  userId: z.uuid(),
  notificationIds: z.array(z.uuid()).min(1).max(IDS_MAX),
  /** Present for a digest: its day, and the number of notifications, of which the oldest may be omitted. */
  digest: z.object({ day: z.iso.date(), count: z.int() }).optional(),
})

/** The content of a delivery by e-mail. */
type MailPayload = z.infer<typeof mailPayload>

/** Parses the content of a delivery by e-mail; undefined if it has another form. */
function parseMailPayload(text: string): MailPayload | undefined {
  return mailPayload.safeParse(JSON.parse(text)).data
}

/** The services of the channel in addition to the context of deliveries. */
interface EmailSettings {
  mailing: Mailing
  /** The public address of Portbook, without a slash at its end. */
  baseUrl: string
}

// Each organization has its own share of the mail server, and no one of them uses all of its connections. Further
// messages would wait for a connection within the time of their attempt.
const CONCURRENCY_PER_ORGANIZATION = MAIL_CONNECTIONS_MAX - 1
// Above the timeout of the mail client: a message that a slow server has accepted must not be sent again.
const ATTEMPT_MS = 100_000

/**
 * Creates the channel of e-mails about notifications. The text is written when a message is sent, so that it has the
 * current address of the person, and is not sent to a person who left or switched the kind off.
 */
export function newEmailChannel(settings: EmailSettings): DeliveryChannel {
  return {
    kind: 'email',
    concurrencyPerTarget: CONCURRENCY_PER_ORGANIZATION,
    concurrency: MAIL_CONNECTIONS_MAX,
    attemptMs: ATTEMPT_MS,
    send: async (context, delivery, signal) => await send(settings, context, delivery, signal),
  }
}

async function send(
  settings: EmailSettings,
  context: DeliveryContext,
  delivery: OutgoingDelivery,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { organizationId, id } = delivery
  const payload = parseMailPayload(delivery.payload)
  if (payload === undefined) return cancel('The delivery is not an e-mail.')
  const recipient = await findMailRecipient(context.db, organizationId, payload.userId)
  if (recipient === undefined) return cancel('The person is no longer a member, or is suspended.')
  const { organization, email } = recipient
  const written = await write(settings, context, organizationId, { ...payload, organization })
  if (written === undefined)
    return cancel('The person switched these e-mails off, or may not see them.')
  const { draft, token } = written
  const parts = await composeMail(context.db, organizationId, draft)
  if (parts === undefined) return cancel('The organization switched this type of e-mail off.')
  const headers = toUnsubscribeHeaders(`${settings.baseUrl}/unsubscribe?token=${token}`)
  try {
    await settings.mailing.client.send({ to: email, id, headers, ...parts }, signal)
    return { result: 'delivered' }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    context.log.info({ deliveryId: id, err: error.cause ?? error }, 'an e-mail was not accepted')
    return { result: 'failed', error: error.message, isFinal: error.isPermanent }
  }
}

function cancel(reason: string): SendOutcome {
  return { result: 'canceled', reason }
}

interface WrittenMail {
  draft: MailDraft
  token: string
}

async function write(
  { baseUrl }: EmailSettings,
  { db, secretBox }: DeliveryContext,
  organizationId: string,
  { userId, notificationIds, digest, organization }: MailPayload & { organization: string },
): Promise<WrittenMail | undefined> {
  const described = await describeForPerson(db, organizationId, userId, notificationIds)
  const notifications = described.map(({ kind, text, because }): MailedNotification => {
    const url = toNotificationUrl(baseUrl, { kind, target: text.target })
    return { kind, kindTitle: NOTIFICATION_KINDS[kind].title, ...text, because, url }
  })
  const first = described[0]
  const [notification] = notifications
  if (first === undefined || notification === undefined) return undefined
  const kind: UnsubscribeClaim['kind'] = digest === undefined ? first.kind : 'digest'
  const token = newUnsubscribeToken(secretBox, { organizationId, userId, kind })
  // Browsers do not send the part after #, so no log on the way records it.
  const unsubscribeUrl = `${baseUrl}/unsubscribe#${token}`
  const frame = { organization, settingsUrl: `${baseUrl}/settings/notifications`, unsubscribeUrl }
  if (digest === undefined) return { draft: writeNotification(notification, frame), token }
  const { day, count } = digest
  const omittedCount = Math.max(0, count - notificationIds.length)
  const pageUrl = `${baseUrl}/notifications`
  const draft = writeDigest(notifications, { day, omittedCount }, { ...frame, pageUrl })
  return { draft, token }
}

// RFC 8058: mail programs offer a button, which posts to the link. It must be encrypted.
function toUnsubscribeHeaders(url: string): Record<string, string> {
  const header = { 'List-Unsubscribe': `<${url}>` }
  if (!url.startsWith('https://')) return header
  return { ...header, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}
