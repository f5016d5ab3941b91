import type { Log } from './log.ts'
import { MailFailure, type Mail, type MailClient } from './smtp-client.ts'

/**
 * Sends e-mails in the background that must not be stored because they contain a secret. They are kept in memory and
 * repeated a few times; a message that is still waiting when the process ends is lost.
 */
export interface MailOutbox {
  /** Sends an e-mail soon. `about` identifies it in the log, without secrets. Returns false if too many are waiting. */
  post(mail: Mail, about: Readonly<Record<string, string>>): boolean
  stop(): void
}

const WAITING_MAX = 100
const RETRY_DELAYS_MS = [10_000, 60_000, 300_000]

/** Creates an outbox. A temporary failure is repeated after each of the delays. */
export function newMailOutbox(
  client: MailClient,
  log: Log,
  retryDelaysMs: readonly number[] = RETRY_DELAYS_MS,
): MailOutbox {
  const timers = new Set<NodeJS.Timeout>()
  let waitingCount = 0
  const attempt = async (mail: Mail, about: object, failures: number): Promise<void> => {
    try {
      await client.send(mail)
      log.info(about, 'an e-mail was sent')
      waitingCount -= 1
    } catch (error) {
      const reason = error instanceof MailFailure ? error.message : 'an unexpected error'
      const delayMs = retryDelaysMs[failures]
      const isRepeatable = error instanceof MailFailure && !error.isPermanent
      if (!isRepeatable || delayMs === undefined) {
        log.warn({ ...about, reason }, 'an e-mail could not be sent')
        waitingCount -= 1
        return
      }
      log.info({ ...about, reason, delayMs }, 'an e-mail could not be sent; it will be repeated')
      const timer = setTimeout(() => {
        timers.delete(timer)
        void attempt(mail, about, failures + 1)
      }, delayMs)
      timers.add(timer)
    }
  }
  return {
    post(mail, about) {
      if (waitingCount >= WAITING_MAX) {
        log.warn(about, 'an e-mail was not sent, because too many are waiting')
        return false
      }
      waitingCount += 1
      void attempt(mail, about, 0)
      return true
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
