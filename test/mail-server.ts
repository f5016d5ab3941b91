/** A real mail server on this machine, whose answers a test decides. */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { simpleParser, type ParsedMail } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import type { SmtpSettings } from '../server/platform/kit/smtp-settings.ts'

/** An answer to a recipient or a message: a status, nothing at all, or the end of the connection. */
export type MailReply = { status: number; text: string } | 'hang' | 'drop'

/** An accepted message. */
export interface ReceivedMail {
  /** The recipient of the envelope. */
  to: string
  /** The message as it was sent. */
  raw: string
  message: ParsedMail
  /** Whether it was sent with TLS, and the user that signed in. */
  isSecure: boolean
  user: string | undefined
}

/** A running mail server. */
export interface MailServer {
  settings: SmtpSettings
  /** The accepted messages in the order of their arrival. */
  mails: ReceivedMail[]
  /** All recipients that clients named, also rejected ones. */
  recipients: string[]
  /** Decides the answer to a recipient; undefined = it is accepted. */
  answerRecipient: (address: string) => MailReply | undefined
  /** Decides the answer to a complete message; undefined = it is accepted. */
  answerMessage: (address: string) => MailReply | undefined
  close(): Promise<void>
}

/** Options of a mail server. */
interface MailServerOptions {
  /** A certificate for STARTTLS; undefined = no encryption. */
  certificate?: { key: string; cert: string }
  /** Whether connections begin with TLS. */
  isImplicitTls?: boolean
  /** The user and password that clients need. */
  account?: { user: string; password: string }
  /** Whether it accepts connections without a greeting. */
  isSilent?: boolean
  /** The port; undefined = a free one. */
  port?: number
}

/** Starts a mail server. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { certificate, isImplicitTls = false, account, isSilent = false } = options
  const silent = Promise.withResolvers<never>()
  const server = new SMTPServer({
    ...certificate,
    secure: isImplicitTls,
    disabledCommands: [
      ...(certificate === undefined || isImplicitTls ? ['STARTTLS'] : []),
      ...(account === undefined ? ['AUTH'] : []),
    ],
    authOptional: account === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onConnect(_session, callback) {
      if (isSilent) void silent.promise.catch(() => {})
      else callback()
    },
    onAuth({ username, password }, _session, callback) {
      if (username === account?.user && password === account?.password) {
        callback(null, { user: username })
      } else callback(newError({ status: 535, text: '5.7.8 bad credentials' }))
    },
    onRcptTo({ address }, _session, callback) {
      mailServer.recipients.push(address)
      reply(mailServer.answerRecipient(address), callback)
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const to = session.envelope.rcptTo.map(({ address }) => address).join(', ')
        void simpleParser(bytes).then((message) => {
          const answer = mailServer.answerMessage(to)
          if (answer === undefined) {
            const { secure: isSecure, user } = session
            const raw = bytes.toString('utf8')
            mailServer.mails.push({ to, raw, message, isSecure, user })
          }
          reply(answer, callback)
        })
      })
    },
  })
  // Clients that end a connection early are part of the tests.
  server.on('error', () => {})
  const listener = server.listen(options.port ?? 0, '127.0.0.1')
  const reply = (answer: MailReply | undefined, callback: (error?: Error) => void): void => {
    if (answer === undefined) callback()
    else if (answer === 'drop') for (const connection of server.connections) connection.close()
    else if (answer !== 'hang') callback(newError(answer))
  }
  await once(listener, 'listening')
  const mailServer: MailServer = {
    settings: {
      host: certificate === undefined ? '127.0.0.1' : 'localhost',
      port: (listener.address() as AddressInfo).port,
      isImplicitTls,
      user: account?.user,
      password: account?.password,
      tls: certificate === undefined ? 'none' : 'verified',
      from: { name: 'Rail catalog', address: 'catalog@rail.example' },
    },
    mails: [],
    recipients: [],
    answerRecipient: () => undefined,
    answerMessage: () => undefined,
    async close() {
      await new Promise<void>((done) => server.close(done))
    },
  }
  return mailServer
}

function newError({ status, text }: { status: number; text: string }): Error {
  return Object.assign(new Error(text), { responseCode: status })
}
