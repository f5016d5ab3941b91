import type {
  DeliveryChannel,
  DeliveryContext,
  SendOutcome,
} from '../../delivery/deliveries/channel.ts'
import type { OutgoingDelivery } from '../../delivery/deliveries/delivery.ts'
import { describeForTeam } from '../notifications/delivery-service.ts'
import { toNotificationUrl } from '../notifications/notification-link.ts'
import type { ChatResult } from './chat-answer.ts'
import { findChannelDocument } from './channel-service.ts'
import { storedChannel } from './channel.ts'
import { postToChat } from './send-service.ts'
import { z } from 'zod'

/** The content of a delivery to a channel of a team. The message is written when it is sent. */
const chatPayload = z.object({
  /** External id. */
  team: z.string(),
  channelId: z.string(),
  notificationId: z.uuid(),
})

/** The content of a delivery to a channel of a team. */
type ChatPayload = z.infer<typeof chatPayload>

/** Parses the content of a delivery to a channel; undefined if it has another form. */
function parseChatPayload(text: string): ChatPayload | undefined {
  return chatPayload.safeParse(JSON.parse(text)).data
}

// Chat systems accept about one message a second for each webhook.
const CONCURRENCY = 1

/**
 * Creates the channel of messages to chat systems. The webhook is read when a message is sent, so that a disabled or
 * deleted channel gets nothing, not even what was waiting, and a changed one gets it at its new address.
 */
export function newChatChannel({ baseUrl }: { baseUrl: string }): DeliveryChannel {
  return {
    kind: 'chat',
    concurrencyPerTarget: CONCURRENCY,
    send: async (context, delivery, signal) => await send(baseUrl, context, delivery, signal),
  }
}

async function send(
  baseUrl: string,
  { db, http, secretBox }: DeliveryContext,
  { organizationId, payload: text }: OutgoingDelivery,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const payload = parseChatPayload(text)
  if (payload === undefined) return cancel('The delivery is not a message to a channel.')
  const { team, channelId, notificationId } = payload
  const document = await findChannelDocument({ db, secretBox }, organizationId, { team, channelId })
  if (document === undefined) return cancel('The channel was deleted.')
  const { type, endpoint, enabled } = storedChannel.parse(JSON.parse(document))
  if (!enabled) return cancel('The channel is disabled.')
  const described = await describeForTeam(db, organizationId, team, notificationId)
  if (described === undefined) return cancel('The team may not see the notification any more.')
  const message = {
    title: described.text.title,
    detail: described.text.detail,
    link: {
      label: 'Open in Portbook',
      url: toNotificationUrl(baseUrl, { kind: described.kind, target: described.text.target }),
    },
    footer: `Portbook posts notifications of the team ${team} here. People who can edit the team can change that on its page.`,
  }
  return toOutcome(await postToChat(http, { system: type, endpoint }, message, signal))
}

function cancel(reason: string): SendOutcome {
  return { result: 'canceled', reason }
}

function toOutcome(result: ChatResult): SendOutcome {
  if (result.ok) return { result: 'delivered', status: result.status }
  const { error, status, retryAfterMs, isFinal } = result
  return { result: 'failed', error, status, retryAfterMs, isFinal }
}
