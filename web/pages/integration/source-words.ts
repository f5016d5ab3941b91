import type { FieldWords } from '../../parts/schema-form-values.ts'

/**
 * Words for the fields of the sources, by the source's name and the field's: what a person who
 * connects one has to know and the connector's schema does not say.
 */

const ENCRYPTED = ['require', 'verify-ca', 'verify-full']
const CERTIFICATE = '-----BEGIN CERTIFICATE-----'

const COMMON: Readonly<Record<string, FieldWords>> = {
  host: {
    title: 'Host',
    hint: 'Its name or address, as this server reaches it.',
    example: 'db.example.com',
  },
  port: { title: 'Port' },
  user: { title: 'User', hint: 'One of its own for Portbook, who may look and not write.' },
  includeViews: {
    title: 'Read views too',
    hint: 'With their columns and the text of their definition.',
  },
  statementTimeoutMs: {
    isRare: true,
    title: 'Time limit of a statement, in milliseconds',
    hint: 'A statement that takes longer is ended, and what it read is not taken.',
  },
}

const POSTGRES: Readonly<Record<string, FieldWords>> = {
  ...COMMON,
  database: {
    title: 'Databases',
    hint: 'A name in each line; * and ? stand for any text and any character. Empty: all of them.',
    example: 'sales\nwarehouse_*',
  },
  sslMode: {
    title: 'Encryption',
    choices: {
      disable: 'Off: everything travels in the clear',
      require: 'On, without asking who answers',
      'verify-ca': 'On, and the certificate is checked',
      'verify-full': 'On, and the certificate and its host name are checked',
    },
  },
  ca: {
    isRare: true,
    title: 'Certificate authority',
    hint: 'Who signs the certificate of the server, in PEM. Empty: whom this machine trusts.',
    example: CERTIFICATE,
    onlyWith: { name: 'sslMode', values: ENCRYPTED },
  },
  clientCertificate: {
    isRare: true,
    title: 'Client certificate',
    hint: 'In PEM, where the server asks for one; its key is a secret.',
    example: CERTIFICATE,
    onlyWith: { name: 'sslMode', values: ENCRYPTED },
  },
  hideInaccessible: {
    isRare: true,
    title: 'Leave out schemas that the user may not use',
    hint: 'Otherwise their tables are described too: the catalog of PostgreSQL shows them to everybody.',
  },
}

const MYSQL: Readonly<Record<string, FieldWords>> = {
  ...COMMON,
  ssl: {
    title: 'Encryption',
    choices: {
      off: 'Off: everything travels in the clear',
      required: 'On, without asking who answers',
      verify: 'On, and the certificate and its host name are checked',
    },
  },
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
    title: 'Address of the catalog',
    hint: 'Without /v1: that is added.',
    example: 'https://catalog.example.com/iceberg',
  },
  warehouse: { title: 'Warehouse', hint: 'Which one, where the catalog has several.' },
  authentication: {
    title: 'How to sign in',
    choices: {
      none: 'Not at all',
      token: 'With a token',
      oauth2: 'With a client id and its secret (OAuth 2)',
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
    title: 'Address that gives tokens',
    hint: 'Empty: that of the catalog itself.',
    onlyWith: { name: 'authentication', values: ['oauth2'] },
  },
  includeViews: { title: 'Read views too' },
}

const WORDS: Readonly<Record<string, Readonly<Record<string, FieldWords>>>> = {
  postgres: POSTGRES,
  mysql: MYSQL,
  mariadb: MYSQL,
  iceberg: ICEBERG,
}

/** Words for the fields of a source; none for one that is not known here. */
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

/** What is known of a secret of a source, beside its title. */
export function secretWords(source: string, secret: string): FieldWords {
  return SECRETS[`${source}.${secret}`] ?? {}
}

const PLATFORMS: Readonly<Record<string, string>> = {
  postgres:
    'Version 12 and later, of your own or in a cloud. Reads databases, schemas, tables and views with their columns, keys and comments.',
  mysql: 'Versions 5.7, 8 and 9. Reads databases, tables and views with their columns and keys.',
  mariadb: 'Version 10.2 and later. Reads databases, tables and views with their columns and keys.',
  iceberg:
    'Any catalog that speaks the REST protocol of Iceberg. Reads namespaces, tables and views with their schemas.',
}

/** What connecting a platform brings, in a sentence or two. */
export function platformWords(source: string): string {
  return PLATFORMS[source] ?? 'Reads what it has of tables, with their columns.'
}

const PLURALS: Readonly<Record<string, string>> = {
  catalog: 'catalogs',
  database: 'databases',
  schema: 'schemas',
  namespace: 'namespaces',
  table: 'tables',
}

/** The plural of a level of a source. */
export function levelsText(level: string): string {
  return PLURALS[level] ?? `${level}s`
}
