import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { catchFailure } from '../../../test/source-reading.ts'
import { listComplete, startSnowflake } from '../../../test/warehouses/snowflake/source.ts'
import { getAddress, getTokenAccount } from './account.ts'

const CIPHER = { cipher: 'aes-256-cbc', passphrase: 'canary phrase' }
const PAIR = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PLAIN_KEY = PAIR.privateKey.export({ type: 'pkcs8', format: 'pem' })
const SEALED_KEY = PAIR.privateKey.export({ type: 'pkcs8', format: 'pem', ...CIPHER })
const KEY_PAIR = { authentication: 'keyPair', user: 'portbook' }
const OAUTH = { authentication: 'oauth', clientId: 'portbook', accountLocator: 'XY12345' }

test('snowflake › signs tokens with a key pair, also an encrypted one', async (t) => {
  const source = await startSnowflake(t)
  source.model.user.publicKey = PAIR.publicKey
  for (const secrets of [
    { privateKey: PLAIN_KEY },
    { privateKey: SEALED_KEY, passphrase: CIPHER.passphrase },
  ]) {
    const reading = await source.read({ configuration: KEY_PAIR, secrets })
    assert.deepEqual(listComplete(reading), ['SHOP', 'SHOP.SALES'])
    assert.ok(!JSON.stringify(source.logs).includes('canary'))
  }
})

test('snowflake › names the account in addresses and tokens as Snowflake does', () => {
  const rows = [
    ['myorg-account_1', 'https://myorg-account-1.snowflakecomputing.com', 'MYORG-ACCOUNT_1'],
    ['xy12345.eu-central-1', 'https://xy12345.eu-central-1.snowflakecomputing.com', 'XY12345'],
    ['XY12345.west.azure', 'https://xy12345.west.azure.snowflakecomputing.com', 'XY12345'],
    ['MYORG.ACCOUNT_1', 'https://myorg-account-1.snowflakecomputing.com', 'MYORG-ACCOUNT_1'],
    ['myorg-a.privatelink', 'https://myorg-a.privatelink.snowflakecomputing.com', 'MYORG-A'],
    ['XY12345.us-east-2.aws', 'https://xy12345.us-east-2.aws.snowflakecomputing.com', 'XY12345'],
    ['xy12345-abc.global', 'https://xy12345-abc.global.snowflakecomputing.com', 'XY12345'],
  ] as const
  for (const [account, address, name] of rows) {
    assert.deepEqual([getAddress({ account }), getTokenAccount(account)], [address, name])
  }
  assert.equal(getAddress({ account: 'x', url: 'https://own.example' }), 'https://own.example')
})

test('snowflake › rejects a private key that cannot be used, without repeating it', async (t) => {
  const source = await startSnowflake(t)
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const rows = [
    [{}, /not in PEM format/],
    [{ privateKey: 'canary' }, /not in PEM format/],
    [{ privateKey: PLAIN_KEY.replaceAll('M', '') }, /damaged or incomplete/],
    [{ privateKey: SEALED_KEY }, /passphrase is missing/],
    [{ privateKey: SEALED_KEY, passphrase: 'canary' }, /cannot be decrypted with this passphrase/],
    [{ privateKey: short.export({ type: 'pkcs8', format: 'pem' }) }, /at least 2048 bits/],
    [{ privateKey: curve.export({ type: 'pkcs8', format: 'pem' }) }, /not an RSA key/],
  ] as const
  for (const [secrets, message] of rows) {
    const reading = source.read({
      configuration: KEY_PAIR,
      secrets,
    })
    const failure = await catchFailure(reading)
    assert.equal(failure.kind, 'auth')
    assert.match(failure.message, message)
    assert.ok(!failure.message.includes('canary'))
  }
  assert.equal(source.proxy.requests.length, 0)
})

test('snowflake › rejected credentials end the run with the reason', async (t) => {
  const source = await startSnowflake(t)
  source.model.user.publicKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  const rows = [
    [KEY_PAIR, { privateKey: PLAIN_KEY }, /signature of the key pair/],
    [{}, { token: 'canary-old' }, /does not accept the programmatic access token/],
    [{}, {}, /token is missing or has invalid characters/],
    [
      { ...OAUTH, tokenEndpoint: `${source.proxy.url}/oauth/token` },
      { clientSecret: 'canary-wrong' },
      /does not accept this client and secret/,
    ],
  ] as const
  for (const [configuration, secrets, message] of rows) {
    const failure = await catchFailure(source.read({ configuration, secrets }))
    assert.equal(failure.kind, 'auth')
    assert.match(failure.message, message)
    assert.ok(!`${failure.message}${String(failure.cause)}`.includes('canary'))
  }
})

test('snowflake › renews a token that expires while it reads, once', async (t) => {
  const source = await startSnowflake(t)
  source.model.user.publicKey = PAIR.publicKey
  const rows = [
    [KEY_PAIR, { privateKey: PLAIN_KEY }],
    [
      { ...OAUTH, tokenEndpoint: `${source.proxy.url}/oauth/token` },
      { clientSecret: 'canary-secret' },
    ],
  ] as const
  for (const [configuration, secrets] of rows) {
    const stalled = source.proxy.stall('information_schema.columns')
    const reading = source.read({ configuration, secrets })
    await stalled.reached
    source.model.rejections = 1
    stalled.release()
    assert.deepEqual(listComplete(await reading), ['SHOP', 'SHOP.SALES'])
    source.model.rejections = 2
    const failure = await catchFailure(source.read({ configuration, secrets }))
    assert.deepEqual([failure.kind, failure.message], ['auth', 'The OAuth token has expired.'])
  }
  assert.equal(source.proxy.count('/oauth/token'), 4)
  assert.equal(source.proxy.requests.at(-1)?.headers['snowflake-account'], 'XY12345')
})
