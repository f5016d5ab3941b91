import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readStream } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { catchFailure } from '../../../test/source-reading.ts'
import { startMssqlSource, type Given } from '../../../test/warehouses/mssql/source.ts'
import { readFabricSetup, type TdsSetup } from './configuration.ts'
import { fabric, mssql } from './connector.ts'
import { openSession } from './session.ts'

const APPLICATION = { tenantId: 'example.onmicrosoft.com', clientId: 'reader-app' }

test('open › logs in to Fabric with a token of Microsoft Entra ID, and reads every database of the workspace', async (t) => {
  const source = await startMssqlSource(t)
  const { behaviour, logins } = source.server
  source.model.edition = 11
  const tokens = await startTokenEndpoint(t)
  const connecting = toFabricSetup(source.setup, tokens.url)
  const session = await openSession(connecting)
  const paths: string[] = []
  for await (const { path } of session.scopes()) paths.push(path.join('.'))
  await session.close()
  assert.ok(paths.includes('shop.dbo'))
  assert.deepEqual(
    logins.map(({ token, user, database, appName }) => [token, user, database, appName]),
    [['canary-token', '', 'shop', 'portbook']],
  )
  assert.deepEqual(Object.fromEntries(new URLSearchParams(tokens.forms[0])), {
    grant_type: 'client_credentials',
    client_id: 'reader-app',
    client_secret: 'canary-secret',
    scope: 'https://database.windows.net/.default',
  })
  behaviour.token = 'another'
  const failure = await catchFailure(openSession(toFabricSetup(source.setup, tokens.url)))
  assert.equal(failure.kind, 'auth')
  assert.match(failure.message, /rejects the log-in of reader-app/)
  assert.ok(!JSON.stringify([failure.message, String(failure.cause)]).includes('canary'))
})

test('open › fails with auth if Microsoft Entra ID rejects the client secret', async (t) => {
  const source = await startMssqlSource(t)
  const tokens = await startTokenEndpoint(t)
  tokens.status = 401
  const failure = await catchFailure(openSession(toFabricSetup(source.setup, tokens.url)))
  assert.equal(failure.kind, 'auth')
  assert.equal(source.server.logins.length, 0)
})

test('configuration › requires the fields of the chosen authentication, encryption and https for tokens', () => {
  const host = 'db.example'
  const entra = { host, authentication: 'entra', ...APPLICATION }
  const { configuration } = mssql.description
  const cases: [object, string | undefined][] = [
    [{ host, user: 'reader' }, undefined],
    [{ host }, 'user'],
    [entra, undefined],
    [{ ...entra, tenantId: undefined }, 'tenantId'],
    [{ ...entra, tenantId: '../x' }, 'tenantId'],
    [{ ...entra, encryption: 'off' }, 'encryption'],
    [{ ...entra, tokenEndpoint: 'http://login.example/token' }, 'tokenEndpoint'],
  ]
  for (const [given, field] of cases) {
    assert.equal(configuration.safeParse(given).error?.issues[0]?.path.join('.'), field)
  }
  const workspace = { host, ...APPLICATION }
  assert.equal(
    fabric.description.configuration.safeParse(workspace).error?.issues[0]?.path[0],
    'database',
  )
})

/** Creates a set-up of Fabric for a server without encryption, which the configuration does not allow. */
function toFabricSetup(
  newSetup: (given?: Given) => TdsSetup['setup'],
  tokenEndpoint: string,
): TdsSetup {
  const { host, port } = newSetup().configuration
  const configuration = { host, port, database: 'shop', ...APPLICATION }
  const setup = { ...newSetup(), configuration, secrets: { clientSecret: 'canary-secret' } }
  const parsed = readFabricSetup(setup)
  const entra = { ...APPLICATION, tokenEndpoint }
  return { ...parsed, configuration: { ...parsed.configuration, encryption: 'off', entra } }
}

interface TokenEndpoint {
  url: string
  forms: string[]
  status: number
}

async function startTokenEndpoint(t: TestContext): Promise<TokenEndpoint> {
  const endpoint: TokenEndpoint = { url: '', forms: [], status: 200 }
  const server = createServer((request, response) => {
    void readStream(request).then((form) => {
      endpoint.forms.push(form)
      response.writeHead(endpoint.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ access_token: 'canary-token', expires_in: 3599 }))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`
  return endpoint
}
