import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createConnection, type AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createServer } from 'node:tls'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { LOCALHOST_CERTIFICATE } from '../../../test/certificate.ts'
import { addProvider, PROVIDERS_PATH } from '../../../test/identity-providers.ts'
import { startLyingIssuer, type LyingIssuer } from '../../../test/oidc/lying-issuer.ts'
import {
  PROVIDER_CLIENT,
  startProvider,
  type RunningProvider,
} from '../../../test/oidc/provider.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'
import { newDialer } from '../../platform/kit/dialer.ts'
import type { TrialFinding } from './trial.ts'

const PATH = `${PROVIDERS_PATH}/test`

onStore((store) => {
  let provider: RunningProvider
  let liar: LyingIssuer
  let honest: object
  let product: World
  let world: World

  before(async () => {
    provider = await startProvider()
    liar = await startLyingIssuer()
    honest = liar.discovery as object
    product = await newWorld(newProduct(store(), { baseUrl: 'http://127.0.0.1:8080' }))
  })
  after(async () => {
    await provider.close()
    await liar.close()
  })
  beforeEach(async () => {
    liar.discovery = honest
    liar.jwks = { keys: [liar.key.jwk] }
    liar.requests.length = 0
    liar.answers.clear()
    answerToken(400, 'invalid_grant')
    // Tests are limited for each organization.
    world = await newWorld(product)
  })

  function answerToken(status: number, error: string): void {
    liar.answers.set('/token', (_request, response) => {
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error }))
    })
  }

  const connect = (changes: object = {}): object => ({
    issuer: liar.issuer,
    clientId: 'portbook',
    clientAuthentication: 'basic',
    clientSecret: 'secret',
    authority: null,
    ...changes,
  })

  async function run(
    connection: object | undefined,
    id: string = randomUUID(),
  ): Promise<TrialFinding[]> {
    const answer = await readJson<{ findings: TrialFinding[] }>(
      world.asPerson('Uo', 'POST', PATH, { body: { id, connection } }),
    )
    return answer.findings
  }

  /** Asserts the only step that failed; those before it passed, and those after it were not tried. */
  async function expectFailure(
    connection: object,
    step: string,
    sentence: RegExp,
    remedy: RegExp,
  ): Promise<void> {
    const findings = await run(connection)
    const index = findings.findIndex((finding) => finding.step === step)
    assert.deepEqual(
      findings.map(({ state }) => state),
      findings.map((_, at) => (at < index ? 'passed' : at === index ? 'failed' : 'skipped')),
      JSON.stringify(findings, null, 1),
    )
    assert.match(findings[index]?.sentence ?? '', sentence)
    assert.match(findings[index]?.remedy ?? '', remedy)
  }

  test('a real provider passes every step, with the secret and with a wrong one', async () => {
    const { client_id: clientId, client_secret: clientSecret } = PROVIDER_CLIENT
    const right = { issuer: provider.issuer, clientId, clientSecret }
    const findings = await run(connect(right))
    assert.deepEqual(
      findings.map(({ step, state }) => `${step} ${state}`),
      [
        'address passed',
        'host passed',
        'certificate passed',
        'discovery passed',
        'issuer passed',
        'endpoints passed',
        'code passed',
        'keys passed',
        'secret passed',
        'redirect skipped',
      ],
    )
    const wrong = connect({ ...right, clientSecret: 'wrong' })
    await expectFailure(wrong, 'secret', /refused the client id/, /new client secret/)
    await expectFailure(
      connect({ ...right, clientId: 'other' }),
      'secret',
      /refused the client id/,
      /client id/,
    )
  })

  describe('planted faults', () => {
    test('a private address, and an address that is never allowed', async () => {
      const { services } = world
      const former = services.identityDialer
      services.identityDialer = newDialer({
        privateAddresses: 'deny',
        allowed: [],
        ownStore: undefined,
      })
      try {
        await expectFailure(connect(), 'address', /private address/, /PORTBOOK_IDENTITY_ALLOWED/)
        const metadata = connect({ issuer: 'https://169.254.169.254/latest' })
        await expectFailure(metadata, 'address', /never allowed/, /./)
      } finally {
        services.identityDialer = former
      }
      const remote = connect({ issuer: 'http://id.velmora.example' })
      await expectFailure(remote, 'address', /does not begin with https/, /https/)
    })

    test('a port where nothing listens', async () => {
      const closed = connect({ issuer: 'https://127.0.0.1:1' })
      await expectFailure(closed, 'host', /Nothing listens at 127\.0\.0\.1:1/, /firewall/)
    })

    test('a server without a certificate', async () => {
      const plain = connect({ issuer: liar.issuer.replace('http:', 'https:') })
      const findings = await run(plain)
      assert.ok(findings.some(({ state }) => state === 'failed'))
    })

    test('a certificate of an own authority, until that authority is entered', async (t) => {
      const { port } = new URL(liar.issuer)
      const front = createServer(LOCALHOST_CERTIFICATE, (secure) => {
        const inner = createConnection(Number(port), '127.0.0.1')
        inner.on('error', () => secure.destroy())
        secure.on('error', () => inner.destroy())
        secure.pipe(inner).pipe(secure)
      }).listen(0, '127.0.0.1')
      await once(front, 'listening')
      t.after(() => front.close())
      const issuer = `https://localhost:${(front.address() as AddressInfo).port}`
      liar.discovery = JSON.parse(JSON.stringify(honest).replaceAll(liar.issuer, issuer))
      const { cert } = LOCALHOST_CERTIFICATE
      await expectFailure(
        connect({ issuer }),
        'certificate',
        /is not trusted/,
        /certificate of the/,
      )
      const findings = await run(connect({ issuer, authority: cert }))
      assert.deepEqual(
        findings.filter(({ state }) => state === 'failed'),
        [],
      )
      // The certificate is for another name.
      const renamed = connect({ issuer: issuer.replace('localhost', '127.0.0.1'), authority: cert })
      await expectFailure(renamed, 'certificate', /is not trusted/, /certificate of the/)
    })

    test('a discovery document that is missing, another page or a redirect', async () => {
      const path = '/.well-known/openid-configuration'
      const from = connect({ issuer: `${liar.issuer}/realms/none` })
      await expectFailure(from, 'discovery', /answered 404/, /issuer/)
      liar.discovery = '<html>Sign in</html>'
      await expectFailure(connect(), 'discovery', /not a discovery document/, /JSON document/)
      liar.answers.set(path, (_request, response) => {
        response.writeHead(302, { location: 'https://sso.velmora.example/x' }).end()
      })
      const names = /redirect.*It names https:\/\/sso\.velmora\.example\/x/
      await expectFailure(connect(), 'discovery', names, /issuer/)
    })

    test('another issuer, with both texts and a hint about the slash', async () => {
      liar.discovery = { ...honest, issuer: 'https://other.example' }
      const both = /names itself "https:\/\/other\.example", but the issuer here is "http/
      await expectFailure(connect(), 'issuer', both, /Enter "https:\/\/other\.example" if/)
      liar.discovery = { ...honest, issuer: `${liar.issuer}/` }
      await expectFailure(connect(), 'issuer', /names itself/, /only in the slash at the end/)
    })

    test('endpoints that are missing or not https', async () => {
      liar.discovery = { ...honest, token_endpoint: 'http://id.velmora.example/token' }
      await expectFailure(connect(), 'endpoints', /token_endpoint does not begin/, /public address/)
    })

    test('no code flow, and PKCE without S256', async () => {
      liar.discovery = { ...honest, response_types_supported: ['id_token'] }
      await expectFailure(connect(), 'code', /response type "code"/, /authorization code flow/)
      liar.discovery = { ...honest, code_challenge_methods_supported: ['plain'] }
      await expectFailure(connect(), 'code', /without the method S256/, /S256/)
      liar.discovery = { ...honest, code_challenge_methods_supported: undefined }
      assert.equal((await run(connect()))[6]?.state, 'passed')
    })

    test('no usable key', async () => {
      for (const [jwks, sentence] of [
        [{ keys: [] }, /has no key\./],
        [{ keys: [{ ...liar.key.jwk, use: 'enc' }] }, /no key for a signature/],
        [{ keys: [{ ...liar.key.jwk, d: 'x' }] }, /private or symmetric key/],
        [{ keys: Array.from({ length: 101 }, () => liar.key.jwk) }, /101 keys/],
        ['no json', /not a set of keys/],
      ] as const) {
        liar.jwks = jwks
        await expectFailure(connect(), 'keys', sentence, /signing key/)
      }
      liar.jwks = { keys: [liar.key.jwk] }
      liar.discovery = { ...honest, id_token_signing_alg_values_supported: ['HS256'] }
      await expectFailure(connect(), 'keys', /signed with HS256/, /RS256/)
    })

    test('a secret in the wrong place, a client that may not, and an answer that proves nothing', async () => {
      liar.discovery = {
        ...honest,
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      }
      await expectFailure(
        connect(),
        'secret',
        /does not accept .*\(Basic\)/,
        /in the form \(POST\)/,
      )
      liar.discovery = honest
      answerToken(400, 'unauthorized_client')
      await expectFailure(connect(), 'secret', /may not use the authorization code flow/, /PKCE/)
      answerToken(500, 'server_error')
      const finding = (await run(connect()))[8]
      assert.equal(finding?.state, 'unsure')
      assert.match(finding.sentence, /server_error/)
    })
  })

  test('a stored secret is sent only with the stored issuer, client and certificates', async () => {
    const form = { issuer: liar.issuer, clientSecret: 'stored' }
    const { id } = await addProvider(world, form)
    const sent: string[] = []
    liar.answers.set('/token', (request, response) => {
      sent.push(String(request.headers.authorization))
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"error":"invalid_grant"}')
    })
    const basic = `Basic ${btoa('portbook:stored')}`
    assert.equal((await run(undefined, id))[8]?.state, 'passed')
    assert.equal((await run(connect({ clientSecret: undefined }), id))[8]?.state, 'passed')
    assert.deepEqual(sent, [basic, basic])
    for (const change of [
      { clientId: 'other' },
      { clientAuthentication: 'post' },
      { issuer: provider.issuer },
    ]) {
      const finding = (await run(connect({ clientSecret: undefined, ...change }), id))[8]
      assert.deepEqual(
        [finding?.state, finding?.sentence.slice(0, 17)],
        ['skipped', 'The stored secret'],
      )
    }
    assert.equal(sent.length, 2)
    // Another organization cannot use the secret by the id.
    const own = world
    world = await newWorld(product)
    const body = { id }
    await expectProblem(world.asPerson('Uo', 'POST', PATH, { body }), 404)
    const finding = (await run(connect({ clientSecret: undefined }), id))[8]
    assert.equal(finding?.sentence, 'Enter the client secret to check it.')
    assert.equal(sent.length, 2)
    await expectProblem(own.asPerson('Um', 'POST', PATH, { body }), 403)
  })

  test('429 for many tests of an organization', async () => {
    const issuer = 'https://127.0.0.1:1'
    for (let count = 0; count < 20; count += 1) await run(connect({ issuer }))
    const body = { id: randomUUID(), connection: connect() }
    await expectProblem(world.asPerson('Uo', 'POST', PATH, { body }), 429, /20 tests/)
  })
})
