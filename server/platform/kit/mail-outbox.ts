import type { Log } from './log.ts'
import { newFairQueue } from './fair-queue.ts'
import { MAIL_CONNECTIONS_MAX, MailFailure, type Mail, type MailClient } from './smtp-client.ts'

/**
 * Sends e-mails in the background that must not be stored because they contain a secret. They are kept in memory and
 * repeated a few times; a message that is still waiting when the process ends is lost.
 */
export interface MailOutbox {
  /** Sends an e-mail soon. Returns false if too many are waiting. */
  post(mail: Mail, about: MailSubject): boolean
  stop(): void
}

/** Identifies an e-mail in the log, without secrets. */
interface MailSubject {
  organizationId: string
  mail: string
}

const WAITING_MAX = 200
const RETRY_DELAYS_MS = [10_000, 60_000, 300_000]

/**
 * Creates an outbox. A temporary failure is repeated after each of the delays. Organizations take turns at the
 * connections to the mail server. Each may have as many waiting messages as there are free places, so that those of one
 * never take the places of all.
 */
export function newMailOutbox(
  client: MailClient,
  log: Log,
  retryDelaysMs: readonly number[] = RETRY_DELAYS_MS,
): MailOutbox {
  const timers = new Set<NodeJS.Timeout>()
  const waiting = new Map<string, number>()
  let waitingCount = 0
  const turns = newFairQueue({ runningMax: MAIL_CONNECTIONS_MAX, waitingMax: WAITING_MAX })
  const countWaiting = ({ organizationId }: MailSubject, change: 1 | -1): void => {
    waitingCount += change
    const count = (waiting.get(organizationId) ?? 0) + change
    if (count === 0) waiting.delete(organizationId)
    else waiting.set(organizationId, count)
  }
  const attempt = async (mail: Mail, about: MailSubject, failures: number): Promise<void> => {
    try {
      await turns.run({ flow: [about.organizationId] }, () => client.send(mail))
      log.info(about, 'an e-mail was sent')
      countWaiting(about, -1)
    } catch (error) {
      const reason = error instanceof MailFailure ? error.message : 'an unexpected error'
      const delayMs = retryDelaysMs[failures]
      const isRepeatable = error instanceof MailFailure && !error.isPermanent
      if (!isRepeatable || delayMs === undefined) {
        log.warn({ ...about, reason }, 'an e-mail could not be sent')
        countWaiting(about, -1)
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
      if ((waiting.get(about.organizationId) ?? 0) >= WAITING_MAX - waitingCount) {
        log.warn(about, 'an e-mail was not sent, because too many are waiting')
        return false
      }
      countWaiting(about, 1)
      void attempt(mail, about, 0)
      return true
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
