import { readFileSync } from 'node:fs'
import { isLoopbackHost } from './kit/address.ts'
import type { LOG_LEVELS } from './kit/log.ts'
import * as smtp from './kit/smtp-settings.ts'
import { readTracingSettings, type TracingSettings } from './kit/tracing-settings.ts'
import { findOidcConflicts, toOidc, type OidcSettings } from './oidc-settings.ts'
import type { ProgramSettings } from './postgres/programs.ts'
import { SECRETS, settings, type Settings } from './settings.ts'

/** The organization and owner that the first start creates in an empty database. */
interface Bootstrap {
  organization: string
  ownerEmail: string
  ownerPassword: string
  /** The file for the secret of a new organization key; undefined = no key is created. */
  apiKeyFile: string | undefined
}

/** The operator's settings, read once from the environment. */
export interface Config {
  host: string
  port: number
  /** The public URL without a trailing slash; undefined = the address of the server. */
  baseUrl: string | undefined
  dataDirectory: string
  /** The URL of the PostgreSQL database; undefined = Portbook's own in the data directory. */
  databaseUrl: string | undefined
  databaseConnectionsMax: number
  /** The pooler in front of `databaseUrl`; auto = detected at start. */
  databasePooler: 'auto' | 'none' | 'transaction'
  /** The locations of the programs of Portbook's own PostgreSQL. */
  programs: ProgramSettings
  /** 32 bytes; undefined = generated in the data directory. */
  encryptionKey: Buffer | undefined
  /** The next encryption key, 32 bytes; used only by the command that changes the key. */
  nextEncryptionKey: Buffer | undefined
  bootstrap: Bootstrap | undefined
  /** The last day on which a DPS document may be registered, `YYYY-MM-DD` in UTC. */
  dpsUntil: string
  /** The last day on which a DCS document may be registered, `YYYY-MM-DD` in UTC. */
  dcsUntil: string
  eventTypePrefix: string
  rateLimitPerMinute: number
  /** Addresses and ranges of the reverse proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[]
  /** The port that serves only metrics; undefined = none. */
  metricsPort: number | undefined
  /** The Bearer token for `/metrics`; undefined = not served there. */
  metricsToken: string | undefined
  logLevel: (typeof LOG_LEVELS)[number]
  /** The number of concurrent ingestion runs of this process; 0 = none. */
  workers: number
  /** The complete environment of the processes that read sources, without settings and secrets of Portbook. */
  readerEnvironment: Readonly<Record<string, string>>
  /** Whether sources may have private and loopback addresses. */
  privateSources: 'allow' | 'deny'
  /** The setting that decided this, as a clause for the log. */
  privateSourcesReason: string
  /** Hosts and address ranges that are allowed regardless: `db.internal`, `10.0.0.0/8`. */
  privateSourcesAllowed: readonly string[]
  /** Hosts and address ranges that OpenID providers and token issuers may have, too. */
  identityAllowed: readonly string[]
  /** The mail server and the sender; undefined = no e-mail is sent. */
  mail: smtp.SmtpSettings | undefined
  /** The collector of traces; undefined = none are recorded. */
  tracing: TracingSettings | undefined
  /** The identity provider of the settings; undefined = none. */
  oidc: OidcSettings | undefined
}

/** An error of invalid settings. Its message lists all problems, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const BOOTSTRAP_NAMES = [
  'PORTBOOK_ORGANIZATION',
  'PORTBOOK_OWNER_EMAIL',
  'PORTBOOK_OWNER_PASSWORD',
] as const

/**
 * Reads the settings from an environment. Empty settings count as absent. A secret can be in a file, whose path is in
 * the setting with the suffix `_FILE`. Errors: ConfigError with all problems.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = []
  const given = withSecretFiles(environment, problems)
  const parsed = settings.safeParse(given)
  for (const issue of parsed.error?.issues ?? []) {
    problems.push(`${issue.path.join('.')} ${issue.message}`)
  }
  problems.push(...findConflicts(given))
  const tracing = readTracingSettings(given, problems)
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'))
  return toConfig(parsed.data, getReaderEnvironment(given), tracing)
}

/** The variables passed to processes that read sources: certificates, time zone, compile cache. */
const READER_VARIABLES = [
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'TZ',
]

function withSecretFiles(environment: NodeJS.ProcessEnv, problems: string[]): NodeJS.ProcessEnv {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  for (const name of SECRETS) {
    const file = given[`${name}_FILE`]
    if (file === undefined || given[name] !== undefined) continue
    try {
      given[name] = readFileSync(file, 'utf8').trim()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      problems.push(`${name}_FILE is ${file}, which cannot be read (${code})`)
    }
  }
  return given
}

/** Returns the problems of combinations of settings. */
function findConflicts(given: NodeJS.ProcessEnv): string[] {
  const problems: string[] = []
  const missing = BOOTSTRAP_NAMES.filter((name) => given[name] === undefined)
  if (missing.length > 0 && missing.length < BOOTSTRAP_NAMES.length) {
    problems.push(`${missing.join(' and ')} must also be set: the first owner needs all three`)
  }
  if (missing.length === BOOTSTRAP_NAMES.length && given['PORTBOOK_API_KEY_FILE'] !== undefined) {
    problems.push(`PORTBOOK_API_KEY_FILE also needs ${BOOTSTRAP_NAMES.join(', ')}`)
  }
  problems.push(...smtp.findSmtpConflicts(given), ...findOidcConflicts(given))
  const encryptionKey = given['PORTBOOK_ENCRYPTION_KEY'] ?? given['PORTBOOK_ENCRYPTION_KEY_FILE']
  if (given['DATABASE_URL'] !== undefined && encryptionKey === undefined) {
    problems.push(
      'PORTBOOK_ENCRYPTION_KEY is required with DATABASE_URL, because every process needs the same key; `openssl rand -base64 32` generates one',
    )
  }
  return problems
}

function toBootstrap(values: Settings): Bootstrap | undefined {
  const { PORTBOOK_ORGANIZATION, PORTBOOK_OWNER_EMAIL, PORTBOOK_OWNER_PASSWORD } = values
  if (!PORTBOOK_ORGANIZATION || !PORTBOOK_OWNER_EMAIL || !PORTBOOK_OWNER_PASSWORD) return undefined
  return {
    organization: PORTBOOK_ORGANIZATION,
    ownerEmail: PORTBOOK_OWNER_EMAIL,
    ownerPassword: PORTBOOK_OWNER_PASSWORD,
    apiKeyFile: values.PORTBOOK_API_KEY_FILE,
  }
}

function getReaderEnvironment(given: NodeJS.ProcessEnv): Config['readerEnvironment'] {
  const entries = READER_VARIABLES.flatMap((name) => {
    const value = given[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

/**
 * Decides whether sources may have private addresses. Without the setting they may only if the server is reachable
 * only from its own machine. A base URL with another address reveals a proxy in front of a loopback address.
 */
function readPrivateSources(
  values: Settings,
): Pick<Config, 'privateSources' | 'privateSourcesReason'> {
  const { PORTBOOK_PRIVATE_SOURCES: chosen, HOST: host, PORTBOOK_BASE_URL: baseUrl } = values
  if (chosen !== undefined) {
    const privateSourcesReason = `PORTBOOK_PRIVATE_SOURCES is ${chosen}`
    return { privateSources: chosen, privateSourcesReason }
  }
  const exposed = findExposure(host, baseUrl)
  return {
    privateSources: exposed === undefined ? 'allow' : 'deny',
    privateSourcesReason: `PORTBOOK_PRIVATE_SOURCES is not set and ${exposed ?? 'only this machine can reach the server'}`,
  }
}

/** Returns the setting that makes the server reachable from other machines, as a clause; undefined = none. */
function findExposure(host: string, baseUrl: string | undefined): string | undefined {
  if (!isLoopbackHost(host)) return `HOST ${host} is not a loopback address`
  if (baseUrl === undefined || isLoopbackHost(new URL(baseUrl).hostname)) return undefined
  return `PORTBOOK_BASE_URL ${baseUrl} is not a loopback address`
}

function toConfig(
  values: Settings,
  readers: Config['readerEnvironment'],
  tracing: TracingSettings | undefined,
): Config {
  return {
    host: values.HOST,
    port: values.PORT,
    baseUrl: values.PORTBOOK_BASE_URL,
    dataDirectory: values.PORTBOOK_DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    programs: { configured: values.PORTBOOK_POSTGRES_BIN, searchPath: values.PATH },
    databaseConnectionsMax: values.PORTBOOK_DATABASE_CONNECTIONS,
    databasePooler: values.PORTBOOK_DATABASE_POOLER,
    encryptionKey: values.PORTBOOK_ENCRYPTION_KEY,
    nextEncryptionKey: values.PORTBOOK_ENCRYPTION_KEY_NEW,
    bootstrap: toBootstrap(values),
    oidc: toOidc(values),
    dpsUntil: values.PORTBOOK_DPS_UNTIL,
    dcsUntil: values.PORTBOOK_DCS_UNTIL,
    eventTypePrefix: values.PORTBOOK_EVENT_PREFIX,
    rateLimitPerMinute: values.PORTBOOK_RATE_LIMIT,
    trustedProxies: values.PORTBOOK_TRUSTED_PROXIES,
    metricsPort: values.PORTBOOK_METRICS_PORT,
    metricsToken: values.PORTBOOK_METRICS_TOKEN,
    logLevel: values.PORTBOOK_LOG_LEVEL,
    workers: values.PORTBOOK_WORKERS,
    readerEnvironment: readers,
    ...readPrivateSources(values),
    privateSourcesAllowed: values.PORTBOOK_PRIVATE_SOURCES_ALLOWED,
    identityAllowed: values.PORTBOOK_IDENTITY_ALLOWED,
    mail: smtp.toSmtpSettings(values),
    tracing,
  }
}
