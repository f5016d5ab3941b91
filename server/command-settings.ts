import type { HelpRow } from './command-line.ts'

// The settings as the help of the commands describes them. README.md has all of them with their defaults.

/** The database and the data directory. */
export const STORE: readonly HelpRow[] = [
  {
    name: 'DATABASE_URL',
    meaning:
      'the PostgreSQL database, postgres://user:password@host/database; without it, Portbook runs its own in the data directory',
  },
  { name: 'PORTBOOK_DATA_DIR', meaning: "the data directory of Portbook's own PostgreSQL" },
  { name: 'PORTBOOK_POSTGRES_BIN', meaning: 'the folder of the programs of that PostgreSQL' },
  { name: 'PORTBOOK_DATABASE_POOLER', meaning: 'auto, none or transaction' },
  {
    name: 'PORTBOOK_ENCRYPTION_KEY',
    meaning: 'the key of stored credentials; required with DATABASE_URL',
  },
  { name: 'PORTBOOK_LOG_LEVEL', meaning: 'debug, info, warn, error or silent' },
]

/** The next encryption key. */
export const NEXT_KEY: HelpRow = {
  name: 'PORTBOOK_ENCRYPTION_KEY_NEW',
  meaning: 'the new key, 32 bytes in base64 or hexadecimal',
}

/** The address of the server in links. */
export const ADDRESS: readonly HelpRow[] = [
  { name: 'PORTBOOK_BASE_URL', meaning: 'the public address of the server, for links' },
  { name: 'HOST, PORT', meaning: 'the address without PORTBOOK_BASE_URL' },
]

/** The mail server. */
export const MAIL: readonly HelpRow[] = [
  { name: 'PORTBOOK_SMTP_URL', meaning: 'the mail server, smtp://host:587 or smtps://host:465' },
  { name: 'PORTBOOK_SMTP_USER', meaning: 'the account at the mail server' },
  { name: 'PORTBOOK_SMTP_PASSWORD', meaning: 'its password' },
  { name: 'PORTBOOK_SMTP_TLS', meaning: 'verified, unverified or none' },
  { name: 'PORTBOOK_MAIL_FROM', meaning: 'the sender of e-mails' },
]

/** The sources, and the work on them. */
export const SOURCES: readonly HelpRow[] = [
  { name: 'PORTBOOK_WORKERS', meaning: 'the number of concurrent ingestion runs' },
  {
    name: 'PORTBOOK_PRIVATE_SOURCES',
    meaning: 'allow or deny sources at private and loopback addresses',
  },
  {
    name: 'PORTBOOK_PRIVATE_SOURCES_ALLOWED',
    meaning: 'hosts, addresses and ranges that sources may have regardless',
  },
]

/** Settings of the server only. */
export const SERVER: readonly HelpRow[] = [
  {
    name: 'PORTBOOK_IDENTITY_ALLOWED',
    meaning: 'hosts, addresses and ranges that sign-in providers may have, too',
  },
  { name: 'PORTBOOK_OIDC_ISSUER', meaning: 'an OpenID provider with which members sign in' },
  { name: 'PORTBOOK_OIDC_CLIENT_ID', meaning: 'the client that is registered there' },
  { name: 'PORTBOOK_OIDC_CLIENT_SECRET', meaning: 'its secret' },
  { name: 'PORTBOOK_OIDC_ORGANIZATION', meaning: 'the address of its organization' },
  { name: 'PORTBOOK_OIDC_NAME', meaning: 'its name on the button' },
  { name: 'PORTBOOK_OIDC_DOMAINS', meaning: 'the mail domains of its people' },
  { name: 'PORTBOOK_OIDC_JOIN', meaning: 'who becomes a member: invited, groups or everyone' },
  { name: 'PORTBOOK_OIDC_GROUPS_CLAIM', meaning: 'the claim with the groups' },
  { name: 'PORTBOOK_OIDC_EMAIL_TRUST', meaning: 'claim or provider' },
  { name: 'PORTBOOK_OIDC_SUBJECT_CLAIM', meaning: 'sub or oid' },
  { name: 'PORTBOOK_DATABASE_CONNECTIONS', meaning: 'the maximum number of connections' },
  {
    name: 'PORTBOOK_ORGANIZATION',
    meaning: 'with the next two: sets up an empty database without the link of the first start',
  },
  { name: 'PORTBOOK_OWNER_EMAIL', meaning: 'the address of the first owner' },
  { name: 'PORTBOOK_OWNER_PASSWORD', meaning: 'the password of the first owner' },
  { name: 'PORTBOOK_API_KEY_FILE', meaning: 'the file for the secret of a first API key' },
  { name: 'PORTBOOK_RATE_LIMIT', meaning: 'requests per minute for each API key' },
  { name: 'PORTBOOK_TRUSTED_PROXIES', meaning: 'addresses and ranges of reverse proxies' },
  { name: 'PORTBOOK_METRICS_PORT', meaning: 'a port that serves only metrics' },
  { name: 'PORTBOOK_METRICS_TOKEN', meaning: 'the token that may read /metrics' },
  { name: 'PORTBOOK_EVENT_PREFIX', meaning: 'the prefix of event types' },
  { name: 'PORTBOOK_DPS_UNTIL', meaning: 'the last day on which DPS documents are accepted' },
  { name: 'PORTBOOK_DCS_UNTIL', meaning: 'the last day on which DCS documents are accepted' },
]
