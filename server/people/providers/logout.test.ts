import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { readJson } from '../../../test/answers.ts'
import { newProviderBrowser } from '../../../test/oidc/browser.ts'
import { signToken, startLyingIssuer, type LyingIssuer } from '../../../test/oidc/lying-issuer.ts'
import { signInAtProvider } from '../../../test/oidc/provider-sign-in.ts'
import { startProvider, type RunningProvider } from '../../../test/oidc/provider.ts'
import { newBrowser } from '../../../test/people.ts'
import { newProvider, newProviderSession, newSession } from '../../../test/session.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type Product, type World } from '../../../test/world.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import { LOGOUT_EVENT } from '../../platform/kit/token-claims.ts'
import { deleteUsedTokens } from './logout-service.ts'

const BASE_URL = 'http://localhost:8080'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** A provider of an organization, and the address for its log-out tokens. */
interface Scene {
  world: World
  providerId: string
  path: string
}

async function expectRefusal(response: Response, sentence: RegExp): Promise<void> {
  assert.equal(response.status, 400)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const { error, error_description: problem } = await readJson<Record<string, string>>(
    Promise.resolve(response),
    400,
  )
  assert.equal(error, 'invalid_request')
  assert.match(problem ?? '', sentence)
}

onStore((store) => {
  let product: Product
  let issuer: LyingIssuer
  const lines: string[] = []

  before(async () => {
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
    product = newProduct(store(), { log, baseUrl: BASE_URL })
    issuer = await startLyingIssuer('ES256')
  })
  after(() => issuer.close())

  /** Creates an organization with a provider at an issuer. */
  async function newScene(at: string, columns = sql`signs_out = false`): Promise<Scene> {
    const world = await newWorld(product)
    const providerId = await newProvider(store().db, world.organizationId)
    await sql`
      update identity_provider
      set issuer = ${at}, ${columns}
      where organization_id = ${world.organizationId}
        and id = ${providerId}
    `.execute(store().db)
    const path = `/oidc/back-channel-logout/${world.organizationId}/${providerId}`
    return { world, providerId, path }
  }

  /** Starts a session of the editor with the provider; returns a function that gets the status of its requests. */
  async function startAt(
    { world: { organizationId, userIds }, providerId }: Scene,
    start: { subject: string; sid?: string; idToken?: string },
  ) {
    const { secretBox } = product.services
    const { idToken, ...rest } = start
    const token = await newProviderSession(product.services, userIds.Ue, {
      organizationId,
      providerId,
      ...rest,
      ...(idToken !== undefined && { idToken: { text: idToken, secretBox } }),
    })
    const browser = newBrowser(product)
    browser.token = token
    // Another process on the same database.
    const elsewhere = newBrowser(newProduct(store()))
    elsewhere.token = token
    const isOpen = async (): Promise<boolean> => {
      const statuses = [browser, elsewhere].map(
        async (each) => (await each.ask('GET', '/ui/session')).status,
      )
      const [here, there] = await Promise.all(statuses)
      assert.equal(here, there)
      return here === 200
    }
    return { browser, isOpen }
  }

  function signLogout(claims: Record<string, unknown>, header = {}): string {
    const iat = Math.floor(Date.now() / 1000)
    return signToken(
      issuer.key,
      {
        iss: issuer.issuer,
        aud: 'portbook',
        iat,
        exp: iat + 120,
        jti: uniqueId(),
        events: { [LOGOUT_EVENT]: {} },
        ...claims,
      },
      { typ: 'logout+jwt', ...header },
    )
  }

  async function send({ path }: Scene, token: string): Promise<Response> {
    const body = new URLSearchParams({ logout_token: token }).toString()
    return await product.call('POST', path, { body, headers: FORM })
  }

  test('POST /oidc/back-channel-logout › 200: ends the session of the provider, in every process', async () => {
    const scene = await newScene(issuer.issuer)
    const first = await startAt(scene, { subject: 's', sid: 'a' })
    const second = await startAt(scene, { subject: 's', sid: 'b' })
    const answer = await send(scene, signLogout({ sub: 's', sid: 'a' }))
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store'])
    assert.deepEqual([await first.isOpen(), await second.isOpen()], [false, true])
    // Without sessions, and for a token without sub.
    assert.equal((await send(scene, signLogout({ sid: 'a' }))).status, 200)
    assert.equal((await send(scene, signLogout({ sid: 'b' }))).status, 200)
    assert.equal(await second.isOpen(), false)
  })

  test('POST /oidc/back-channel-logout › ends all sessions of a person if the token names no session', async () => {
    const scene = await newScene(issuer.issuer)
    const own = [
      await startAt(scene, { subject: 's', sid: 'a' }),
      await startAt(scene, { subject: 's' }),
    ]
    const other = await startAt(scene, { subject: 'S', sid: 'a' })
    const token = await newSession(store().db, storeClock, scene.world.userIds.Ue)
    assert.equal((await send(scene, signLogout({ sub: 's' }))).status, 200)
    for (const { isOpen } of own) assert.equal(await isOpen(), false)
    assert.equal(await other.isOpen(), true)
    const byPassword = newBrowser(product)
    byPassword.token = token
    assert.equal((await byPassword.ask('GET', '/ui/session')).status, 200)
  })

  test('POST /oidc/back-channel-logout › ends no session of another person, provider or organization', async () => {
    const [scene, twin] = [await newScene(issuer.issuer), await newScene(issuer.issuer)]
    const foreign = await startAt(twin, { subject: 's', sid: 'a' })
    const other = await startAt(scene, { subject: 'other', sid: 'a' })
    assert.equal((await send(scene, signLogout({ sub: 's', sid: 'a' }))).status, 200)
    assert.deepEqual([await foreign.isOpen(), await other.isOpen()], [true, true])
  })

  test('POST /oidc/back-channel-logout › does not compare sub if another claim identifies people', async () => {
    const scene = await newScene(issuer.issuer, sql`subject_claim = 'oid'`)
    const session = await startAt(scene, { subject: 's', sid: 'a' })
    await expectRefusal(await send(scene, signLogout({ sub: 's' })), /names no session/)
    assert.equal(await session.isOpen(), true)
    assert.equal((await send(scene, signLogout({ sub: 'pairwise', sid: 'a' }))).status, 200)
    assert.equal(await session.isOpen(), false)
  })

  test('POST /oidc/back-channel-logout › 400 for a token that was used, also for 50 at once', async () => {
    const scene = await newScene(issuer.issuer)
    const token = signLogout({ sub: 's' })
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(scene, token)))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [200, ...Array.from({ length: 49 }, () => 400)])
    const session = await startAt(scene, { subject: 's' })
    await expectRefusal(await send(scene, token), /used before/)
    assert.equal(await session.isOpen(), true)
    // Ids of tokens count at each provider.
    const jti = uniqueId()
    const twin = await newScene(issuer.issuer)
    for (const each of [scene, twin]) {
      assert.equal((await send(each, signLogout({ sub: 's', jti }))).status, 200)
    }
  })

  test('POST /oidc/back-channel-logout › 400 for other tokens, which end nothing and are not logged', async (t) => {
    const scene = await newScene(issuer.issuer)
    const session = await startAt(scene, { subject: 's', sid: 'a' })
    const elsewhere = await startLyingIssuer('ES256')
    t.after(() => elsewhere.close())
    const otherScene = await newScene(elsewhere.issuer)
    const token = signLogout({ sub: 's', sid: 'a' })
    const refused: [Scene, string, RegExp][] = [
      [otherScene, token, /another issuer/],
      [scene, signLogout({ sub: 's', aud: 'x' }), /aud/],
      [scene, signLogout({ sub: 's', nonce: 'x' }), /nonce/],
      [scene, signLogout({ sub: 's', events: undefined }), /not a log-out token/],
      [scene, signLogout({ sub: 's' }, { typ: 'at+jwt' }), /type/],
      [scene, signLogout({ sub: 's', exp: 1 }), /expired/],
      [scene, `${token.slice(0, -8)}AAAAAAAA`, /signature/],
      [scene, 'x', /three parts/],
      [{ ...scene, path: `${scene.path.slice(0, -4)}0000` }, token, /not the address/],
      [
        {
          ...scene,
          path: scene.path.replace(scene.world.organizationId, otherScene.world.organizationId),
        },
        token,
        /not the address/,
      ],
      [{ ...scene, path: '/oidc/back-channel-logout/a/b' }, token, /not the address/],
    ]
    for (const [at, sent, sentence] of refused) await expectRefusal(await send(at, sent), sentence)
    await elsewhere.close()
    const away = signToken(elsewhere.key, {
      iss: elsewhere.issuer,
      sub: 's',
      jti: '1',
      exp: 9e8,
      iat: 1,
    })
    await expectRefusal(await send(otherScene, away), /cannot be fetched|did not answer/)
    assert.equal(await session.isOpen(), true)
    const logged = lines.join('\n')
    for (const [, sent] of refused) {
      for (const part of sent.split('.')) assert.ok(part.length < 20 || !logged.includes(part))
    }
  })

  test('POST /oidc/back-channel-logout › 400, 413, 415 for other forms', async () => {
    const { path } = await newScene(issuer.issuer)
    const ask = async (body: string, headers: Record<string, string> = FORM) =>
      await product.call('POST', path, { body, headers })
    await expectRefusal(await ask(''), /one logout_token/)
    await expectRefusal(await ask('logout_token=a&logout_token=b'), /one logout_token/)
    await expectRefusal(await ask('logout_token='), /three parts/)
    assert.equal((await ask('x'.repeat(33 * 1024))).status, 413)
    assert.equal((await ask('{}', { 'content-type': 'application/json' })).status, 415)
    assert.equal((await product.call('GET', path)).status, 404)
  })

  test('the job used-tokens › deletes the records of tokens that have expired', async () => {
    const { organizationId } = (await newScene(issuer.issuer)).world
    const insert = async (hash: string, seconds: number) =>
      await sql`
        insert into used_token (organization_id, used_at_id, token_hash, expires_at)
        values (${organizationId}, ${organizationId}, ${hash}::bytea, clock_timestamp() + make_interval(secs => ${seconds}))
      `.execute(store().db)
    await insert(String.raw`\x01`, -1)
    await insert(String.raw`\x02`, 60)
    await deleteUsedTokens(store().db, storeClock)
    const { rows } = await sql<{ hash: string }>`
      select encode(token_hash, 'hex') as hash from used_token where organization_id = ${organizationId}
    `.execute(store().db)
    assert.deepEqual(rows, [{ hash: '02' }])
  })

  /** Starts a real provider whose log-out tokens reach the product. */
  async function startConnected(): Promise<{ provider: RunningProvider; scene: Scene }> {
    const receiver = createServer((request, response) => {
      void text(request).then(async (body) => {
        const headers = { 'content-type': request.headers['content-type'] ?? '' }
        const answer = await product.call('POST', request.url ?? '', { body, headers })
        response.writeHead(answer.status).end()
      })
    }).listen(0, '127.0.0.1')
    receiver.unref()
    await once(receiver, 'listening')
    const provider = await startProvider({
      client: { post_logout_redirect_uris: [`${BASE_URL}/sign-in`] },
    })
    const scene = await newScene(provider.issuer, sql`signs_out = true`)
    const { port } = receiver.address() as AddressInfo
    for (const client of provider.clients) {
      client.backchannel_logout_uri = `http://127.0.0.1:${port}${scene.path}`
    }
    await provider.apply()
    return { provider, scene }
  }

  test('a real provider › a sign-out ends its session, and it ends all other sessions of its session', async (t) => {
    const { provider, scene } = await startConnected()
    t.after(() => provider.close())
    const atProvider = newProviderBrowser()
    const { idToken } = await signInAtProvider(provider, 'ada', atProvider)
    const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
    const start = { subject: 'ada', sid: String(claims.sid) }
    const { browser } = await startAt(scene, { ...start, idToken })
    const same = await startAt(scene, start)
    const other = await startAt(scene, { subject: 'ada', sid: 'another' })
    const { next } = await readJson<{ next: string }>(browser.ask('POST', '/ui/sign-out', {}))
    assert.equal((await browser.ask('GET', '/ui/session')).status, 401)
    assert.equal(await same.isOpen(), true)
    const { searchParams } = new URL(next)
    assert.equal(searchParams.get('client_id'), 'portbook')
    assert.equal(searchParams.get('id_token_hint'), idToken)
    const end = await atProvider.signOut(next)
    assert.equal(end?.href, `${BASE_URL}/sign-in?state=${searchParams.get('state')}`)
    assert.deepEqual([await same.isOpen(), await other.isOpen()], [false, true])
    assert.ok(!lines.join('\n').includes(idToken.split('.')[1] ?? '-'))
  })

  test('POST /ui/sign-out › next is null if the provider is away, or is not to be signed out of', async () => {
    const { provider, scene } = await startConnected()
    await provider.close()
    const away = await startAt(scene, { subject: 'ada' })
    const unwanted = await startAt(await newScene(issuer.issuer), { subject: 'ada' })
    const unable = await startAt(await newScene(issuer.issuer, sql`signs_out = true`), {
      subject: 'ada',
    })
    for (const { browser, isOpen } of [away, unwanted, unable]) {
      assert.deepEqual(await readJson(browser.ask('POST', '/ui/sign-out', {})), { next: null })
      assert.equal(await isOpen(), false)
    }
  })

  test('POST /ui/sign-out › without an ID token, the provider asks the person', async (t) => {
    const { provider, scene } = await startConnected()
    t.after(() => provider.close())
    for (const idToken of [undefined, 'x'.repeat(6001)]) {
      const { browser } = await startAt(scene, { subject: 'ada', ...(idToken && { idToken }) })
      const { next } = await readJson<{ next: string }>(browser.ask('POST', '/ui/sign-out', {}))
      assert.equal(new URL(next).searchParams.get('id_token_hint'), null)
    }
  })
})
