import pino from 'pino'
import { openMailing, type Mailing } from '../server/platform/kit/mailing.ts'
import { startMailServer, type MailServer } from './mail-server.ts'

/** A mail server, and the e-mail of a process that uses it. */
export interface MailPost {
  server: MailServer
  mailing: Mailing
  close(): Promise<void>
}

/** Starts a mail server and opens the e-mail of a process that uses it. */
export async function openMailPost(log = pino({ level: 'silent' })): Promise<MailPost> {
  const server = await startMailServer()
  const mailing = openMailing(server.settings, log)
  return {
    server,
    mailing,
    async close() {
      mailing.close()
      await server.close()
    },
  }
}
