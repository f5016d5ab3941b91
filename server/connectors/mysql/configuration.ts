import { isIP } from 'node:net'
import { z } from 'zod'
import type { SslOptions } from 'mysql2'
import { omitEmpty } from '../asset-parts.ts'
import type { Setup } from '../connector.ts'
import {
  createCaField,
  createClientCertificateField,
  createPortField,
  createTlsField,
  createUserField,
  host,
  includeViews,
  statementTimeoutMs,
  TLS_TITLES,
} from '../fields.ts'

/** The levels of a native path. */
export const LEVELS = ['database', 'table'] as const

const SYSTEM_DATABASES: readonly string[] = [
  'mysql',
  'information_schema',
  'performance_schema',
  'sys',
  'ndbinfo',
  'innodb',
  'tmp',
]

/** Names that belong to the platform or to the clouds that host it. */
export const systemNames = {
  database: (name: string): boolean => SYSTEM_DATABASES.includes(name),
}

/** The modes that encrypt; only they use certificates. */
export const ENCRYPTED = { name: 'ssl', values: ['required', 'verify'] }

/** The settings of a MySQL or MariaDB server, without secrets and filters. */
export const configuration = z.strictObject({
  host,
  port: createPortField(3306),
  user: createUserField(128),
  /**
   * `required` encrypts, and verifies the signature only with a `ca`; `verify` also checks the host
   * name.
   */
  ssl: createTlsField('required', {
    off: TLS_TITLES.off,
    required: TLS_TITLES.require,
    verify: TLS_TITLES.verifyFull,
  }),
  ca: createCaField(ENCRYPTED),
  clientCertificate: createClientCertificateField(ENCRYPTED),
  includeViews,
  statementTimeoutMs,
})

/** The parsed configuration. */
type MysqlConfiguration = z.infer<typeof configuration>

/** A connector's set-up with the parsed configuration. */
export interface MysqlSetup {
  setup: Setup
  configuration: MysqlConfiguration
  /** `db.example:3306`, for messages. */
  address: string
}

/** Parses the configuration of a set-up. Errors: ZodError if it was never validated. */
export function readSetup(setup: Setup): MysqlSetup {
  const parsed = configuration.parse(setup.configuration)
  return { setup, configuration: parsed, address: `${parsed.host}:${parsed.port}` }
}

/** Returns the driver's TLS options; undefined if the connection is not encrypted. */
export function tlsOptions({ setup, configuration }: MysqlSetup): SslOptions | undefined {
  const { ssl, ca, clientCertificate: cert } = configuration
  if (ssl === 'off') return undefined
  return {
    // A `ca` with `required` must be verified.
    rejectUnauthorized: ssl === 'verify' || ca !== undefined,
    verifyIdentity: ssl === 'verify',
    ...omitEmpty({ ca, cert, key: setup.secrets['clientKey'] }),
  }
}

/**
 * Checks whether the host is an address; for addresses the driver does not check the name in the
 * certificate.
 */
export function isAddress({ host }: MysqlConfiguration): boolean {
  return isIP(host) !== 0
}
