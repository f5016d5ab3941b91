/** Attacks on the protocol of sign-ins with an identity provider: each is refused, starts no session, and has its reason in the log. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { readJson, readText } from '../../../test/answers.ts'
import { newBrowser } from '../../../test/people.ts'
import { newArena, type Arena, type Attack } from '../../../test/provider-attacks.ts'
import { expectSignedIn, newClaims } from '../../../test/provider-sign-ins.ts'
import { onStore } from '../../../test/stores.ts'
import type { ProviderAnswer } from '../providers/provider.ts'

const ATTACKS: readonly Attack[] = [
  [
    'the state of another browser',
    'transaction_lost',
    'state_mismatch',
    async (arena) => {
      const attacker = await arena.begin()
      const victim = await arena.begin()
      return await arena.stage.finish({ ...victim, query: attacker.query })
    },
  ],
  [
    'an answer in a browser that started nothing',
    'transaction_lost',
    'no_cookie',
    async (arena) =>
      await arena.stage.finish({ ...(await arena.begin()), browser: newBrowser(arena.world) }),
  ],
  [
    'an invented secret of a transaction',
    'transaction_lost',
    'used_or_unknown',
    async (arena) => {
      const started = await arena.begin()
      started.browser.transaction = `pbt_${'0'.repeat(49)}`
      return await arena.stage.finish(started)
    },
  ],
  [
    'the same answer twice',
    'transaction_lost',
    'used_or_unknown',
    async (arena) => {
      const started = await arena.begin()
      await expectSignedIn(arena.stage.finish(started))
      return await arena.stage.finish({
        ...started,
        browser: { ...started.browser, token: undefined },
      })
    },
  ],
  [
    'a code that was redeemed in another sign-in',
    'provider_refused',
    'token_invalid_grant',
    async (arena) => {
      const first = await arena.begin()
      await expectSignedIn(arena.stage.finish(first))
      return await arena.stage.finish(await arena.begin(), { code: first.query['code'] })
    },
  ],
  [
    'an answer at the callback of another provider',
    'transaction_lost',
    'another_provider',
    async (arena) =>
      await arena.stage.finish(await arena.begin(), { providerId: arena.other.provider.id }),
  ],
  [
    'the answer of another issuer',
    'provider_refused',
    'issuer_of_another',
    async (arena) =>
      await arena.stage.finish(await arena.begin(), { iss: arena.other.issuer.issuer }),
  ],
  [
    'an answer without its issuer, which the provider announces',
    'provider_refused',
    'issuer_missing',
    async (arena) => await arena.stage.finish(await arena.begin(), { iss: undefined }),
  ],
  [
    'an answer without a code',
    'provider_refused',
    'code_missing',
    async (arena) => await arena.stage.finish(await arena.begin(), { code: undefined }),
  ],
  ...['code', 'state', 'iss', 'x'].map((name): Attack => [
    `an answer with the parameter ${name} twice`,
    'provider_refused',
    'answer_repeats',
    async (arena) => {
      const started = await arena.begin()
      const value = started.query[name] ?? '1'
      return await arena.stage.finish(started, { [name]: [value, value] })
    },
  ]),
  [
    'a person who cancels',
    'provider_refused',
    'access_denied',
    async (arena) =>
      await arena.stage.finish(await arena.begin(), { code: undefined, error: 'access_denied' }),
  ],
  [
    'an error with a text of its own',
    'provider_refused',
    'answered_unknown_error',
    async (arena) =>
      await arena.stage.finish(await arena.begin(), {
        code: undefined,
        error: '<b>GET /api/x</b>',
      }),
  ],
  [
    'a token in the query',
    'provider_refused',
    'answer_invalid',
    async (arena) => await arena.stage.finish(await arena.begin(), { id_token: 'x.y.z' }),
  ],
  [
    'a sign-in of 11 minutes',
    'transaction_lost',
    'expired',
    async (arena) => {
      const started = await arena.begin()
      await arena.run(
        sql`update sign_in_transaction set created_at = created_at - interval '11 minutes'`,
      )
      return await arena.stage.finish(started)
    },
  ],
  [
    'a provider that was changed in the meantime',
    'transaction_lost',
    'provider_changed',
    async (arena) => {
      const started = await arena.begin()
      await arena.run(
        sql`update identity_provider set version = version + 1 where id = ${arena.stage.provider.id}`,
      )
      return await arena.stage.finish(started)
    },
  ],
  [
    'a provider that was disabled in the meantime',
    'transaction_lost',
    'provider_changed',
    async (arena) => {
      const started = await arena.begin()
      const set = (enabled: boolean) =>
        arena.run(
          sql`update identity_provider set enabled = ${enabled} where id = ${arena.stage.provider.id}`,
        )
      await set(false)
      const answer = await arena.stage.finish(started)
      await set(true)
      return answer
    },
  ],
  [
    'an ID token with another nonce',
    'provider_token_invalid',
    'id_token_nonce',
    async (arena) => await arena.stage.signIn({ ...newClaims(), nonce: 'other' }),
  ],
  [
    'an ID token for another client',
    'provider_token_invalid',
    'id_token_audience',
    async (arena) => await arena.stage.signIn({ ...newClaims(), aud: 'other' }),
  ],
  [
    'an ID token of another access token',
    'provider_token_invalid',
    'id_token_access_token_hash',
    async (arena) =>
      await arena.stage.signIn({ ...newClaims(), at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }),
  ],
]

onStore((store) => {
  let arena: Arena
  before(async () => {
    arena = await newArena(store())
  })
  after(async () => await arena.close())

  for (const attack of ATTACKS) {
    test(`refuses ${attack[0]}`, async () => {
      await arena.expectRefused(attack)
    })
  }

  test('the provider lists the refusals with their sentences, and none of them has an address or a token', async () => {
    const claims = newClaims()
    await arena.stage.signIn({ ...claims, email_verified: false })
    const { providers } = await readJson<{ providers: ProviderAnswer[] }>(
      arena.owner.ask('GET', '/ui/identity-providers'),
    )
    const { failures = [] } = providers.find(({ id }) => id === arena.stage.provider.id) ?? {}
    assert.ok(failures.length > 1 && failures.length <= 20, String(failures.length))
    assert.equal(failures[0]?.code, 'provider_email_unverified')
    assert.doesNotMatch(JSON.stringify(failures), /@|eyJ|code-|access-/)
  })

  test('of two answers with one transaction at once, one signs in', async () => {
    const started = await arena.begin()
    const answers = await Promise.all([arena.stage.finish(started), arena.stage.finish(started)])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 400],
    )
  })

  test('a foreign address as the next page is replaced by the home page', async () => {
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/sign-in/x/callback',
    ]) {
      const { next: path } = await expectSignedIn(
        arena.stage.signIn(newClaims(), { body: { next } }),
      )
      assert.equal(path, '/', next)
    }
  })

  test('a prefetched callback page, or a form that is posted to it, uses nothing up', async () => {
    const started = await arena.begin()
    const path = `/sign-in/${arena.stage.provider.id}/callback`
    const query = new URLSearchParams(started.query).toString()
    await readText(started.browser.ask('GET', `${path}?${query}`))
    const posted = await arena.world.call('POST', path, {
      body: query,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.ok([403, 404, 405].includes(posted.status), String(posted.status))
    await expectSignedIn(arena.stage.finish(started))
  })

  test('another site cannot start or finish a sign-in', async () => {
    const started = await arena.begin()
    const headers = { 'sec-fetch-site': 'cross-site' }
    const query = new URLSearchParams(started.query).toString()
    const bodies: [string, object][] = [
      ['/ui/sign-in/provider', { providerId: arena.stage.provider.id, next: '/' }],
      ['/ui/sign-in/provider/finish', { providerId: arena.stage.provider.id, query }],
    ]
    for (const [path, body] of bodies) {
      assert.equal((await started.browser.ask('POST', path, body, headers)).status, 403)
    }
    await expectSignedIn(arena.stage.finish(started))
  })
})
