/** The first start of an empty store, by a link or unattended, and the second one. */

import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { describe, test } from 'node:test'
import { startProduct, unattended, type ProductProcess } from '../process.ts'
import { count, onPlace, settingsOf } from '../operator.ts'

for (const kind of ['postgres', 'embedded'] as const) {
  describe(`on ${kind}`, () => {
    test('the first start logs a link, and its page gives the first key', async () => {
      await onPlace(kind, async (place) => {
        const product = await startProduct(place.environment)
        const { setupLink } = await product.logged((line) => line['setupLink'] !== undefined)
        const link = new URL(String(setupLink))
        assert.equal(link.origin, product.url)

        const page = await fetch(link)
        assert.equal(page.status, 200)
        assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
        const token = /name="token" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
        assert.equal(token, link.searchParams.get('token'))
        const filledIn = { token, organization: 'Rail & Co', email: 'owner@rail.example' }
        const tooShort = await submit(product, { ...filledIn, password: 'short' })
        assert.equal(tooShort.status, 422)
        const done = await submit(product, { ...filledIn, password: 'a long enough password' })
        assert.equal(done.status, 200)
        assert.equal(done.headers.get('cache-control'), 'no-store')
        const key = /pbk_\w+/.exec(await done.text())?.[0] ?? ''

        const { name, caller } = await settingsOf(product, key)
        assert.deepEqual([name, caller.scope], ['Rail & Co', 'organization'])
        assert.equal((await fetch(link)).status, 404)
        const again = await submit(product, { ...filledIn, password: 'a long enough password' })
        assert.equal(again.status, 404)
        const { stderr } = await product.stop()
        assert.ok(!stderr.includes(key))
        assert.ok(!stderr.includes('a long enough password'))

        const second = await startProduct(place.environment)
        assert.equal((await settingsOf(second, key)).name, 'Rail & Co')
        const ended = await second.stop()
        assert.ok(!ended.stderr.includes('setup'))
      })
    })

    test('a link that was not used ends at no restart, and all end with the first use', async () => {
      await onPlace(kind, async (place) => {
        const links: URL[] = []
        for (let start = 0; start < 2; start += 1) {
          const product = await startProduct(place.environment)
          const { setupLink } = await product.logged((line) => line['setupLink'] !== undefined)
          links.push(new URL(String(setupLink)))
          await product.stop()
        }
        const product = await startProduct(place.environment)
        const filledIn = { organization: 'O', email: 'o@o.example', password: 'a long password' }
        const answers = await Promise.all(
          links.map(async (link) => {
            const token = link.searchParams.get('token') ?? ''
            return (await submit(product, { ...filledIn, token })).status
          }),
        )
        assert.deepEqual(
          answers.toSorted((a, b) => a - b),
          [200, 404],
        )
        await product.stop()
      })
    })

    test('an unattended start sets up once; the next one changes nothing', async () => {
      await onPlace(kind, async (place) => {
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
        assert.equal(await count(place, 'organization'), 1)
        assert.equal(await count(place, 'api_key'), 1)
        assert.equal(await count(place, 'user_account'), 1)
      })
    })
  })
}

async function submit(product: ProductProcess, form: Record<string, string>): Promise<Response> {
  return await fetch(`${product.url}/ui/setup`, { method: 'POST', body: new URLSearchParams(form) })
}
