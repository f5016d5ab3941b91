import type { FieldWords } from '../../parts/schema-form-values.ts'

/**
 * Titles and hints for the fields of the sources, by the names of source and field. The schema of the
 * connector has the rest.
 */

const ENCRYPTED = ['require', 'verify-ca', 'verify-full']
const CERTIFICATE = '-----BEGIN CERTIFICATE-----'

const COMMON: Readonly<Record<string, FieldWords>> = {
  host: {
    title: 'Host',
    hint: 'Name or address, reachable from this server.',
    example: 'db.example.com',
  },
  port: { title: 'Port' },
  user: { title: 'User', hint: 'Use a separate user with read-only access.' },
  includeViews: {
    title: 'Include views',
    hint: 'Includes their columns and definitions.',
  },
  statementTimeoutMs: {
    isRare: true,
    title: 'Statement timeout, in milliseconds',
    hint: 'A statement that takes longer is cancelled.',
  },
}

const POSTGRES: Readonly<Record<string, FieldWords>> = {
  ...COMMON,
  database: {
    title: 'Databases',
    hint: 'One per line; * and ? are wildcards. Leave empty to read all.',
    example: 'sales\nwarehouse_*',
  },
  ca: {
    isRare: true,
    title: 'Certificate authority',
    hint: 'The authority that signed the certificate of the server, in PEM. Leave empty to use the authorities that this machine trusts.',
    example: CERTIFICATE,
    onlyWith: { name: 'sslMode', values: ENCRYPTED },
  },
  clientCertificate: {
    isRare: true,
    title: 'Client certificate',
    hint: 'In PEM, if the server requires one. Its key is a secret.',
    example: CERTIFICATE,
    onlyWith: { name: 'sslMode', values: ENCRYPTED },
  },
  hideInaccessible: {
    isRare: true,
    title: 'Exclude schemas without the USAGE privilege',
    hint: 'Otherwise their tables are read too, because PostgreSQL shows the definitions to every user.',
  },
}

const MYSQL: Readonly<Record<string, FieldWords>> = {
  ...COMMON,
  ca: {
    ...POSTGRES['ca'],
    onlyWith: { name: 'ssl', values: ['required', 'verify'] },
  },
  clientCertificate: {
    ...POSTGRES['clientCertificate'],
    onlyWith: { name: 'ssl', values: ['required', 'verify'] },
  },
}

const ICEBERG: Readonly<Record<string, FieldWords>> = {
  uri: {
    title: 'Catalog URL',
    hint: 'Without /v1, which is added.',
    example: 'https://catalog.example.com/iceberg',
  },
  warehouse: { title: 'Warehouse', hint: 'Required if the catalog has several.' },
  authentication: {
    title: 'Authentication',
    choices: {
      none: 'None',
      token: 'Token',
      oauth2: 'Client id and secret (OAuth 2)',
    },
  },
  clientId: {
    title: 'Client id',
    isNeeded: true,
    onlyWith: { name: 'authentication', values: ['oauth2'] },
  },
  scope: { title: 'Scope', isRare: true, onlyWith: { name: 'authentication', values: ['oauth2'] } },
  tokenEndpoint: {
    isRare: true,
    title: 'Token endpoint',
    hint: 'Leave empty to use the one of the catalog.',
    onlyWith: { name: 'authentication', values: ['oauth2'] },
  },
  includeViews: { title: 'Include views' },
}

const WORDS: Readonly<Record<string, Readonly<Record<string, FieldWords>>>> = {
  postgres: POSTGRES,
  mysql: MYSQL,
  mariadb: MYSQL,
  iceberg: ICEBERG,
}

/** Returns the titles and hints for the fields of a source; none for an unknown source. */
export function wordsOf(source: string): Readonly<Record<string, FieldWords>> {
  return WORDS[source] ?? {}
}

const MYSQL_KEY: FieldWords = {
  isRare: true,
  onlyWith: { name: 'ssl', values: ['required', 'verify'] },
}

const SECRETS: Readonly<Record<string, FieldWords>> = {
  'iceberg.token': { isNeeded: true, onlyWith: { name: 'authentication', values: ['token'] } },
  'iceberg.clientSecret': {
    isNeeded: true,
    onlyWith: { name: 'authentication', values: ['oauth2'] },
  },
  'postgres.clientKey': { isRare: true, onlyWith: { name: 'sslMode', values: ENCRYPTED } },
  'mysql.clientKey': MYSQL_KEY,
  'mariadb.clientKey': MYSQL_KEY,
}

/** Returns when a secret of a source applies, in addition to its title. */
export function secretWords(source: string, secret: string): FieldWords {
  return SECRETS[`${source}.${secret}`] ?? {}
}

const PLATFORMS: Readonly<Record<string, string>> = {
  postgres:
    'Version 12 and later, self-hosted or in a cloud. Reads databases, schemas, tables and views with columns, keys and comments.',
  mysql: 'Versions 5.7, 8 and 9. Reads databases, tables and views with columns and keys.',
  mariadb: 'Version 10.2 and later. Reads databases, tables and views with columns and keys.',
  iceberg:
    'Any catalog with the Iceberg REST API. Reads namespaces, tables and views with their schemas.',
}

/** Describes a platform in a sentence or two. */
export function platformWords(source: string): string {
  return PLATFORMS[source] ?? 'Reads tables with their columns.'
}

const PLURALS: Readonly<Record<string, string>> = {
  catalog: 'catalogs',
  database: 'databases',
  schema: 'schemas',
  namespace: 'namespaces',
  table: 'tables',
}

/** Returns the plural of a level of a source. */
export function levelsText(level: string): string {
  return PLURALS[level] ?? `${level}s`
}

/** Returns a text with its first letter in upper case. */
export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
