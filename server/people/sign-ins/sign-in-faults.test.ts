/** Sign-ins with a provider that is away, slow or lying at one step, in two processes, and what they leave nowhere. */

import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { expectProblem, readText } from '../../../test/answers.ts'
import { newBrowser } from '../../../test/people.ts'
import {
  expectSignedIn,
  LOOPBACK_URL,
  newClaims,
  newStage,
  verifyDomain,
  type Stage,
} from '../../../test/provider-sign-ins.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'

/** Answers with a status and a text. */
function respond(status: number, text: string, type = 'application/json'): RequestListener {
  return (_request, response) => response.writeHead(status, { 'content-type': type }).end(text)
}

const BREAK_OFF: RequestListener = (_request, response) => response.destroy()
const REDIRECT: RequestListener = (_request, response) =>
  response.writeHead(302, { location: 'http://169.254.169.254/' }).end()

onStore((store) => {
  let world: World
  let stage: Stage
  let log = ''
  before(async () => {
    const memory = pino({ level: 'trace' }, { write: (line) => (log += line) })
    world = await newWorld(newProduct(store(), { baseUrl: LOOPBACK_URL, log: memory }))
    await verifyDomain(world, 'velmora.example')
    const settings = { joinRule: 'everyone', domains: ['velmora.example'] }
    stage = await newStage(world, settings)
  })
  after(async () => await stage.issuer.close())

  const signInWith = async (
    path: string,
    answer: RequestListener,
    claims: object = newClaims(),
  ) => {
    const { answers } = stage.issuer
    const former = answers.get(path)
    const started = await stage.start()
    stage.claims = { ...claims }
    answers.set(path, answer)
    try {
      return await stage.finish(started)
    } finally {
      if (former === undefined) answers.delete(path)
      else answers.set(path, former)
    }
  }

  const faults: [string, RequestListener, code: string][] = [
    ['breaks off', BREAK_OFF, 'provider_unreachable'],
    ['answers 503', respond(503, '{}'), 'provider_unreachable'],
    ['answers a page', respond(200, '<html>', 'text/html'), 'provider_unreachable'],
    ['answers no JSON', respond(200, '{"access_token"'), 'provider_unreachable'],
    ['answers a list', respond(200, '[]'), 'provider_unreachable'],
    ['answers too much', respond(200, ' '.repeat(300_000)), 'provider_unreachable'],
    ['redirects to the metadata of a cloud', REDIRECT, 'provider_unreachable'],
  ]
  for (const [name, answer, code] of faults) {
    test(`the token endpoint ${name}`, async () => {
      const problem = await expectProblem(
        signInWith('/token', answer),
        424,
        /does not answer as it should/,
      )
      assert.equal(problem.code, code)
    })

    test(`the userinfo endpoint ${name}`, async () => {
      const { sub } = newClaims()
      const problem = await expectProblem(signInWith('/userinfo', answer, { sub }), 424)
      assert.equal(problem.code, code)
    })
  }

  const refusals: [string, RequestListener, code: string][] = [
    ['rejects the client', respond(401, '{"error":"invalid_client"}'), 'provider_refused'],
    [
      'answers without an ID token',
      respond(200, '{"access_token":"a","token_type":"Bearer"}'),
      'provider_token_invalid',
    ],
    [
      'answers an ID token that is a number',
      respond(200, '{"access_token":"a","token_type":"Bearer","id_token":7}'),
      'provider_token_invalid',
    ],
  ]
  for (const [name, answer, code] of refusals) {
    test(`the token endpoint ${name}`, async () => {
      assert.equal((await expectProblem(signInWith('/token', answer), 403)).code, code)
    })
  }

  test('a provider that is away at the start is 424, and works again as soon as it is back', async () => {
    const path = '/.well-known/openid-configuration'
    const away = await newStage(world, { name: 'Away' })
    away.issuer.answers.set(path, BREAK_OFF)
    const start = (): Promise<Response> =>
      newBrowser(world).ask('POST', '/ui/sign-in/provider', {
        providerId: away.provider.id,
        next: '/',
      })
    assert.equal((await expectProblem(start(), 424)).code, 'provider_unreachable')
    away.issuer.answers.delete(path)
    await readText(start())
    await away.issuer.close()
  })

  test('a sign-in that one process started is finished by another', async () => {
    const other = newProduct(store(), { baseUrl: LOOPBACK_URL })
    const started = await stage.start()
    stage.claims = newClaims()
    const browser = newBrowser(other)
    browser.transaction = started.browser.transaction
    await expectSignedIn(stage.finish({ ...started, browser }))
  })

  test('more requests than a client may send are 429, and others go on', async () => {
    const product = newProduct(store(), { baseUrl: LOOPBACK_URL })
    let limited: string | undefined
    product.services.signInRate = (client) => {
      limited ??= client
      return { allowed: client !== limited, remaining: 0, resetSeconds: 9 }
    }
    const requests: [string, string, object?][] = [
      ['GET', '/ui/sign-in/options'],
      ['POST', '/ui/sign-in/provider', { providerId: stage.provider.id, next: '/' }],
      ['POST', '/ui/sign-in/provider/finish', { providerId: stage.provider.id, query: '' }],
    ]
    for (const [method, path, body] of requests) {
      const answer = newBrowser(product, '2a00:1::9').ask(method, path, body)
      await expectProblem(answer, 429, /Try again in 9 seconds/)
      assert.notEqual((await newBrowser(product).ask(method, path, body)).status, 429)
    }
  })

  test('no code, token, verifier or secret is in the log, the answers or the database', async () => {
    const started = await stage.start()
    stage.claims = newClaims()
    const answer = await readText(stage.finish(started))
    const failed = await stage.start()
    stage.claims = { ...newClaims(), aud: 'other' }
    const refused = await readText(stage.finish(failed), 403)
    const requests = stage.tokenRequests.slice(-2)
    const secrets = [started, failed].flatMap(({ query, request, browser }) => [
      query['code'],
      query['state'],
      `access-${query['code']}`,
      request.get('nonce'),
      browser.transaction,
    ])
    secrets.push(...requests.map((form) => form.get('code_verifier')), 'ge heim')
    const { rows } = await sql<{ text: string }>`
      select string_agg(entry::text, ' ') as text from (
        select to_jsonb(activity_entry) as entry from activity_entry
        union all select to_jsonb(provider_failure) from provider_failure
        union all select to_jsonb(sign_in_transaction) from sign_in_transaction
        union all select to_jsonb(provider_identity) from provider_identity
      ) as entries
    `.execute(store().db)
    for (const secret of secrets) {
      assert.ok(typeof secret === 'string' && secret.length > 6, String(secret))
      for (const text of [log, answer, refused, rows[0]?.text ?? '']) {
        assert.ok(!text.includes(secret), secret)
      }
    }
    assert.ok(log.includes('id_token_audience'))
  })
})
