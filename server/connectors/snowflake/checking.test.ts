import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import {
  newTable,
  startSnowflake,
  type SnowflakeSetup,
  type SnowflakeSource,
} from '../../../test/warehouses/snowflake/source.ts'

async function summarize(source: SnowflakeSource, given?: SnowflakeSetup): Promise<string[]> {
  // Waits between polls are real in a check.
  source.model.pendingPolls = 0
  const findings = await source.check(given)
  return findings.map(({ state, what, hint }) => [state, what, hint ?? ''].join(' | '))
}

function toBody(code: string): string {
  return JSON.stringify({ code, message: 'canary' })
}

test('snowflake › check › reports what works with a handful of statements', async (t) => {
  const source = await startSnowflake(t)
  const configuration = { includeTags: true, readsFrom: 'account_usage' }
  assert.deepEqual(await summarize(source, { configuration }), [
    'warning | The credentials are sent without encryption | Use https unless the network to the server is private',
    'ok | PORTBOOK is signed in with the role READER | ',
    'ok | Snowflake shows 1 database, 1 of them included | ',
    'ok | The role sees 1 table and views in SHOP | ',
    'ok | The tags in ACCOUNT_USAGE can be read | ',
    'ok | The tables and columns in ACCOUNT_USAGE can be read | ',
    'ok | The texts of views in ACCOUNT_USAGE can be read | ',
  ])
  assert.equal(source.model.statements.length, 6)
})

test('snowflake › check › shows the grants that are missing, with the names of role and database', async (t) => {
  const source = await startSnowflake(t)
  source.model.databases = { SHOP: { schemas: {} } }
  const [, , , empty] = await summarize(source)
  for (const grant of [
    'GRANT USAGE ON DATABASE "SHOP" TO ROLE "READER"',
    'GRANT USAGE ON ALL SCHEMAS IN DATABASE "SHOP" TO ROLE "READER"',
    'GRANT REFERENCES ON ALL VIEWS IN DATABASE "SHOP" TO ROLE "READER"',
    'GRANT MONITOR ON ALL DYNAMIC TABLES IN DATABASE "SHOP" TO ROLE "READER"',
    'with FUTURE',
  ]) {
    assert.ok(empty?.includes(grant), grant)
  }
  source.model.databases = {}
  assert.match(String(await summarize(source)), /error \| Snowflake shows 0 databases/)
  source.model.databases = { SHOP: { schemas: { SALES: { tables: { T: newTable() } } } } }
  const denied = { code: '002003', sqlState: '02000', message: 'canary' }
  source.model.errors = { information_schema: denied, account_usage: denied }
  const findings = await summarize(source, { configuration: { includeTags: true } })
  assert.match(String(findings), /warning \| The role may not read the tables of SHOP/)
  assert.match(String(findings), /GRANT DATABASE ROLE SNOWFLAKE.GOVERNANCE_VIEWER TO ROLE "READER"/)
  assert.ok(!String(findings).includes('canary'))
})

test('snowflake › check › explains why no statement runs, and the remedy', async (t) => {
  const source = await startSnowflake(t)
  source.model.user.publicKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const rows: [RegExp, SnowflakeSetup, (() => void)?][] = [
    [/does not accept the programmatic access token.*has not expired/, { secrets: { token: 'x' } }],
    [
      /signature of the key pair.*DESCRIBE USER shows its fingerprint/,
      { configuration: { authentication: 'keyPair', user: 'u' }, secrets: { privateKey } },
    ],
    [
      /No warehouse is active.*GRANT USAGE ON WAREHOUSE "WH" TO ROLE "READER"/,
      { configuration: { warehouse: 'wh' } },
      () => (source.model.hasWarehouse = false),
    ],
    [
      /role or the warehouse does not exist.*allow it to use the warehouse/,
      { configuration: { role: 'x' } },
      () => source.proxy.fail('/statements', { status: 422, body: toBody('390201') }),
    ],
    [
      /belongs to no Snowflake account.*Check the account identifier myorg-account1/,
      {},
      () => source.proxy.fail('/statements', { status: 403, body: '<html></html>' }),
    ],
    [
      /network policy of Snowflake.*Add the address of this server/,
      {},
      () => source.proxy.fail('/statements', { status: 401, body: toBody('390422') }),
    ],
    [
      /network policy of Snowflake.*Add the address of this server/,
      {},
      () => source.proxy.fail('/statements', { status: 403, body: toBody('390422') }),
    ],
    [
      /Nothing listens at .*whether this server may connect to Snowflake/,
      { configuration: { url: 'http://127.0.0.1:9' } },
    ],
  ]
  for (const [expected, given, prepare] of rows) {
    prepare?.()
    const findings = await summarize(source, given)
    assert.match(findings.at(-1) ?? '', expected)
    assert.ok(!String(findings).includes('canary'))
    source.proxy.heal()
    source.model.hasWarehouse = true
  }
})
