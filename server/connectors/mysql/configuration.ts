import { isIP } from 'node:net'
import { z } from '@hono/zod-openapi'
import type { SslOptions } from 'mysql2'
import type { Setup } from '../connector.ts'
import { TLS_FIELD_TITLE, TLS_TITLES } from '../tls-options.ts'

/** The parts of a native path. */
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

/** Names that belong to the platform, and to the clouds that serve it. */
export const systemNames = {
  database: (name: string): boolean => SYSTEM_DATABASES.includes(name),
}

const pem = z
  .string()
  .max(100_000)
  .regex(/-----BEGIN [A-Z ]+-----/, 'must be a text in PEM')

/** What has to be known of a MySQL or MariaDB server, besides secrets and filters. */
export const configuration = z.strictObject({
  // A path would be taken for a Unix socket.
  host: z
    .string()
    .max(253)
    .regex(/^[^\s/\\@?#[\]]+$/, 'must be the name or the address of a host'),
  port: z.int().min(1).max(65_535).default(3306),
  user: z.string().min(1).max(128),
  /** `required` encrypts, and asks who signed only when there is a `ca`; `verify` compares the name too. */
  ssl: z
    .enum(['off', 'required', 'verify'])
    .default('required')
    .meta({
      title: TLS_FIELD_TITLE,
      choices: {
        off: TLS_TITLES.off,
        required: TLS_TITLES.require,
        verify: TLS_TITLES.verifyFull,
      },
    }),
  /** Who signs the server's certificate; absent: the authorities that this machine trusts. */
  ca: pem.optional(),
  clientCertificate: pem.optional(),
  includeViews: z.boolean().default(true),
  statementTimeoutMs: z.int().min(1000).max(3_600_000).default(300_000),
})

/** It, parsed. */
export type Configuration = z.infer<typeof configuration>

/** What the connector works with, its own configuration parsed. */
export interface MysqlSetup {
  setup: Setup
  configuration: Configuration
  /** `db.example:3306`, for sentences. */
  address: string
}

/** Parses the configuration of a set-up. Errors: ZodError when it never was parsed. */
export function readSetup(setup: Setup): MysqlSetup {
  const parsed = configuration.parse(setup.configuration)
  return { setup, configuration: parsed, address: `${parsed.host}:${parsed.port}` }
}

/** The driver's options of TLS; undefined when the connection is not encrypted. */
export function tlsOptions({ setup, configuration }: MysqlSetup): SslOptions | undefined {
  const { ssl, ca, clientCertificate: cert } = configuration
  const key = setup.secrets['clientKey']
  if (ssl === 'off') return undefined
  return {
    // Whoever gives an authority to `required` wants it asked.
    rejectUnauthorized: ssl === 'verify' || ca !== undefined,
    verifyIdentity: ssl === 'verify',
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  }
}

/** Whether the host is an address, whose certificate the driver by itself compares with no name. */
export function isAddress({ host }: Configuration): boolean {
  return isIP(host) !== 0
}
