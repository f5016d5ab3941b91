/** The first start of an empty store, by a link or unattended, and the second one. */

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startProduct, unattended, type ProductProcess } from '../process.ts'
import { countRows, onPlace, settingsOf } from '../operator.ts'

const PASSWORD = 'a long enough password'
const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

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

const hasScript = spawnSync('script', ['--version']).status === 0
const skip = hasScript || process.env.CI === 'true' ? false : 'there is no script(1) here'

test(
  'the first start on a terminal prints the link in plain words, and logs it nowhere',
  { skip },
  async (t) => {
    await onPlace(async (place) => {
      const log = join(place.environment['PORTBOOK_DATA_DIR'] ?? tmpdir(), 'start.log')
      const command = `'${process.execPath}' '${MAIN}' 2>'${log}'`
      // script(1) runs a command on a terminal.
      const terminal = spawn('script', ['-qec', command, '/dev/null'], {
        env: { PATH: process.env.PATH, TMPDIR: tmpdir(), PORT: '0', ...place.environment },
      })
      t.after(() => terminal.kill())
      const ended = once(terminal, 'exit')
      let shown = ''
      const ready = Promise.withResolvers<void>()
      terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
        shown += text
        if (shown.includes('Ctrl+C')) ready.resolve()
      })
      await Promise.race([ready.promise, ended])
      const [, link = ''] = /browser to create[^]*?\s(http:\S+\/set-up#\S+)\s/.exec(shown) ?? []
      const form = { organization: 'O', name: 'O', email: 'o@o.example', password: PASSWORD }
      const url = new URL(link)
      const done = await submit({ url: url.origin }, { ...form, token: url.hash.slice(1) })
      assert.equal(done.status, 201)
      terminal.stdin.write('\u0003')
      await ended
      const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
      for (const line of lines) JSON.parse(line)
      assert.ok(!lines.join('\n').includes(url.hash.slice(1)))
    })
  },
)

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

async function submit(
  product: Pick<ProductProcess, 'url'>,
  form: Record<string, string>,
): Promise<Response> {
  return await fetch(`${product.url}/ui/set-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: product.url },
    body: JSON.stringify(form),
  })
}
