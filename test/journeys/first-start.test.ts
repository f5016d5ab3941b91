/** The first start of an empty store, by a link or unattended, and the second one. */

import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import { startProduct, unattended, type ProductProcess } from '../process.ts'
import { countRows, onPlace, settingsOf } from '../operator.ts'

const PASSWORD = 'a long enough password'

test('the first start logs a link, by which the first owner signs in', async () => {
  await onPlace(async (place) => {
    const product = await startProduct(place.environment)
    const link = await setupLinkOf(product)
    assert.equal(link.origin, product.url)
    assert.equal(link.pathname, '/set-up')
    const token = link.hash.slice(1)
    const filledIn = { token, organization: 'Rail & Co', name: 'O', email: 'o@rail.example' }
    const tooShort = await submit(product, { ...filledIn, password: 'short' })
    assert.equal(tooShort.status, 422)
    const done = await submit(product, { ...filledIn, password: PASSWORD })
    assert.equal(done.status, 201)
    assert.equal(done.headers.get('cache-control'), 'no-store')
    const cookie = done.headers.get('set-cookie')?.split(';')[0] ?? ''
    const sessionAt = async ({ url }: ProductProcess): Promise<[number, string]> => {
      const answer = await fetch(`${url}/ui/session`, { headers: { cookie } })
      return [answer.status, await answer.text()]
    }
    const [status, session] = await sessionAt(product)
    assert.equal(status, 200)
    assert.equal(session, await done.text())
    const again = await submit(product, { ...filledIn, password: PASSWORD })
    assert.equal(again.status, 404)
    const { stderr } = await product.stop()
    const secret = cookie.split('=')[1] ?? ''
    assert.match(secret, /^pbc_/)
    for (const hidden of [secret, PASSWORD]) assert.ok(!stderr.includes(hidden))

    const second = await startProduct(place.environment)
    assert.deepEqual(await sessionAt(second), [200, session])
    const ended = await second.stop()
    assert.ok(!ended.stderr.includes('set-up'))
  })
})

test('a link that was not used ends at no restart, and all end with the first use', async () => {
  await onPlace(async (place) => {
    const links: URL[] = []
    for (let start = 0; start < 2; start += 1) {
      const product = await startProduct(place.environment)
      links.push(await setupLinkOf(product))
      await product.stop()
    }
    const product = await startProduct(place.environment)
    const filledIn = { organization: 'O', name: 'O', email: 'o@o.example', password: PASSWORD }
    const answers = await Promise.all(
      links.map(async (link) => {
        const token = link.hash.slice(1)
        return (await submit(product, { ...filledIn, token })).status
      }),
    )
    assert.deepEqual(
      answers.toSorted((a, b) => a - b),
      [201, 404],
    )
    await product.stop()
  })
})

test('an unattended start sets up once; the next one changes nothing', async () => {
  await onPlace(async (place) => {
    const start = unattended(place)
    const first = await startProduct(start.environment)
    assert.match(first.stdout(), /^portbook listening on http:\/\/127\.0\.0\.1:\d+\n$/)
    const key = start.key()
    assert.equal(statSync(start.keyFile).mode & 0o777, 0o600)
    const settings = await settingsOf(first, key)
    assert.equal(settings.name, start.organization)
    await first.stop()

    const written = statSync(start.keyFile).mtimeMs
    const second = await startProduct({
      ...start.environment,
      PORTBOOK_ORGANIZATION: 'Another',
      PORTBOOK_OWNER_PASSWORD: 'another-password-altogether',
    })
    assert.deepEqual(await settingsOf(second, key), settings)
    assert.deepEqual([start.key(), statSync(start.keyFile).mtimeMs], [key, written])
    await second.stop()
    assert.deepEqual(await countRows(place, 'organization', 'api_key', 'user_account'), [1, 1, 1])
  })
})

async function setupLinkOf(product: ProductProcess): Promise<URL> {
  const { setupLink } = await product.logged((line) => line['setupLink'] !== undefined)
  return new URL(String(setupLink))
}

async function submit(product: ProductProcess, form: Record<string, string>): Promise<Response> {
  return await fetch(`${product.url}/ui/set-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: product.url },
    body: JSON.stringify(form),
  })
}
