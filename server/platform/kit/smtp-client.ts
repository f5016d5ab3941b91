import { findNetworkSentence } from './network-error.ts'
import type { SmtpSettings } from './smtp-settings.ts'
import { withoutSlot } from './held-slot.ts'

/** Sends e-mails through one mail server. */
export interface MailClient {
  /**
   * Sends an e-mail; it returns once the server has accepted it. A message that was accepted just before the connection
   * ended may be sent twice. Errors: MailFailure, also if the signal aborts.
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>
  /** Closes all connections. Running messages fail. */
  close(): void
}

/** An e-mail to one address. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** The unique part of its `Message-ID`, the same in every attempt: letters, digits and dashes. */
  id: string
  /** Further headers. Their values must be ASCII without line breaks. */
  headers?: Readonly<Record<string, string>>
}

/** The limits of a client. */
interface MailLimits {
  connectionsMax: number
  /** The maximum number of messages that are being sent or wait for a connection. */
  pendingMax: number
  /** The timeout of a connection and of the server's greeting. */
  connectTimeoutMs: number
  /** The timeout between two answers of the server. */
  idleTimeoutMs: number
  /** The timeout of a whole message, including the wait for a connection. */
  totalTimeoutMs: number
}

/** A failure to send an e-mail. Its message is a sentence without secrets and without texts of the server. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  /** Whether the server rejected this message for good; otherwise a later attempt may succeed. */
  readonly isPermanent: boolean

  constructor(message: string, { isPermanent, cause }: { isPermanent: boolean; cause?: unknown }) {
    super(message, { cause })
    this.isPermanent = isPermanent
  }
}

/** The number of connections of a client. */
export const MAIL_CONNECTIONS_MAX = 3

const LIMITS: MailLimits = {
  connectionsMax: MAIL_CONNECTIONS_MAX,
  pendingMax: 200,
  connectTimeoutMs: 10_000,
  idleTimeoutMs: 30_000,
  totalTimeoutMs: 90_000,
}

// One address: nothing that separates several or ends a line.
const RECIPIENT = /^[^\s\p{Cc}<>()[\],;:\\"@]+@[^\s\p{Cc}<>()[\],;:\\"@]+$/u

// A connection is renewed after this number of messages, because many servers limit it.
const MESSAGES_PER_CONNECTION_MAX = 100
const IDLE_CONNECTION_MS = 30_000

/**
 * Creates a client. It verifies certificates with the system's authorities and those in `authorities` (PEM), unless the
 * settings switch that off. The address of the server is not restricted: it is a setting of the operator.
 */
export function newMailClient(
  settings: SmtpSettings,
  limits: Partial<MailLimits> = {},
  authorities?: readonly string[],
): MailClient {
  const all = { ...LIMITS, ...limits }
  const { from } = settings
  // The library is loaded on first use, because most processes never send a message.
  let transport: ReturnType<typeof openTransport> | undefined
  let pendingCount = 0
  let isClosed = false
  return {
    async send({ to, subject, text, html, id, headers = {} }, signal) {
      if (!RECIPIENT.test(to)) {
        const message = 'The address of the recipient cannot be used.'
        throw new MailFailure(message, { isPermanent: true })
      }
      if (isClosed || pendingCount >= all.pendingMax) {
        const reason = isClosed ? 'Portbook is stopping' : 'too many messages are waiting'
        throw new MailFailure(`The message was not sent: ${reason}.`, { isPermanent: false })
      }
      pendingCount += 1
      const timeout = AbortSignal.timeout(all.totalTimeoutMs)
      const deadline = signal === undefined ? timeout : AbortSignal.any([timeout, signal])
      try {
        transport ??= openTransport(settings, all, authorities)
        const { sendMail } = await transport
        const mail = {
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
          headers: { 'Auto-Submitted': 'auto-generated', ...toPreparedHeaders(headers) },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal: deadline,
        }
        // A request that waits for the mail server holds no slot.
        await withoutSlot(() => sendMail(mail))
      } catch (error) {
        throw toFailure(error, settings, deadline.aborted)
      } finally {
        pendingCount -= 1
      }
    },
    close() {
      isClosed = true
      void transport?.then(({ close }) => close())
    },
  }
}

async function openTransport(
  settings: SmtpSettings,
  limits: MailLimits,
  authorities: readonly string[] | undefined,
) {
  const { createTransport } = await import('nodemailer')
  const { host, port, isImplicitTls, tls, user, password } = settings
  const mailer = createTransport({
    pool: true,
    host,
    port,
    secure: isImplicitTls,
    requireTLS: !isImplicitTls && tls !== 'none',
    ignoreTLS: tls === 'none',
    tls: {
      rejectUnauthorized: tls === 'verified',
      minVersion: 'TLSv1.2',
      ...(authorities === undefined ? {} : { ca: [...authorities] }),
    },
    ...(user === undefined || password === undefined ? {} : { auth: { user, pass: password } }),
    maxConnections: limits.connectionsMax,
    maxMessages: MESSAGES_PER_CONNECTION_MAX,
    // Attempts are repeated by the caller, which records them.
    maxRequeues: 0,
    idleTimeout: IDLE_CONNECTION_MS,
    connectionTimeout: limits.connectTimeoutMs,
    dnsTimeout: limits.connectTimeoutMs,
    greetingTimeout: limits.connectTimeoutMs,
    socketTimeout: limits.idleTimeoutMs,
  })
  // The pool reports errors of idle connections, which concern no message.
  mailer.on('error', () => {})
  return {
    sendMail: mailer.sendMail.bind(mailer),
    close: () => mailer.close({ force: true }),
  }
}

// Prepared headers are folded but not encoded, so that programs find the address of a link in them.
function toPreparedHeaders(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!/^[\x20-\x7e]*$/.test(value)) throw new Error(`the value of ${name} is not plain ASCII`)
      return [name, { prepared: true, value }]
    }),
  )
}

// OpenSSL's codes for certificate errors, and Node's for other errors of TLS.
const TLS_PROBLEM = /CERT|^UNABLE_TO_|HOSTNAME|^ERR_(?:TLS|SSL)/

/** An error of the library; texts are empty if it has none. */
interface SmtpError {
  /** The library's code, such as `EAUTH`. */
  code: string
  /** The code of the operating system or of TLS that caused it. */
  systemCode: string
  /** The server's status, such as 550; undefined = the server did not reject anything. */
  status: number | undefined
  command: string
  response: string
}

function toFailure(error: unknown, settings: SmtpSettings, isLate: boolean): MailFailure {
  const { host, port } = settings
  const address = `${host}:${port}`
  const smtp = readError(error)
  const { systemCode } = smtp
  const fail = (message: string, isPermanent = false): MailFailure =>
    new MailFailure(message, { isPermanent, cause: error })
  if (smtp.code === 'EAUTH' || smtp.code === 'ENOAUTH') {
    return fail(`The mail server ${address} rejected the user or the password.`)
  }
  const isOfMessage = /^(?:MAIL FROM|RCPT TO|DATA|BDAT)/i.test(smtp.command)
  if (smtp.status !== undefined && smtp.status >= 400 && isOfMessage) {
    const status = [smtp.status, findEnhancedStatus(smtp.response)].filter(Boolean).join(' ')
    const subject = smtp.command.toUpperCase().startsWith('RCPT') ? 'recipient' : 'message'
    return smtp.status >= 500
      ? fail(`The mail server ${address} rejected the ${subject} (${status}).`, true)
      : fail(`The mail server ${address} deferred the ${subject} (${status}).`)
  }
  // An address that the library cannot send to, or one with other characters than ASCII if the server supports no others.
  if (smtp.code === 'EENVELOPE') return fail('The address of the recipient cannot be used.', true)
  if (smtp.code === 'ETLS' || TLS_PROBLEM.test(systemCode)) {
    return fail(`The connection to the mail server ${address} cannot be encrypted or verified.`)
  }
  const sentence = findNetworkSentence(systemCode)?.(address)
  if (sentence !== undefined) return fail(sentence)
  if (isLate || smtp.code === 'ETIMEDOUT') return fail(`${address} did not answer in time.`)
  if (smtp.status !== undefined) {
    return fail(`The mail server ${address} rejected the connection (${smtp.status}).`)
  }
  return fail(`The connection to the mail server ${address} failed.`)
}

function readError(error: unknown): SmtpError {
  const read = (name: string): unknown =>
    typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
  const status = read('responseCode')
  return {
    code: asString(read('code')),
    systemCode: asString(read('originalCode')) || asString(read('code')),
    status: typeof status === 'number' ? status : undefined,
    command: asString(read('command')),
    response: asString(read('response')),
  }
}

function asString(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

// RFC 3463: `550 5.1.1 …`.
function findEnhancedStatus(response: string): string | undefined {
  return /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(response)?.[1]
}
