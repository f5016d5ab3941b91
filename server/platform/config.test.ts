import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { listProblems } from '../../test/config-problems.ts'
import { readConfig } from './config.ts'

const KEY = Buffer.alloc(32, 7)
const NEXT_KEY = Buffer.alloc(32, 8)
const POSTGRES = 'postgres://user:canary@db.example/portbook'
const BOOTSTRAP = {
  PORTBOOK_ORGANIZATION: 'Rail & Co',
  PORTBOOK_OWNER_EMAIL: 'owner@rail.example',
  PORTBOOK_OWNER_PASSWORD: 'canary of the owner',
}

let directory: string
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'portbook-config-'))
})
after(() => rmSync(directory, { recursive: true, force: true }))

function writeTemporaryFile(text: string): string {
  const path = join(directory, `${Math.random()}`)
  writeFileSync(path, text)
  return path
}

test('readConfig › has a default for all settings', () => {
  assert.deepEqual(readConfig({}), {
    host: '127.0.0.1',
    port: 8080,
    baseUrl: undefined,
    dataDirectory: './data',
    databaseUrl: undefined,
    databaseConnectionsMax: 10,
    databasePooler: 'auto',
    programs: { configured: undefined, searchPath: '' },
    encryptionKey: undefined,
    nextEncryptionKey: undefined,
    bootstrap: undefined,
    dpsUntil: '2026-12-31',
    dcsUntil: '2026-12-31',
    eventTypePrefix: 'com.datamesh-manager.events.',
    rateLimitPerMinute: 600_000,
    trustedProxies: [],
    metricsPort: undefined,
    metricsToken: undefined,
    logLevel: 'info',
    workers: 4,
    readerEnvironment: {},
    privateSources: 'allow',
    privateSourcesReason:
      'PORTBOOK_PRIVATE_SOURCES is not set and only this machine can reach the server',
    privateSourcesAllowed: [],
    identityAllowed: [],
    oidc: undefined,
    mail: undefined,
    tracing: undefined,
  })
})

test('readConfig › reads all settings', () => {
  const config = readConfig({
    ...BOOTSTRAP,
    HOST: '0.0.0.0',
    PORT: '0',
    PORTBOOK_BASE_URL: 'https://catalog.example/portbook//',
    PORTBOOK_DATA_DIR: '/srv/portbook',
    DATABASE_URL: POSTGRES,
    PORTBOOK_DATABASE_CONNECTIONS: '50',
    PORTBOOK_DATABASE_POOLER: 'transaction',
    PORTBOOK_POSTGRES_BIN: '/opt/postgresql/bin',
    PATH: '/usr/bin',
    PORTBOOK_ENCRYPTION_KEY: KEY.toString('base64'),
    PORTBOOK_ENCRYPTION_KEY_NEW: NEXT_KEY.toString('hex'),
    PORTBOOK_API_KEY_FILE: '/run/key',
    PORTBOOK_DPS_UNTIL: '2028-02-29',
    PORTBOOK_DCS_UNTIL: '2028-03-31',
    PORTBOOK_EVENT_PREFIX: 'org.example.',
    PORTBOOK_RATE_LIMIT: '60',
    PORTBOOK_TRUSTED_PROXIES: '10.0.0.7, 172.16.0.0/12,fd00::/8',
    PORTBOOK_METRICS_PORT: '9090',
    PORTBOOK_METRICS_TOKEN: '0123456789abcdef',
    PORTBOOK_LOG_LEVEL: 'warn',
    PORTBOOK_WORKERS: '9',
    NODE_EXTRA_CA_CERTS: '/run/ca.pem',
    TZ: 'Europe/Berlin',
    PORTBOOK_PRIVATE_SOURCES: 'allow',
    PORTBOOK_PRIVATE_SOURCES_ALLOWED: ' db.internal, 10.0.0.0/8 fd00::/8,',
    PORTBOOK_IDENTITY_ALLOWED: 'login.internal 10.7.0.0/16',
    PORTBOOK_SMTP_URL: 'smtp://mail.example:2525',
    PORTBOOK_SMTP_USER: 'portbook',
    PORTBOOK_SMTP_PASSWORD_FILE: writeTemporaryFile('canary of the mail server\n'),
    PORTBOOK_SMTP_TLS: 'unverified',
    PORTBOOK_MAIL_FROM: 'Rail catalog <catalog@rail.example>',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_TRACES_SAMPLER: 'always_on',
  })
  assert.deepEqual(config, {
    host: '0.0.0.0',
    port: 0,
    baseUrl: 'https://catalog.example/portbook',
    dataDirectory: '/srv/portbook',
    databaseUrl: POSTGRES,
    databaseConnectionsMax: 50,
    databasePooler: 'transaction',
    programs: { configured: '/opt/postgresql/bin', searchPath: '/usr/bin' },
    encryptionKey: KEY,
    nextEncryptionKey: NEXT_KEY,
    bootstrap: {
      organization: 'Rail & Co',
      ownerEmail: 'owner@rail.example',
      ownerPassword: 'canary of the owner',
      apiKeyFile: '/run/key',
    },
    dpsUntil: '2028-02-29',
    dcsUntil: '2028-03-31',
    eventTypePrefix: 'org.example.',
    rateLimitPerMinute: 60,
    trustedProxies: ['10.0.0.7', '172.16.0.0/12', 'fd00::/8'],
    metricsPort: 9090,
    metricsToken: '0123456789abcdef',
    logLevel: 'warn',
    workers: 9,
    readerEnvironment: { NODE_EXTRA_CA_CERTS: '/run/ca.pem', TZ: 'Europe/Berlin' },
    privateSources: 'allow',
    privateSourcesReason: 'PORTBOOK_PRIVATE_SOURCES is allow',
    privateSourcesAllowed: ['db.internal', '10.0.0.0/8', 'fd00::/8'],
    identityAllowed: ['login.internal', '10.7.0.0/16'],
    oidc: undefined,
    mail: {
      host: 'mail.example',
      port: 2525,
      isImplicitTls: false,
      user: 'portbook',
      password: 'canary of the mail server',
      tls: 'unverified',
      from: { name: 'Rail catalog', address: 'catalog@rail.example' },
    },
    tracing: {
      url: 'http://collector:4318/v1/traces',
      sampler: 'always_on',
      ratio: 1,
      readsParent: true,
      batches: {},
    },
  })
})

test('readConfig › treats empty settings as absent', () => {
  const names = ['PORT', 'DATABASE_URL', 'PORTBOOK_LOG_LEVEL', 'PORTBOOK_ENCRYPTION_KEY_FILE']
  const empty = Object.fromEntries([...names, ...Object.keys(BOOTSTRAP)].map((name) => [name, '']))
  assert.deepEqual(readConfig(empty), readConfig({}))
})

for (const [name, ...values] of [
  ['PORT', '-1', '65536', '80.5', 'http', ' ', '0x50', '1e3'],
  ['PORTBOOK_METRICS_PORT', '65536', 'x'],
  ['PORTBOOK_DATABASE_CONNECTIONS', '0', '1001', 'many', '1.5'],
  ['PORTBOOK_DATABASE_POOLER', 'session', 'yes'],
  ['PORTBOOK_RATE_LIMIT', '0', '-5', 'none', '1e3'],
  ['PORTBOOK_TRUSTED_PROXIES', 'proxy.internal', '10.0.0.1/8', '10.0.0.0/33', '10.0.0.1:80', '*'],
  ['PORTBOOK_BASE_URL', 'catalog.example', 'ftp://x.example', 'javascript:alert(1)', '/x'],
  ['PORTBOOK_BASE_URL', 'https://x.example/?a=b', 'https://x.example/#a', 'https://u:p@x.example'],
  ['DATABASE_URL', 'mysql://x/y', 'localhost:5432', 'x'],
  ['PORTBOOK_ENCRYPTION_KEY', 'secret', KEY.subarray(1).toString('base64'), 'x'.repeat(64)],
  ['PORTBOOK_ENCRYPTION_KEY_NEW', 'secret', KEY.subarray(1).toString('base64'), 'x'.repeat(64)],
  ['PORTBOOK_DPS_UNTIL', '2026-02-30', '2027-02-29', '31.12.2026', '2026-12-31T00:00:00Z', 'never'],
  ['PORTBOOK_DCS_UNTIL', '2026-02-30', '2027-02-29', 'never'],
  ['PORTBOOK_EVENT_PREFIX', 'a b', 'x'.repeat(101), 'ä', 'a/b'],
  ['PORTBOOK_METRICS_TOKEN', 'short'],
  ['PORTBOOK_LOG_LEVEL', 'loud', 'INFO', 'trace'],
  ['PORTBOOK_WORKERS', '-1', '101', 'all'],
  ['PORTBOOK_PRIVATE_SOURCES', 'yes', 'ALLOW', 'true', '10.0.0.0/8'],
  ['PORTBOOK_PRIVATE_SOURCES_ALLOWED', '10.0.0.1/8', '10.0.0.0/33', 'db:5432', '*.internal'],
  ['PORTBOOK_PRIVATE_SOURCES_ALLOWED', 'db.internal, https://db', '127.1', 'fe80::1%eth0'],
  ['PORTBOOK_IDENTITY_ALLOWED', '10.0.0.1/8', 'https://login.internal', '*.internal'],
  ['PORTBOOK_SMTP_URL', 'mail.example', 'http://mail.example', 'smtp://', 'smtp://mail/?pool=true'],
  ['PORTBOOK_SMTP_URL', 'smtp://mail.example/x', 'smtp://mail.example#x', 'smtp://a:%ff@mail'],
  ['PORTBOOK_SMTP_TLS', 'yes', 'false', 'VERIFIED'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'grpc://collector:4317', 'x'],
  ['PORTBOOK_MAIL_FROM', 'portbook', 'a@b, c@d', 'A <a@b> <c@d>', 'A\nBcc: x@y <a@b>', '<a b@c>'],
] as const) {
  test(`readConfig › rejects ${name} ${values.join(', ').slice(0, 60)}`, () => {
    for (const value of values) {
      const problems = listProblems({ [name]: value })
      const own = problems.filter((problem) => problem.startsWith(`${name} must `))
      assert.equal(own.length, 1, `${value}: ${problems.join('; ')}`)
    }
  })
}

test('readConfig › reports all problems, one per line, without the values', () => {
  const problems = listProblems({
    PORT: 'x',
    PORTBOOK_LOG_LEVEL: 'loud',
    PORTBOOK_DPS_UNTIL: '2026-02-30',
    PORTBOOK_METRICS_TOKEN: 'canary',
    PORTBOOK_METRICS_TOKEN_FILE: 'ignored, the setting itself is there',
    PORTBOOK_OWNER_PASSWORD: 'canary',
    DATABASE_URL: POSTGRES,
  })
  const names = problems.map((problem) => problem.split(' ')[0] ?? '').toSorted()
  assert.deepEqual(names, [
    'PORT',
    'PORTBOOK_DPS_UNTIL',
    'PORTBOOK_ENCRYPTION_KEY',
    'PORTBOOK_LOG_LEVEL',
    'PORTBOOK_METRICS_TOKEN',
    'PORTBOOK_ORGANIZATION',
    'PORTBOOK_OWNER_PASSWORD',
  ])
  assert.ok(!problems.join('\n').includes('canary'))
})

test('readConfig › reads secrets from files, as container platforms mount them', () => {
  const config = readConfig({
    ...BOOTSTRAP,
    DATABASE_URL_FILE: writeTemporaryFile(`${POSTGRES}\n`),
    PORTBOOK_ENCRYPTION_KEY_FILE: writeTemporaryFile(`${KEY.toString('hex')}\n`),
    PORTBOOK_OWNER_PASSWORD: undefined,
    PORTBOOK_OWNER_PASSWORD_FILE: writeTemporaryFile('a password from a file\n'),
    PORTBOOK_METRICS_TOKEN_FILE: writeTemporaryFile('0123456789abcdef'),
  })
  assert.equal(config.databaseUrl, POSTGRES)
  assert.deepEqual(config.encryptionKey, KEY)
  assert.equal(config.bootstrap?.ownerPassword, 'a password from a file')
  assert.equal(config.metricsToken, '0123456789abcdef')
})

test('readConfig › prefers a setting to its file', () => {
  const config = readConfig({
    PORTBOOK_METRICS_TOKEN: 'fedcba9876543210',
    PORTBOOK_METRICS_TOKEN_FILE: writeTemporaryFile('0123456789abcdef'),
  })
  assert.equal(config.metricsToken, 'fedcba9876543210')
})

test('readConfig › rejects a secret file that is missing, a folder or invalid', () => {
  mkdirSync(join(directory, 'folder'), { recursive: true })
  for (const path of [join(directory, 'missing'), join(directory, 'folder')]) {
    const [problem, ...others] = listProblems({ PORTBOOK_ENCRYPTION_KEY_FILE: path })
    assert.deepEqual(others, [])
    assert.ok(problem?.startsWith(`PORTBOOK_ENCRYPTION_KEY_FILE is ${path}, which cannot`))
  }
  for (const text of ['', 'canary']) {
    const problems = listProblems({ PORTBOOK_ENCRYPTION_KEY_FILE: writeTemporaryFile(text) })
    assert.equal(problems.length, 1)
    assert.match(problems[0] ?? '', /^PORTBOOK_ENCRYPTION_KEY must be 32 bytes/)
    assert.ok(!problems.join('').includes('canary'))
  }
})

test('readConfig › requires an encryption key with DATABASE_URL', () => {
  const [problem, ...others] = listProblems({ DATABASE_URL: POSTGRES })
  assert.deepEqual(others, [])
  assert.match(problem ?? '', /^PORTBOOK_ENCRYPTION_KEY is required with DATABASE_URL/)
  readConfig({ DATABASE_URL: POSTGRES, PORTBOOK_ENCRYPTION_KEY: KEY.toString('base64') })
})

test('readConfig › requires organization, address and password for the first owner', () => {
  assert.equal(readConfig(BOOTSTRAP).bootstrap?.apiKeyFile, undefined)
  for (const name of Object.keys(BOOTSTRAP)) {
    const problems = listProblems({ ...BOOTSTRAP, [name]: undefined, PORTBOOK_API_KEY_FILE: '/k' })
    assert.equal(problems.length, 1)
    assert.ok(problems[0]?.startsWith(`${name} must also be set`))
  }
  const problems = listProblems({ PORTBOOK_API_KEY_FILE: '/k' })
  assert.equal(problems.length, 1)
  assert.match(problems[0] ?? '', /^PORTBOOK_API_KEY_FILE also needs PORTBOOK_ORGANIZATION, /)
})

for (const [name, ...values] of [
  ['PORTBOOK_ORGANIZATION', '   ', 'x'.repeat(201)],
  ['PORTBOOK_OWNER_EMAIL', 'owner', 'a@b', 'a b@c.example'],
  ['PORTBOOK_OWNER_PASSWORD', 'elevenchars', 'short'],
] as const) {
  test(`readConfig › rejects the same ${name} as the setup page`, () => {
    for (const value of values) {
      const problems = listProblems({ ...BOOTSTRAP, [name]: value })
      assert.equal(problems.length, 1, problems.join('; '))
      assert.ok(problems[0]?.startsWith(`${name} must `), problems.join('; '))
    }
  })
}
