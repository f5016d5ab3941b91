/** The first start of an empty store, by a setup link or unattended, and the second start. */

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { matchPassword, PASSWORD_COST } from '../../server/people/users/password.ts'
import { startProduct, createUnattendedStart, type ProductProcess } from '../process.ts'
import { countRows, onPlace, query, readSettings } from '../operator.ts'

const PASSWORD = 'a long enough password'
const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

test('the first start logs a link that creates the first owner', async () => {
  await onPlace(async (place) => {
    const product = await startProduct(place.environment)
    const link = await readSetupLink(product)
    assert.equal(link.origin, product.url)
    assert.equal(link.pathname, '/set-up')
    const token = link.hash.slice(1)
    const form = { token, organization: 'Rail & Co', name: 'O', email: 'o@rail.example' }
    const tooShort = await submit(product, { ...form, password: 'short' })
    assert.equal(tooShort.status, 422)
    const done = await submit(product, { ...form, password: PASSWORD })
    assert.equal(done.status, 201)
    assert.equal(done.headers.get('cache-control'), 'no-store')
    const [account] = await query(place, 'select password_hash from user_account')
    const hash = String(account?.['password_hash'])
    assert.deepEqual(await matchPassword(PASSWORD_COST, [hash], PASSWORD), [true])
    const cookie = done.headers.get('set-cookie')?.split(';')[0] ?? ''
    const sessionAt = async ({ url }: ProductProcess): Promise<[number, string]> => {
      const answer = await fetch(`${url}/ui/session`, { headers: { cookie } })
      return [answer.status, await answer.text()]
    }
    const [status, session] = await sessionAt(product)
    assert.equal(status, 200)
    assert.equal(session, await done.text())
    const again = await submit(product, { ...form, password: PASSWORD })
    assert.equal(again.status, 404)
    const { stderr } = await product.stop()
    const secret = cookie.split('=')[1] ?? ''
    assert.match(secret, /^pbc_/)
    for (const hidden of [secret, PASSWORD]) assert.ok(!stderr.includes(hidden))

    const second = await startProduct(place.environment)
    assert.deepEqual(await sessionAt(second), [200, session])
    const secondRun = await second.stop()
    assert.ok(!secondRun.stderr.includes('set-up'))
  })
})

const hasScript = spawnSync('script', ['--version']).status === 0
const skip = hasScript || process.env.CI === 'true' ? false : 'script(1) is not installed'

test(
  'the first start on a terminal prints the link in plain words, and does not log it',
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
      const exit = once(terminal, 'exit')
      let output = ''
      const ready = Promise.withResolvers<void>()
      terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (output.includes('Ctrl+C')) ready.resolve()
      })
      await Promise.race([ready.promise, exit])
      const [, link = ''] = /browser to create[^]*?\s(http:\S+\/set-up#\S+)\s/.exec(output) ?? []
      const form = { organization: 'O', name: 'O', email: 'o@o.example', password: PASSWORD }
      const url = new URL(link)
      const done = await submit({ url: url.origin }, { ...form, token: url.hash.slice(1) })
      assert.equal(done.status, 201)
      terminal.stdin.write('\u0003')
      await exit
      const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
      for (const line of lines) JSON.parse(line)
      assert.ok(!lines.join('\n').includes(url.hash.slice(1)))
    })
  },
)

test('an unused link survives restarts, and all links end with the first use', async () => {
  await onPlace(async (place) => {
    const links: URL[] = []
    for (let start = 0; start < 2; start += 1) {
      const product = await startProduct(place.environment)
      links.push(await readSetupLink(product))
      await product.stop()
    }
    const product = await startProduct(place.environment)
    const form = { organization: 'O', name: 'O', email: 'o@o.example', password: PASSWORD }
    const answers = await Promise.all(
      links.map(async (link) => {
        const token = link.hash.slice(1)
        return (await submit(product, { ...form, token })).status
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
    const start = createUnattendedStart(place)
    const first = await startProduct(start.environment)
    assert.match(first.stdout(), /^portbook listening on http:\/\/127\.0\.0\.1:\d+\n$/)
    const key = start.key()
    assert.equal(statSync(start.keyFile).mode & 0o777, 0o600)
    const settings = await readSettings(first, key)
    assert.equal(settings.name, start.organization)
    await first.stop()

    const written = statSync(start.keyFile).mtimeMs
    const second = await startProduct({
      ...start.environment,
      PORTBOOK_ORGANIZATION: 'Another',
      PORTBOOK_OWNER_PASSWORD: 'another-password-altogether',
    })
    assert.deepEqual({ ...(await readSettings(second, key)), host: settings.host }, settings)
    assert.deepEqual([start.key(), statSync(start.keyFile).mtimeMs], [key, written])
    await second.stop()
    assert.deepEqual(await countRows(place, 'organization', 'api_key', 'user_account'), [1, 1, 1])
  })
})

async function readSetupLink(product: ProductProcess): Promise<URL> {
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
