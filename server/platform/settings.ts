import { z } from 'zod'
import { chooseDataDirectory } from './data-directory.ts'
import { parseRange } from './kit/address.ts'
import { isCalendarDate } from './kit/clock.ts'
import { validateAllowedHost } from './kit/dialer.ts'
import { LOG_LEVELS } from './kit/log.ts'
import { parseEncryptionKey } from './kit/secret-box.ts'
import * as smtp from './kit/smtp-settings.ts'
import { OIDC_SHAPE } from './oidc-settings.ts'

// The settings of the environment, each with the form of its text. Rules about several of them are in `config.ts`.

function wholeNumber(min: number, max: number, what = 'a whole number') {
  const error = `must be ${what}, ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,10}$/, error)
    .transform(Number)
    .refine((number) => number >= min && number <= max, error)
}

/** Parses a text with a function that returns undefined for other forms than `form`. */
function toValue<T>(parse: (text: string) => T | undefined, form: string) {
  return z.string().transform((text, context) => {
    const value = parse(text)
    if (value !== undefined) return value
    context.addIssue(`must be ${form}`)
    return z.NEVER
  })
}

const encryptionKey = toValue(
  parseEncryptionKey,
  '32 bytes in base64 or hexadecimal, as `openssl rand -base64 32` prints',
)

/** Parses a list separated by commas or spaces. `findProblem` returns the problem of an entry. */
function parseList(what: string, findProblem: (entry: string) => string | undefined) {
  return z
    .string()
    .transform((text, context) => {
      const entries = text.split(/[\s,]+/).filter((part) => part !== '')
      const problems = entries.flatMap((entry) => findProblem(entry) ?? [])
      for (const problem of problems) context.addIssue(`must be a list of ${what}, but ${problem}`)
      return entries
    })
    .default([])
}

const portNumber = wholeNumber(0, 65_535, 'a port number')
const calendarDate = z.string().refine(isCalendarDate, 'must be a date, YYYY-MM-DD')

/** The settings by name, each a text of the environment, with their forms and usual values. */
export const settings = z.object({
  PORT: portNumber.default(8080),
  HOST: z.string().default('127.0.0.1'),
  PORTBOOK_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
    .refine(isPlainUrl, 'must have no user, no query and no fragment')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  PORTBOOK_DATA_DIR: z.string().default(() => chooseDataDirectory()),
  DATABASE_URL: z
    .url({
      protocol: /^postgres(?:ql)?$/,
      error: 'must look like postgres://user:password@host/database',
    })
    .optional(),
  PORTBOOK_POSTGRES_BIN: z.string().optional(),
  PATH: z.string().default(''),
  PORTBOOK_DATABASE_CONNECTIONS: wholeNumber(1, 1000).default(10),
  PORTBOOK_DATABASE_POOLER: z
    .enum(['auto', 'none', 'transaction'], 'must be auto, none or transaction')
    .default('auto'),
  PORTBOOK_ENCRYPTION_KEY: encryptionKey.optional(),
  PORTBOOK_ENCRYPTION_KEY_NEW: encryptionKey.optional(),
  PORTBOOK_ORGANIZATION: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(200, 'must have at most 200 characters')
    .optional(),
  PORTBOOK_OWNER_EMAIL: z.email('must be an e-mail address').optional(),
  PORTBOOK_OWNER_PASSWORD: z.string().min(12, 'must have at least 12 characters').optional(),
  PORTBOOK_API_KEY_FILE: z.string().optional(),
  PORTBOOK_DPS_UNTIL: calendarDate.default('2026-12-31'),
  PORTBOOK_DCS_UNTIL: calendarDate.default('2026-12-31'),
  PORTBOOK_EVENT_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be letters, digits, dots and dashes')
    .default('com.datamesh-manager.events.'),
  PORTBOOK_RATE_LIMIT: wholeNumber(1, 1_000_000_000).default(600_000),
  PORTBOOK_TRUSTED_PROXIES: parseList('addresses and ranges', (entry) =>
    parseRange(entry) === undefined
      ? `${entry} is not an address or a range like 10.0.0.0/8`
      : undefined,
  ),
  PORTBOOK_METRICS_PORT: portNumber.optional(),
  PORTBOOK_METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  PORTBOOK_WORKERS: wholeNumber(0, 100).default(4),
  PORTBOOK_PRIVATE_SOURCES: z.enum(['allow', 'deny'], 'must be allow or deny').optional(),
  PORTBOOK_PRIVATE_SOURCES_ALLOWED: parseList('hosts', validateAllowedHost),
  PORTBOOK_IDENTITY_ALLOWED: parseList('hosts', validateAllowedHost),
  PORTBOOK_SMTP_URL: toValue(smtp.parseSmtpUrl, smtp.SMTP_URL_FORM).optional(),
  PORTBOOK_SMTP_USER: z.string().optional(),
  PORTBOOK_SMTP_PASSWORD: z.string().optional(),
  PORTBOOK_SMTP_TLS: z
    .enum(smtp.SMTP_TLS_MODES, 'must be verified, unverified or none')
    .default('verified'),
  PORTBOOK_MAIL_FROM: toValue(smtp.parseMailAddress, smtp.MAIL_ADDRESS_FORM).optional(),
  ...OIDC_SHAPE,
  PORTBOOK_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
})

/** The settings by name, parsed; an absent one has its usual value. */
export type Settings = z.infer<typeof settings>

/** The names of all settings. */
export const SETTINGS = Object.keys(settings.shape).filter((name) => name !== 'PATH')

function isPlainUrl(url: string): boolean {
  return !/[?#]|\/\/[^/]*@/.test(url)
}

/** The secrets that can be in files, as container platforms mount them: NAME_FILE instead of NAME. */
export const SECRETS = [
  'DATABASE_URL',
  'PORTBOOK_ENCRYPTION_KEY',
  'PORTBOOK_ENCRYPTION_KEY_NEW',
  'PORTBOOK_OWNER_PASSWORD',
  'PORTBOOK_METRICS_TOKEN',
  'PORTBOOK_SMTP_URL',
  'PORTBOOK_SMTP_PASSWORD',
  'PORTBOOK_OIDC_CLIENT_SECRET',
]
