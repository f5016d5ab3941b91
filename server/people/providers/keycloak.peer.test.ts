import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { readJson } from '../../../test/answers.ts'
import { newProviderBrowser } from '../../../test/oidc/browser.ts'
import { signInAtProvider } from '../../../test/oidc/provider-sign-in.ts'
import { PROVIDER_CLIENT } from '../../../test/oidc/provider.ts'
import { newBrowser, type Browser } from '../../../test/people.ts'
import { onPeer } from '../../../test/peers/server.ts'
import { KEYCLOAK } from '../../../test/peers/servers.ts'
import { newProvider, newProviderSession } from '../../../test/session.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type Product, type World } from '../../../test/world.ts'
import { verifyToken } from '../../platform/kit/token-verifier.ts'

const BASE_URL = 'http://localhost:8080'
const CALLBACK = `${BASE_URL}/sign-in/callback`

async function isOpen(browser: Browser): Promise<boolean> {
  return (await browser.ask('GET', '/ui/session')).status === 200
}

onPeer(KEYCLOAK, (peer) => {
  onStore((store) => {
    let product: Product
    let world: World
    let providerId: string
    let issuer: string
    /** The statuses of the answers to log-out tokens. */
    const answered: number[] = []

    const receiver = createServer((request, response) => {
      void text(request).then(async (body) => {
        const headers = { 'content-type': request.headers['content-type'] ?? '' }
        const answer = await product.call('POST', request.url ?? '', { body, headers })
        answered.push(answer.status)
        response.writeHead(answer.status).end()
      })
    })
    after(() => receiver.close())

    before(async () => {
      product = newProduct(store(), { baseUrl: BASE_URL })
      world = await newWorld(product)
      issuer = `${peer().url}/realms/portbook`
      providerId = await newProvider(store().db, world.organizationId)
      await sql`
        update identity_provider
        set issuer = ${issuer}, signs_out = true
        where organization_id = ${world.organizationId}
          and id = ${providerId}
      `.execute(store().db)
      receiver.listen(0, '127.0.0.1')
      await once(receiver, 'listening')
      const { port } = receiver.address() as AddressInfo
      const path = `/oidc/back-channel-logout/${world.organizationId}/${providerId}`
      await setLogoutAddress(peer().url, `http://127.0.0.1:${port}${path}`)
    })

    /** Signs ada in, verifies the ID token like a sign-in, and starts her session in the product. */
    async function signIn(atKeycloak = newProviderBrowser()) {
      const clients = [{ ...PROVIDER_CLIENT, redirect_uris: [CALLBACK] }]
      const tokens = await signInAtProvider({ issuer, clients }, 'ada', atKeycloak)
      const { idToken, nonce, accessToken, callback } = tokens
      const { services } = product
      const { subject, claims } = await verifyToken(idToken, {
        use: 'id',
        issuer,
        audiences: [PROVIDER_CLIENT.client_id],
        clientId: PROVIDER_CLIENT.client_id,
        keys: services.keySets.get({
          id: providerId,
          version: 1,
          issuer,
          origin: { kind: 'discovery' },
          authority: undefined,
        }),
        now: new Date(),
        nonce,
        accessToken,
      })
      const browser = newBrowser(product)
      browser.token = await newProviderSession(services, world.userIds.Ue, {
        organizationId: world.organizationId,
        providerId,
        subject: subject ?? '',
        sid: String(claims['sid']),
        idToken: { text: idToken, secretBox: services.secretBox },
      })
      return { browser, claims, callback }
    }

    test('Keycloak › its ID tokens pass with at_hash, and name the groups; the answer names the issuer', async () => {
      const { claims, callback } = await signIn()
      assert.equal(callback.searchParams.get('iss'), issuer)
      assert.deepEqual(
        [claims['email'], claims['email_verified'], claims['name']],
        ['ada@example.test', true, 'Ada Lindqvist'],
      )
      assert.deepEqual(claims['groups'], ['data-platform', 'everyone'])
      assert.equal(typeof claims['at_hash'], 'string')
    })

    test('Keycloak › a sign-out ends its session, which ends the other session of that session here', async () => {
      const atKeycloak = newProviderBrowser()
      const first = await signIn(atKeycloak)
      const same = await signIn(atKeycloak)
      const other = await signIn()
      assert.equal(first.claims['sid'], same.claims['sid'])
      const answer = await readJson<{ next: string }>(first.browser.ask('POST', '/ui/sign-out', {}))
      answered.length = 0
      const end = await atKeycloak.signOut(answer.next)
      const state = new URL(answer.next).searchParams.get('state')
      assert.equal(end?.href, `${BASE_URL}/sign-in?state=${state}`)
      assert.deepEqual(answered, [200])
      assert.deepEqual(
        [await isOpen(first.browser), await isOpen(same.browser), await isOpen(other.browser)],
        [false, false, true],
      )
    })

    test('Keycloak › an administrator who signs a person out ends all sessions of the person here', async () => {
      const sessions = [await signIn(), await signIn()]
      const [session] = sessions
      await administer(peer().url, 'POST', `/users/${String(session?.claims['sub'])}/logout`)
      for (const { browser } of sessions) assert.equal(await isOpen(browser), false)
    })
  })
})

/** Enters the address for log-out tokens at the client. */
async function setLogoutAddress(url: string, address: string): Promise<void> {
  const found = await administer(url, 'GET', `/clients?clientId=${PROVIDER_CLIENT.client_id}`)
  const [client] = (await found.json()) as { id: string; attributes: Record<string, string> }[]
  if (client === undefined) throw new Error('The realm has no client')
  const attributes = { ...client.attributes, 'backchannel.logout.url': address }
  await administer(url, 'PUT', `/clients/${client.id}`, { ...client, attributes })
}

/** Sends a request to the administration of the realm. */
async function administer(
  url: string,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const granted = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: 'admin',
      password: 'admin',
    }),
  })
  const { access_token: token } = (await granted.json()) as { access_token: string }
  const response = await fetch(`${url}/admin/realms/portbook${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}
