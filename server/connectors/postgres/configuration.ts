import { checkServerIdentity } from 'node:tls'
import type { ConnectionOptions } from 'node:tls'
import { z } from '@hono/zod-openapi'
import { nameFilter } from '../filter.ts'
import type { Setup } from '../connector.ts'
import { TLS_FIELD_TITLE, TLS_TITLES } from '../tls-options.ts'

/** Names that belong to the platform, and to the clouds that serve it. */
export const systemNames = {
  database: (name: string): boolean =>
    ['rdsadmin', 'cloudsqladmin', 'azure_maintenance', 'azure_sys'].includes(name),
  schema: (name: string): boolean => name.startsWith('pg_') || name === 'information_schema',
}

const pem = z
  .string()
  .max(100_000)
  .regex(/-----BEGIN [A-Z ]+-----/, 'must be a text in PEM')

/** What has to be known of a PostgreSQL server, besides secrets and filters. */
export const configuration = z.strictObject({
  // A path would be taken for the folder of a Unix socket.
  host: z
    .string()
    .max(253)
    .regex(/^[^\s/\\@?#[\]]+$/, 'must be the name or the address of a host'),
  port: z.int().min(1).max(65_535).default(5432),
  /** Names or globs of databases; none: all. */
  database: z.array(z.string().min(1).max(300)).max(100).default([]),
  user: z.string().min(1).max(63),
  /** `require` encrypts, and proves the server's identity only when there is a `ca`. */
  sslMode: z
    .enum(['disable', 'require', 'verify-ca', 'verify-full'])
    .default('require')
    .meta({
      title: TLS_FIELD_TITLE,
      choices: {
        disable: TLS_TITLES.off,
        require: TLS_TITLES.require,
        'verify-ca': TLS_TITLES.verifyCa,
        'verify-full': TLS_TITLES.verifyFull,
      },
    }),
  /** Who signs the server's certificate; absent: the authorities that this machine trusts. */
  ca: pem.optional(),
  clientCertificate: pem.optional(),
  includeViews: z.boolean().default(true),
  /** True: schemas that the user may not use are left out; false: their definitions are read too. */
  hideInaccessible: z.boolean().default(false),
  statementTimeoutMs: z.int().min(1000).max(3_600_000).default(300_000),
})

/** It, parsed. */
export type Configuration = z.infer<typeof configuration>

/** What the connector works with, its own configuration parsed. */
export interface PostgresSetup {
  setup: Setup
  configuration: Configuration
  /** `db.example:5432`, for sentences. */
  address: string
}

/** Parses the configuration of a set-up. Errors: ZodError when it never was parsed. */
export function readSetup(setup: Setup): PostgresSetup {
  const parsed = configuration.parse(setup.configuration)
  return { setup, configuration: parsed, address: `${parsed.host}:${parsed.port}` }
}

/** Decides which databases are read, by the configuration's names and by the filters. */
export function databaseFilter({ setup, configuration }: PostgresSetup): (name: string) => boolean {
  const configured = { include: { database: configuration.database }, exclude: {} }
  const isConfigured = nameFilter(configured, 'database', systemNames.database)
  const isFiltered = nameFilter(setup.filters, 'database', systemNames.database)
  const exact = new Set(configuration.database)
  return (name) =>
    isConfigured(name) &&
    // A name of the platform that the configuration spells out needs no filter to say it again.
    (isFiltered(name) || (systemNames.database(name) && exact.has(name)))
}

/** The options of TLS; undefined when the connection is not encrypted. */
export function tlsOptions({ setup, configuration }: PostgresSetup): ConnectionOptions | undefined {
  const { sslMode, ca, clientCertificate: cert } = configuration
  const key = setup.secrets['clientKey']
  if (sslMode === 'disable') return undefined
  return {
    // As libpq does it: whoever gives an authority to `require` wants it asked.
    rejectUnauthorized: sslMode !== 'require' || ca !== undefined,
    checkServerIdentity: sslMode === 'verify-full' ? checkServerIdentity : () => undefined,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  }
}
