import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { pino } from 'pino'
import { loadPackage } from './provider-package.ts'
import { PERSON_FIELD } from './provider-page.ts'
import { PROVIDER_GROUPS, PROVIDER_PEOPLE } from './provider-people.ts'
import {
  ABOUT_PATH,
  listenOnLoopback,
  serveProvider,
  toIssuer,
  type ProviderServer,
} from './provider-server.ts'

const CLIENT = {
  id: 'portbook-demo-1',
  secret: 'a secret of the client',
  redirectAddress: 'http://127.0.0.1:1/sign-in/1/callback',
}

let provider: ProviderServer
let port: number
before(async () => {
  const [oidc, listening] = [await loadPackage(), await listenOnLoopback(0)]
  assert.ok(oidc !== undefined && listening !== undefined)
  ;({ port } = listening)
  provider = await serveProvider(oidc, listening, CLIENT, pino({ level: 'silent' }))
})
after(() => provider.close())

/** Opens an authorization address and returns the page of people, with its cookies. */
async function openPeople(changes: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: CLIENT.id,
    redirect_uri: CLIENT.redirectAddress,
    response_type: 'code',
    scope: 'openid email profile groups',
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  })
  const started = await fetch(`${provider.issuer}/auth?${query.toString()}`, { redirect: 'manual' })
  const cookies = started.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '')
  const address = new URL(started.headers.get('location') ?? '', provider.issuer)
  return { started, verifier, address, cookie: cookies.join('; ') }
}

/** Chooses a person and returns the address to which the provider leads. */
async function choose(
  { address, cookie }: { address: URL; cookie: string },
  person: string,
): Promise<URL> {
  const body = new URLSearchParams({ [PERSON_FIELD]: person })
  const headers = { cookie }
  const chosen = await fetch(address, { method: 'POST', body, headers, redirect: 'manual' })
  const resume = new URL(chosen.headers.get('location') ?? '', address)
  const end = await fetch(resume, { headers, redirect: 'manual' })
  return new URL(end.headers.get('location') ?? '', address)
}

test('the page offers the people, and the chosen one gets a token with address and groups', async () => {
  const opened = await openPeople()
  const page = await fetch(opened.address, { headers: { cookie: opened.cookie } })
  const html = await page.text()
  for (const { name } of PROVIDER_PEOPLE) assert.ok(html.includes(name), name)
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
  const [, nadia] = PROVIDER_PEOPLE
  const end = await choose(opened, nadia?.subject ?? '')
  assert.equal(end.searchParams.get('state'), 'the state')
  assert.equal(end.searchParams.get('iss'), provider.issuer)
  const tokens = await fetch(`${provider.issuer}/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${CLIENT.id}:${encodeURIComponent(CLIENT.secret)}`)}`,
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: end.searchParams.get('code') ?? '',
      redirect_uri: CLIENT.redirectAddress,
      code_verifier: opened.verifier,
    }),
  })
  const { id_token: idToken } = (await tokens.json()) as { id_token: string }
  assert.partialDeepStrictEqual(decodeJwt(idToken), {
    iss: provider.issuer,
    aud: CLIENT.id,
    sub: nadia?.subject,
    nonce: 'the nonce',
    email: nadia?.email,
    email_verified: true,
    groups: [PROVIDER_GROUPS.mapped],
  })
})

test('a canceled sign-in leads back with an error', async () => {
  const end = await choose(await openPeople(), '')
  assert.equal(end.searchParams.get('error'), 'access_denied')
})

test('a choice in another browser is refused', async () => {
  const { address } = await openPeople()
  const page = await fetch(address)
  assert.equal(page.status, 400)
  assert.match(await page.text(), /belongs to another browser/)
})

test('another redirect address, and a sign-in without a challenge, are refused', async () => {
  const foreign = await openPeople({ redirect_uri: 'http://127.0.0.1:2/callback' })
  assert.equal(foreign.started.status, 400)
  const plain = await openPeople({ code_challenge: '', code_challenge_method: '' })
  assert.equal(plain.address.searchParams.get('error'), 'invalid_request')
})

test('another host is refused, and the loopback address is the only one', async () => {
  const { status } = await fetch(`http://localhost:${port}${ABOUT_PATH}`).catch(() => ({
    status: 421,
  }))
  assert.equal(status, 421)
  assert.equal(provider.issuer, toIssuer(port))
  assert.equal(await (await fetch(`${provider.issuer}${ABOUT_PATH}`)).text(), CLIENT.id)
})

test('a busy port is reported, and not shared', async () => {
  assert.equal(await listenOnLoopback(port), undefined)
})
