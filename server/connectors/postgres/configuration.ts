import { checkServerIdentity, type ConnectionOptions } from 'node:tls'
import { z } from 'zod'
import { omitEmpty } from '../asset-parts.ts'
import type { Setup } from '../connector.ts'
import {
  createCaField,
  createClientCertificateField,
  createFlagField,
  createPortField,
  createTlsField,
  createUserField,
  host,
  includeViews,
  statementTimeoutMs,
  TLS_TITLES,
  type FieldTexts,
} from '../fields.ts'
import { nameFilter } from '../filter.ts'

/** Checks whether a schema belongs to TimescaleDB. */
export function isTimescaleSchema(name: string): boolean {
  return (
    name.startsWith('_timescaledb_') ||
    name === 'timescaledb_information' ||
    name === 'timescaledb_experimental'
  )
}

/** Names that belong to the platform or to the clouds that host it. */
export const systemNames = {
  database: (name: string): boolean =>
    ['rdsadmin', 'cloudsqladmin', 'azure_maintenance', 'azure_sys'].includes(name),
  schema: (name: string): boolean =>
    name.startsWith('pg_') ||
    ['information_schema', 'crdb_internal', 'catalog_history'].includes(name) ||
    isTimescaleSchema(name),
}

/** The modes that encrypt; only they use certificates. */
export const ENCRYPTED = { name: 'sslMode', values: ['require', 'verify-ca', 'verify-full'] }

/** The settings of a PostgreSQL server, without secrets and filters. */
export const configuration = z.strictObject({
  host,
  port: createPortField(5432),
  /** Names or globs of databases; none = all. */
  database: z
    .array(z.string().min(1).max(300))
    .max(100)
    .default([])
    .meta({
      title: 'Databases',
      description: 'One per line; * and ? are wildcards. Leave empty to read all.',
      examples: ['sales\nwarehouse_*'],
    } satisfies FieldTexts),
  user: createUserField(63),
  /** `require` encrypts, and verifies the server's identity only with a `ca`. */
  sslMode: createTlsField('require', {
    disable: TLS_TITLES.off,
    require: TLS_TITLES.require,
    'verify-ca': TLS_TITLES.verifyCa,
    'verify-full': TLS_TITLES.verifyFull,
  }),
  ca: createCaField(ENCRYPTED),
  clientCertificate: createClientCertificateField(ENCRYPTED),
  includeViews,
  /** True leaves out schemas that the user may not use; false also reads their definitions. */
  hideInaccessible: createFlagField(false, {
    isRare: true,
    title: 'Exclude schemas without the USAGE privilege',
    description:
      'Otherwise their tables are read too, because PostgreSQL shows the definitions to every user.',
  }),
  statementTimeoutMs,
})

/** The parsed configuration. */
type PostgresConfiguration = z.infer<typeof configuration>

/** A connector's set-up with the parsed configuration. */
export interface PostgresSetup {
  setup: Setup
  configuration: PostgresConfiguration
  /** `db.example:5432`, for messages. */
  address: string
}

/** Parses the configuration of a set-up. Errors: ZodError if it was never validated. */
export function readSetup(setup: Setup): PostgresSetup {
  const parsed = configuration.parse(setup.configuration)
  return { setup, configuration: parsed, address: `${parsed.host}:${parsed.port}` }
}

/** Creates the filter for databases, from the configured names and the filters. */
export function databaseFilter({ setup, configuration }: PostgresSetup): (name: string) => boolean {
  const configured = { include: { database: configuration.database }, exclude: {} }
  const isConfigured = nameFilter(configured, 'database', systemNames.database)
  const isFiltered = nameFilter(setup.filters, 'database', systemNames.database)
  const exact = new Set(configuration.database)
  return (name) =>
    isConfigured(name) &&
    // A platform database that the configuration names exactly needs no filter.
    (isFiltered(name) || (systemNames.database(name) && exact.has(name)))
}

/** Returns the TLS options; undefined if the connection is not encrypted. */
export function tlsOptions({ setup, configuration }: PostgresSetup): ConnectionOptions | undefined {
  const { sslMode, ca, clientCertificate: cert } = configuration
  if (sslMode === 'disable') return undefined
  return {
    // A `ca` with `require` must be verified, as in libpq.
    rejectUnauthorized: sslMode !== 'require' || ca !== undefined,
    checkServerIdentity: sslMode === 'verify-full' ? checkServerIdentity : () => undefined,
    ...omitEmpty({ ca, cert, key: setup.secrets['clientKey'] }),
  }
}
