import { HttpFailure, type HttpClient } from '../../platform/kit/http-client.ts'
import { CHAT_TITLES, readChatAnswer, type ChatResult } from './chat-answer.ts'
import { toChatBody, type ChatMessage, type ChatSystem } from './chat-message.ts'

/** The webhook of a channel. */
interface ChatTarget {
  system: ChatSystem
  /** A secret: anyone who has it can post to the channel. */
  endpoint: string
}

// The dialer's reasons name the host, which people who edit the channel know.
const FINAL_FAILURES: readonly HttpFailure['kind'][] = ['refused', 'redirect']

/** Posts a message to a channel. It neither logs nor returns the address of the webhook. */
export async function postToChat(
  http: HttpClient,
  { system, endpoint }: ChatTarget,
  message: ChatMessage,
  signal: AbortSignal,
): Promise<ChatResult> {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url?.protocol !== 'https:') {
    return { ok: false, error: 'The webhook URL must begin with https://.', isFinal: true }
  }
  try {
    const answer = await http.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: toChatBody(system, message),
      signal,
    })
    return readChatAnswer(system, answer)
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    const isFinal = FINAL_FAILURES.includes(error.kind)
    return {
      ok: false,
      error: `${CHAT_TITLES[system]}: ${error.message}.`.replace('..', '.'),
      isFinal,
    }
  }
}
