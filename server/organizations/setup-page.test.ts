import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, jsonOf, textOf } from '../../test/answers.ts'
import { onEveryStore } from '../../test/stores.ts'
import { newProduct, type Product } from '../../test/world.ts'
import { newToken } from '../kit/token.ts'
import { isEmpty, newSetupToken } from './service.ts'

const FILLED_IN = {
  organization: 'Rail & Co',
  email: 'owner@rail.example',
  password: 'a long enough password',
}

onEveryStore((store) => {
  let product: Product
  beforeEach(async () => {
    await sql`truncate organization, user_account, setup_link cascade`.execute(store().db)
    product = newProduct(store())
  })

  const show = (token: string): Promise<Response> =>
    product.call('GET', `/ui/setup?token=${encodeURIComponent(token)}`)
  const submit = (form: Record<string, string>, to = product): Promise<Response> => {
    const body = new URLSearchParams(form).toString()
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(Buffer.byteLength(body)),
    }
    return to.call('POST', '/ui/setup', { body, headers })
  }

  test('GET /ui/setup › the form for an open link, under a strict policy', async () => {
    const token = await newSetupToken(store().db)
    const answer = await show(token)
    assert.equal(answer.status, 200)
    assertPageHeaders(answer)
    const html = await answer.text()
    assert.ok(html.includes(`name="token" value="${token}"`))
    for (const name of ['organization', 'email', 'password']) {
      assert.ok(html.includes(`name="${name}"`))
    }
    assert.ok(!/<script|javascript:|\son\w+=|https?:/i.test(html))
    // The one style on the page is the one that the policy allows.
    const style = /<style>([^]*)<\/style>/.exec(html)?.[1] ?? ''
    const digest = createHash('sha256').update(style).digest('base64')
    assert.ok(answer.headers.get('content-security-policy')?.includes(`'sha256-${digest}'`))
  })

  test('GET and POST /ui/setup › 404 for a wrong, missing or used token, set up or not', async () => {
    const token = await newSetupToken(store().db)
    const wrong = ['', 'x', newToken('pbs_'), token.slice(0, -1), `${token} `, token.toUpperCase()]
    for (const other of wrong) {
      await expectProblem(show(other), 404, /used or unknown/)
      await expectProblem(submit({ ...FILLED_IN, token: other }), 404)
    }
    await expectProblem(submit(FILLED_IN), 404)
    assert.equal(await isEmpty(store().db), true)
    await textOf(submit({ ...FILLED_IN, token }))
    for (const used of [token, ...wrong]) {
      await expectProblem(show(used), 404, /used or unknown/)
      await expectProblem(submit({ ...FILLED_IN, token: used }), 404)
    }
  })

  test('POST /ui/setup › shows a working organization key, once, and nothing else of what was sent', async () => {
    const token = await newSetupToken(store().db)
    const answer = await submit({ ...FILLED_IN, organization: ' Rail <b>& Co ', token })
    assertPageHeaders(answer)
    const html = await textOf(Promise.resolve(answer))
    const key = /pbk_\w{49}/.exec(html)?.[0]
    assert.ok(!html.includes(FILLED_IN.password))
    const { name, caller } = await jsonOf<{ name: string; caller: { scope: string } }>(
      product.call('GET', '/api/organization/settings', { key }),
    )
    assert.deepEqual([name, caller.scope], ['Rail <b>& Co', 'organization'])
    const again = await expectProblem(submit({ ...FILLED_IN, token }), 404)
    assert.ok(!JSON.stringify(again).includes('pbk_'))
  })

  test('POST /ui/setup › the links of all processes end once one is used, also at the same instant', async () => {
    const products = [product, newProduct(store())]
    const { db } = store()
    const tokens = [await newSetupToken(db), await newSetupToken(db)]
    const answers = await Promise.all(
      tokens.map((token, at) => submit({ ...FILLED_IN, token }, products[at])),
    )
    assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['200', '404'])
    for (const token of tokens) await expectProblem(show(token), 404)
  })

  for (const [what, wrong, says] of [
    ['no organization', { organization: '  ' }, 'organization must not be empty'],
    ['a long organization', { organization: 'x'.repeat(201) }, 'organization is too long'],
    ['a NUL in the organization', { organization: 'a\0b' }, 'organization must not hold'],
    ['no address', { email: 'owner' }, 'email must be an e-mail address'],
    ['a short password', { password: 'elevenchars' }, 'password must have at least 12'],
    ['a long password', { password: 'x'.repeat(201) }, 'password is too long'],
  ] as const) {
    test(`POST /ui/setup › 422 for ${what}: the form again, with what was typed but the password`, async () => {
      const token = await newSetupToken(store().db)
      const typed = { ...FILLED_IN, organization: 'Typed <here>', ...wrong, token }
      const answer = await submit(typed)
      assert.equal(answer.status, 422)
      assertPageHeaders(answer)
      const html = await answer.text()
      assert.ok(html.includes(says), html)
      assert.ok(html.includes(`value="${token}"`))
      assert.ok(html.includes(`value="${typed.email}"`))
      if (!('organization' in wrong)) assert.ok(html.includes('value="Typed &#60;here&#62;"'))
      assert.ok(!html.includes(typed.password))
      assert.equal(await isEmpty(store().db), true)
      await textOf(submit({ ...FILLED_IN, token }))
    })
  }

  test('POST /ui/setup › 422 with every problem at once, missing fields too', async () => {
    const token = await newSetupToken(store().db)
    const answer = await submit({ token })
    assert.equal(answer.status, 422)
    const [alert = ''] = /<p role="alert">.*<\/p>/.exec(await answer.text()) ?? []
    for (const field of ['organization', 'email', 'password']) assert.ok(alert.includes(field))
  })

  test('POST /ui/setup › what is typed shows as text, never as HTML', async () => {
    const token = await newSetupToken(store().db)
    const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&quot;`
    const answer = await submit({ token, organization: hostile, email: hostile, password: hostile })
    assert.equal(answer.status, 422)
    const html = await answer.text()
    assert.ok(!/<script|<img/.test(html))
    assert.ok(html.includes('value="&#34;&#39;&#62;&#60;script&#62;'))
    assert.ok(html.includes('&#38;quot;'))
  })

  test('POST /ui/setup › 413 above 16 KiB', async () => {
    const token = await newSetupToken(store().db)
    await expectProblem(submit({ ...FILLED_IN, token, more: 'x'.repeat(16 * 1024) }), 413)
    assert.equal(await isEmpty(store().db), true)
  })

  test('/ui/setup › needs no key, and a key does not help', async () => {
    const token = await newSetupToken(store().db)
    const html = await textOf(submit({ ...FILLED_IN, token }))
    const key = /pbk_\w{49}/.exec(html)?.[0]
    await expectProblem(product.call('GET', `/ui/setup?token=${token}`, { key }), 404)
  })
})

function assertPageHeaders({ headers }: Response): void {
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('access-control-allow-origin'), null)
  const directives = headers.get('content-security-policy')?.split('; ') ?? []
  assert.deepEqual(
    directives.filter((directive) => !directive.startsWith('style-src')),
    ["default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
  )
  assert.ok(!directives.join(' ').includes('unsafe'))
}
