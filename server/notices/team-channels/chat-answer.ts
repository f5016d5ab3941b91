import type { HttpAnswer } from '../../platform/kit/http-client.ts'
import type { ChatSystem } from './chat-message.ts'

/** The result of posting a message. */
export type ChatResult =
  | { ok: true; status: number }
  | {
      ok: false
      /** Why, as a sentence without secrets and without texts of the receiver. */
      error: string
      /** The HTTP status; undefined = there was no answer. */
      status?: number
      /** The delay that the receiver asked for. */
      retryAfterMs?: number
      /** Whether a later attempt would fail, too, unless the channel is changed. */
      isFinal: boolean
    }

/** The names of the chat systems. */
export const CHAT_TITLES: Readonly<Record<ChatSystem, string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  googlechat: 'Google Chat',
}

const RETRY_AFTER_MS_MAX = 60 * 60 * 1000

// What statuses mean to the owner of a channel. Slack: `no_service` and `channel_not_found` are 404, `channel_is_archived` 410
// and `action_prohibited` 403. Workflows of Teams answer 401 and 403 if they need a signed-in caller, and 404 after they were
// deleted. Google Chat answers 404 for a removed space and 401 or 403 for a wrong key or token.
const REASONS: Readonly<Record<number, string>> = {
  400: 'rejected the message. Check that the type of the channel is right',
  401: 'does not accept this webhook. Create a new one',
  403: 'does not allow this webhook to post',
  404: 'does not have this webhook any more. Create a new one',
  410: 'reports that the channel is archived or removed',
  413: 'rejected the message as too large',
}

/**
 * Interprets the answer of a chat system. Any 2xx is accepted: Slack answers 200 with `ok`, Workflows of Teams 202, Google
 * Chat 200 with the message. Statuses that a new attempt may change are 408, 425, 429 and 5xx.
 */
export function readChatAnswer(system: ChatSystem, { status, headers }: HttpAnswer): ChatResult {
  const title = CHAT_TITLES[system]
  if (status >= 200 && status < 300) return { ok: true, status }
  const fail = (reason: string, isFinal: boolean): ChatResult => ({
    ok: false,
    error: `${title} ${reason} (${status}).`,
    status,
    ...toRetryAfter(headers['retry-after']),
    isFinal,
  })
  if (status === 429) return fail('receives too many messages', false)
  if (status === 408 || status === 425 || status >= 500) return fail('is not available', false)
  return fail(REASONS[status] ?? 'rejected the message', true)
}

// Seconds or a date: RFC 9110, 10.2.3.
function toRetryAfter(value: string | undefined): { retryAfterMs?: number } {
  if (value === undefined) return {}
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return ms > 0 ? { retryAfterMs: Math.min(ms, RETRY_AFTER_MS_MAX) } : {}
}
