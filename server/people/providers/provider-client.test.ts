import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { respond, startReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts'
import { newDialer } from '../../platform/kit/dialer.ts'
import type { OpenedProvider } from './provider.ts'
import {
  ProviderFailure,
  withProvider,
  type ProviderClient,
  type ProviderClientServices,
  type ProviderFailureReason,
} from './provider-client.ts'
import { newProviderServices } from './provider-services.ts'

const PROVIDER: Omit<OpenedProvider, 'issuer'> = {
  organizationId: '00000000-0000-7000-8000-000000000001',
  id: '00000000-0000-7000-8000-000000000002',
  name: 'Test',
  clientId: 'port:book',
  clientAuthentication: 'basic',
  secret: 'ge heim',
  subjectClaim: 'sub',
  emailTrust: 'claim',
  domains: [],
  joinRule: 'invited',
  groupsClaim: null,
  sessionHours: 12,
  signsOut: false,
  authority: null,
  origin: 'page',
  enabled: true,
  version: 1,
  createdAt: '',
  updatedAt: '',
  updatedBy: 'system',
  secretSetAt: null,
}

let receiver: WebhookReceiver
let services: ProviderClientServices

before(async () => {
  receiver = await startReceiver()
})
after(async () => {
  await receiver.close()
})
beforeEach(() => {
  receiver.requests.length = 0
  services = {
    identityDialer: newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined }),
    baseUrl: 'http://127.0.0.1:8080',
    ...newProviderServices(),
  }
})

const toOrigin = (): string => new URL(receiver.url).origin

function answerMetadata(changes: object = {}): void {
  const origin = toOrigin()
  const metadata = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/keys`,
    ...changes,
  }
  receiver.answer(respond(200, JSON.stringify(metadata), { 'content-type': 'application/json' }))
}

const open = (changes: Partial<OpenedProvider> = {}): Promise<string | undefined> =>
  withProvider(services, { ...PROVIDER, issuer: toOrigin(), ...changes }, ({ server }) =>
    Promise.resolve(server.token_endpoint),
  )

async function expectFailure(
  reason: ProviderFailureReason,
  sentence: RegExp,
  changes: Partial<OpenedProvider> = {},
): Promise<void> {
  await assert.rejects(open(changes), (error) => {
    assert.ok(error instanceof ProviderFailure)
    assert.equal(error.reason, reason)
    assert.match(error.message, sentence)
    return true
  })
}

const toMembers = (form: string): object => Object.fromEntries(new URLSearchParams(form))

describe('withProvider', () => {
  test('reads the metadata once for each version of a provider', async () => {
    answerMetadata()
    await open()
    assert.equal(await open(), `${toOrigin()}/token`)
    assert.deepEqual(
      receiver.requests.map(({ path }) => path),
      ['/.well-known/openid-configuration'],
    )
    await open({ version: 2 })
    await open({ organizationId: '00000000-0000-7000-8000-00000000000f' })
    assert.equal(receiver.requests.length, 3)
  })

  test('rejects an issuer that differs in one byte', async () => {
    answerMetadata({ issuer: `${toOrigin()}/` })
    await expectFailure('issuer', /names itself "http:.*\/", but the issuer here is "http:.*\d"/)
    answerMetadata()
    await expectFailure('issuer', /names itself/, { issuer: `${toOrigin()}/` })
    await expectFailure('issuer', /names itself/, { issuer: toOrigin().replace('http', 'HTTP') })
    assert.ok(await open())
  })

  test('follows no redirect, and reports what is not a discovery document', async () => {
    receiver.answer(respond(302, '', { location: 'https://other.example/' }))
    await expectFailure('redirect', /responded with a redirect.* It names https:\/\/other\.example/)
    receiver.answer(respond(404))
    await expectFailure('status', /openid-configuration answered 404 instead of 200/)
    receiver.answer(respond(200, '<html>'))
    await expectFailure('not_json', /is not a discovery document/)
    receiver.answer(respond(200, '{"issuer": 1}'))
    await expectFailure('not_json', /is not a discovery document/)
    receiver.answer(respond(200, ' '.repeat(256 * 1024 + 1)))
    await expectFailure('too_large', /more than 262144 bytes/)
  })

  test('rejects endpoints that are missing, invalid or not https', async () => {
    answerMetadata({ jwks_uri: undefined })
    await expectFailure('metadata', /has no jwks_uri/)
    answerMetadata({ token_endpoint: 7 })
    await expectFailure('metadata', /token_endpoint .* is not an address/)
    answerMetadata({ userinfo_endpoint: 'http://192.0.2.1/userinfo' })
    await expectFailure('metadata', /userinfo_endpoint .* https: 192\.0\.2\.1/)
    answerMetadata({ end_session_endpoint: 'javascript:alert(1)' })
    await expectFailure('metadata', /end_session_endpoint/)
  })

  test('sends http requests only between loopback addresses', async () => {
    answerMetadata()
    services.baseUrl = 'https://portbook.example'
    await expectFailure('insecure', /does not begin with https/)
    services.baseUrl = 'http://127.0.0.1'
    await expectFailure('insecure', /does not begin with https/, { issuer: 'http://192.0.2.1' })
    assert.equal(receiver.requests.length, 0)
  })

  test('connects through the dialer', async () => {
    services.identityDialer = newDialer({
      privateAddresses: 'deny',
      allowed: [],
      ownStore: undefined,
    })
    await expectFailure('refused', /private address/)
    assert.equal(receiver.requests.length, 0)
  })

  for (const [clientAuthentication, header, body] of [
    ['basic', `Basic ${btoa('port%3Abook:ge+heim')}`, 'grant_type=test'],
    ['post', undefined, 'client_id=port%3Abook&client_secret=ge+heim&grant_type=test'],
    ['none', undefined, 'client_id=port%3Abook&grant_type=test'],
  ] as const) {
    test(`authenticates by ${clientAuthentication}`, async () => {
      answerMetadata()
      const provider = { ...PROVIDER, issuer: toOrigin(), clientAuthentication }
      await withProvider(services, provider, async (opened: ProviderClient) => {
        const { server, client, authentication, options } = opened
        await oauth.genericTokenEndpointRequest(server, client, authentication, 'test', {}, options)
      })
      const request = receiver.requests.at(-1)
      assert.equal(request?.path, '/token')
      assert.equal(request.headers.authorization, header)
      assert.deepEqual(toMembers(request.body), toMembers(body))
    })
  }
})
