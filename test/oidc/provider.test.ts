import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { test } from 'node:test'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { newDialer } from '../../server/platform/kit/dialer.ts'
import { newKeySets } from '../../server/platform/kit/key-sets.ts'
import { verifyToken, type TokenExpectation } from '../../server/platform/kit/token-verifier.ts'
import { newProviderBrowser } from './browser.ts'
import { signInAtProvider } from './provider-sign-in.ts'
import { startProvider, PROVIDER_CLIENT, type RunningProvider } from './provider.ts'

const dialer = newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined })

const now = new Date()

function expectFrom({
  issuer,
}: RunningProvider): Omit<TokenExpectation & { use: 'logout' }, 'use'> {
  const source = {
    id: 'a',
    version: 1,
    issuer,
    origin: { kind: 'discovery' },
    authority: undefined,
  } as const
  return {
    issuer,
    keys: newKeySets(dialer, { coolDownMs: 0 }).get(source),
    audiences: [PROVIDER_CLIENT.client_id],
    now,
  }
}

test('verifyToken › accepts the tokens of a real provider, also after it rotated its keys', async (t) => {
  const provider = await startProvider()
  t.after(() => provider.close())
  const expected = expectFrom(provider)
  for (const login of ['ada', 'jonas']) {
    const { idToken, accessToken, nonce } = await signInAtProvider(provider, login)
    const clientId = PROVIDER_CLIENT.client_id
    const { subject, claims } = await verifyToken(idToken, {
      ...expected,
      use: 'id',
      clientId,
      nonce,
      accessToken,
    })
    const { email, groups } = provider.people.get(login) ?? {}
    assert.deepEqual([subject, claims['email'], claims['groups']], [login, email, groups])
    await assert.rejects(verifyToken(idToken, { ...expected, use: 'id', clientId, nonce: 'x' }), {
      reason: 'nonce',
    })
    await provider.rotateKeys()
  }
})

test('verifyToken › accepts the log-out token that a real provider sends at the end of a session', async (t) => {
  const received: string[] = []
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(body)
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  t.after(() => receiver.close())
  const { port } = receiver.address() as AddressInfo
  const provider = await startProvider({
    client: {
      backchannel_logout_uri: `http://127.0.0.1:${port}/`,
      post_logout_redirect_uris: ['https://portbook.test/sign-in'],
    },
  })
  t.after(() => provider.close())
  const browser = newProviderBrowser()
  const { idToken } = await signInAtProvider(provider, 'ada', browser)
  const query = new URLSearchParams({
    id_token_hint: idToken,
    state: 'state-1',
    post_logout_redirect_uri: 'https://portbook.test/sign-in',
  })
  const end = await browser.signOut(`${provider.issuer}/session/end?${query.toString()}`)
  assert.equal(end?.href, 'https://portbook.test/sign-in?state=state-1')
  const token = new URLSearchParams(received[0]).get('logout_token') ?? ''
  const { subject, claims } = await verifyToken(token, { ...expectFrom(provider), use: 'logout' })
  assert.equal(subject, 'ada')
  assert.equal(typeof claims['sid'], 'string')
})
