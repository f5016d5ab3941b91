import assert from 'node:assert/strict'
import test from 'node:test'
import {
  assertFails,
  complete,
  getFailure,
  read,
  startSource,
  type Given,
} from '../../../test/iceberg-reading.ts'
import { iceberg } from './connector.ts'

test('iceberg › sends a token with every request and reports a wrong one as an auth failure', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 2)
  from.access = { kind: 'token', token: 'canary-token' }
  const configuration = { authentication: 'token' }
  const reading = await read(from, { configuration, secrets: { token: 'canary-token' } })
  assert.deepEqual(complete(reading), ['sales'])
  assert.ok(!JSON.stringify(reading).includes('canary'))
  for (const secrets of [{ token: 'canary-wrong' }, {}, { token: 'canary\r\nx: y' }]) {
    const failure = await assertFails(read(from, { configuration, secrets }), 'auth')
    assert.ok(!`${failure.message}${String(failure.cause)}`.includes('canary'))
  }
})

const OAUTH2 = { kind: 'oauth2', clientId: 'portbook', clientSecret: 'canary-secret' } as const
const oauth2: Given = {
  configuration: { authentication: 'oauth2', clientId: 'portbook', scope: 'PRINCIPAL_ROLE:ALL' },
  secrets: { clientSecret: 'canary-secret' },
}

test('iceberg › requests one token for all requests with client credentials', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 30)
  from.access = OAUTH2
  const reading = await read(from, oauth2)
  assert.deepEqual(complete(reading), ['sales'])
  assert.equal(from.count('token'), 1)
  const request = from.requests.find(({ name }) => name === 'token')
  assert.equal(new URLSearchParams(request?.body).get('scope'), 'PRINCIPAL_ROLE:ALL')
  assert.ok(!JSON.stringify(reading).includes('canary'))
})

test('iceberg › renews a token before it expires', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 1)
  from.access = { ...OAUTH2, expiresInSeconds: 1e-9 }
  assert.deepEqual(complete(await read(from, oauth2)), ['sales'])
  assert.equal(from.count('token'), from.requests.length / 2)
})

test('iceberg › renews a rejected token once for all concurrent requests', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 20)
  from.access = OAUTH2
  const stalled = from.stall('table *')
  const reading = read(from, oauth2)
  await stalled.reached
  from.expireTokens()
  stalled.release()
  assert.deepEqual(complete(await reading), ['sales'])
  assert.equal(from.count('token'), 2)
  from.fail('tables sales', { status: 419 }, 1)
  assert.deepEqual(complete(await read(from, oauth2)), ['sales'])
})

test('iceberg › fails with auth if the renewed token is rejected too', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 1)
  from.access = OAUTH2
  from.fail('tables sales', { status: 401 })
  assert.equal(getFailure(await read(from, oauth2), 'sales').kind, 'auth')
  assert.equal(from.count('tables sales'), 2)
  const wrong = { ...oauth2, secrets: { clientSecret: 'canary-wrong' } }
  await assertFails(read(from, wrong), 'auth')
})

test('iceberg › uses another token endpoint without a default scope', async (t) => {
  const [from, issuer] = [await startSource(t), await startSource(t)]
  from.state.tables('sales', 1)
  issuer.access = OAUTH2
  const url = new URL(from.url)
  const configuration = {
    authentication: 'oauth2',
    clientId: 'portbook',
    tokenEndpoint: `${from.url}/v1/oauth/tokens`,
  }
  from.access = OAUTH2
  await read(from, { configuration, secrets: { clientSecret: 'canary-secret' } })
  const request = from.requests.find(({ name }) => name === 'token')
  assert.equal(new URLSearchParams(request?.body).get('scope'), null)
  const shape = iceberg.description.configuration
  const isRefused = (uri: string, tokenEndpoint: string): boolean =>
    !shape.safeParse({ ...configuration, uri, tokenEndpoint }).success
  // Never unencrypted to another host.
  assert.ok(isRefused(url.href, `${issuer.url}/v1/oauth/tokens`))
  assert.ok(isRefused('https://catalog.example', 'http://catalog.example/token'))
  assert.ok(!isRefused('http://catalog.example', 'https://login.example/token'))
  assert.ok(!isRefused('http://catalog.example/a', 'http://catalog.example/token'))
})
