import { domainToASCII } from 'node:url'
import { isLoopbackHost } from './address.ts'

/**
 * The encryption of connections to a mail server: `verified` checks the certificate, `unverified` does not, `none`
 * sends everything in the clear.
 */
export const SMTP_TLS_MODES = ['verified', 'unverified', 'none'] as const

/** The encryption of connections to a mail server. */
type SmtpTls = (typeof SMTP_TLS_MODES)[number]

/** A mail server. */
interface SmtpServer {
  host: string
  port: number
  /** Whether the connection begins with TLS; otherwise it is upgraded with STARTTLS, unless TLS is `none`. */
  isImplicitTls: boolean
  user: string | undefined
  password: string | undefined
}

/** The sender of e-mails. */
interface MailAddress {
  /** The name that mail programs show; empty = none. */
  name: string
  /** An address in ASCII: `portbook@example.com`. */
  address: string
}

/** The settings with which e-mails are sent. */
export interface SmtpSettings extends SmtpServer {
  tls: SmtpTls
  from: MailAddress
}

const PORTS: ReadonlyMap<string, number> = new Map([
  ['smtp:', 587],
  ['smtps:', 465],
])

/** The form of URL that `parseSmtpUrl` accepts. */
export const SMTP_URL_FORM = 'smtp://host:587 or smtps://host:465, with user:password@ if needed'

/** Parses the URL of a mail server. Returns undefined if it has another form. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const port = url && PORTS.get(url.protocol)
  if (url === undefined || port === undefined) return undefined
  const { hostname, search, hash, pathname } = url
  // The parser keeps the host of an unknown scheme as it was written.
  const isAddress = hostname.startsWith('[')
  const host = isAddress ? hostname.slice(1, -1) : domainToASCII(decode(hostname) ?? '')
  const user = decode(url.username)
  const password = decode(url.password)
  if (host === '' || search !== '' || hash !== '' || !/^\/?$/.test(pathname)) return undefined
  if (user === undefined || password === undefined) return undefined
  return {
    host,
    port: url.port === '' ? port : Number(url.port),
    isImplicitTls: url.protocol === 'smtps:',
    user: user === '' ? undefined : user,
    password: password === '' ? undefined : password,
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

// Deliberately less than RFC 5322 allows: no quotes, no comments, no groups, and only visible ASCII.
const ADDRESS = /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?$/i
const NAME_CHARACTERS_MAX = 100

/** The form of sender that `parseMailAddress` accepts. */
export const MAIL_ADDRESS_FORM = 'portbook@example.com or Portbook <portbook@example.com>'

/** Parses the sender of e-mails: an address, with a name in front if it is in angle brackets. */
export function parseMailAddress(text: string): MailAddress | undefined {
  const bracketed = /^([^<>]*)<([^<>]+)>$/.exec(text.trim())
  const name = (bracketed?.[1] ?? '').trim().replace(/^"(.*)"$/, '$1')
  const address = (bracketed?.[2] ?? text).trim()
  const isName = name.length <= NAME_CHARACTERS_MAX && !/[\p{Cc}\p{Cf}"\\]/u.test(name)
  return ADDRESS.test(address) && isName ? { name, address } : undefined
}

/** The values of the settings of e-mail; undefined = not set. */
interface SmtpValues {
  PORTBOOK_SMTP_URL?: SmtpServer | undefined
  PORTBOOK_SMTP_USER?: string | undefined
  PORTBOOK_SMTP_PASSWORD?: string | undefined
  PORTBOOK_SMTP_TLS: SmtpTls
  PORTBOOK_MAIL_FROM?: MailAddress | undefined
}

/** Combines the settings of e-mail; undefined if there is no mail server. */
export function toSmtpSettings(values: SmtpValues): SmtpSettings | undefined {
  const { PORTBOOK_SMTP_URL: server, PORTBOOK_MAIL_FROM: from } = values
  if (server === undefined || from === undefined) return undefined
  return {
    ...server,
    user: values.PORTBOOK_SMTP_USER ?? server.user,
    password: values.PORTBOOK_SMTP_PASSWORD ?? server.password,
    tls: values.PORTBOOK_SMTP_TLS,
    from,
  }
}

const DEPENDENT = ['PORTBOOK_SMTP_USER', 'PORTBOOK_SMTP_PASSWORD', 'PORTBOOK_MAIL_FROM']

/** Returns the problems of combinations of the settings of e-mail, without their values. */
export function findSmtpConflicts(given: Readonly<Record<string, string | undefined>>): string[] {
  const problems: string[] = []
  const server = parseSmtpUrl(given['PORTBOOK_SMTP_URL'] ?? '')
  if (given['PORTBOOK_SMTP_URL'] === undefined) {
    const name = DEPENDENT.find((each) => given[each] !== undefined)
    return name === undefined ? [] : [`${name} also needs PORTBOOK_SMTP_URL`]
  }
  if (given['PORTBOOK_MAIL_FROM'] === undefined) {
    problems.push('PORTBOOK_MAIL_FROM must also be set: it is the sender of the e-mails')
  }
  const user = given['PORTBOOK_SMTP_USER'] ?? server?.user
  const password = given['PORTBOOK_SMTP_PASSWORD'] ?? server?.password
  if ((user === undefined) !== (password === undefined)) {
    problems.push('PORTBOOK_SMTP_USER and PORTBOOK_SMTP_PASSWORD must both be set, or neither')
  }
  if (given['PORTBOOK_SMTP_TLS'] !== 'none' || server === undefined) return problems
  if (server.isImplicitTls) {
    problems.push('PORTBOOK_SMTP_TLS is none, but the URL begins with smtps://')
  }
  if (password !== undefined && !isLoopbackHost(server.host)) {
    problems.push('PORTBOOK_SMTP_TLS is none, which would send the password in the clear')
  }
  return problems
}
