/** The operator creates a link that sets a new password. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, onLocalPlace, onPlace, readSettings } from '../operator.ts'
import { runProduct, startProduct, createUnattendedStart } from '../process.ts'

const NEW = 'the new long password'
const BASE_URL = 'https://catalog.example.com'

async function post(url: string, path: string, body: object): Promise<Response> {
  return await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function printLink(environment: Record<string, string>, address: string): Promise<string> {
  const { code, stdout, stderr } = await runProduct(
    { ...environment, PORTBOOK_BASE_URL: BASE_URL },
    ['reset-password', address],
  )
  assert.equal(code, 0, stderr)
  const token = /^https:\/\/catalog\.example\.com\/reset-password#(pbr_\w+)\n$/.exec(stdout)?.[1]
  assert.ok(token !== undefined, stdout)
  assert.ok(!stderr.includes(token), 'only standard output contains the link')
  return token
}

for (const [where, lend] of [
  ['a configured PostgreSQL', onPlace],
  ['its own PostgreSQL', onLocalPlace],
] as const) {
  test(`reset-password › on ${where}, with and without a server, the latest link sets a password`, async () => {
    await lend(async (place) => {
      const { environment, key } = createUnattendedStart(place)
      const email = environment['PORTBOOK_OWNER_EMAIL'] ?? ''
      const first = await startProduct(environment)
      const firstLink = await printLink(environment, email)
      await first.stop()
      const token = await printLink(environment, email.toUpperCase())
      const product = await startProduct(environment)
      const reset = (of: string) =>
        post(product.url, '/ui/password-reset', { token: of, password: NEW })
      assert.equal((await reset(firstLink)).status, 404)
      const done = await reset(token)
      assert.deepEqual(await done.json(), { email, deletedApiKeys: 0 })
      const old = { email, password: environment['PORTBOOK_OWNER_PASSWORD'] }
      assert.equal((await post(product.url, '/ui/sign-in', old)).status, 401)
      const signedIn = await post(product.url, '/ui/sign-in', { email, password: NEW })
      assert.equal(signedIn.status, 200)
      await readSettings(product, key())
      await product.stop()
    })
  })
}

test('reset-password › reports each wrong use in one line', async () => {
  await onPlace(async (place) => {
    const { environment } = createUnattendedStart(place)
    await (await startProduct(environment)).stop()
    const settings = { ...environment, PORTBOOK_BASE_URL: BASE_URL }
    assertRefused(
      await runProduct(settings, ['reset-password', 'nobody@example.test']),
      /No account has the address "nobody@example\.test"/,
    )
    assertRefused(
      await runProduct({ ...environment, PORT: '0' }, [
        'reset-password',
        environment['PORTBOOK_OWNER_EMAIL'] ?? '',
      ]),
      /set PORTBOOK_BASE_URL or PORT/,
    )
    const { code, stderr } = await runProduct(settings, ['reset-password'])
    assert.equal(code, 2)
    assert.match(stderr, /^portbook: reset-password needs <address>\. Usage: .*\n$/)
  })
})
