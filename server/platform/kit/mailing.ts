import type { Log } from './log.ts'
import { newMailOutbox, type MailOutbox } from './mail-outbox.ts'
import { rateLimit, type Allowance } from './rate-limit.ts'
import { newMailClient, type MailClient } from './smtp-client.ts'
import type { SmtpSettings } from './smtp-settings.ts'

/** The e-mail of a process. */
export interface Mailing {
  client: MailClient
  /** For messages with secrets, which must not be stored. */
  outbox: MailOutbox
  /** Counts the messages that a person or an organization causes directly, which could annoy the recipient. */
  rate: (name: string) => Allowance
  /** The mail server as host and port, for people. */
  server: string
  /** The address of the sender. */
  from: string
  close(): void
}

const MESSAGES_PER_MINUTE = 20

/** Opens the e-mail of a process; nothing is connected before the first message. */
export function openMailing(
  settings: SmtpSettings,
  log: Log,
  client = newMailClient(settings),
): Mailing {
  const { host, port, from } = settings
  const outbox = newMailOutbox(client, log)
  return {
    client,
    outbox,
    rate: rateLimit(MESSAGES_PER_MINUTE),
    server: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    from: from.address,
    close() {
      outbox.stop()
      client.close()
    },
  }
}
