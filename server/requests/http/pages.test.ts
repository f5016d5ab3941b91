import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { SESSION_COOKIE } from '../access/session.ts'
import { loadPages } from './pages.ts'

const SCRIPT = 'console.log("the pages")'
const directory = mkdtempSync(join(tmpdir(), 'portbook-pages-'))
mkdirSync(join(directory, 'static'))
writeFileSync(
  join(directory, 'index.html'),
  '<meta content="__NONCE__"><meta name="session" content="__SESSION__"><div id="root"></div>',
)
writeFileSync(join(directory, 'favicon.svg'), '<svg/>')
writeFileSync(join(directory, 'static/main-abc.js'), SCRIPT)
writeFileSync(join(directory, 'static/main-abc.js.br'), brotliCompressSync(SCRIPT))
writeFileSync(join(directory, 'static/main-abc.js.gz'), gzipSync(SCRIPT))
writeFileSync(join(directory, '.fingerprint'), 'secret')
writeFileSync(
  join(directory, 'segments.json'),
  JSON.stringify(['', 'search', 'data-products', 'teams', 'sign-in']),
)
after(() => rmSync(directory, { recursive: true, force: true }))

const pages = loadPages(directory)

function get(path: string, headers: Record<string, string> = {}): Response {
  const answer = pages.answer(path, new Headers(headers))
  assert.ok(answer, `${path} is not a page`)
  return answer
}

async function readSession(headers: Record<string, string>): Promise<string | undefined> {
  return /name="session" content="(.*?)"/.exec(await get('/', headers).text())?.[1]
}

for (const path of ['/', '/search', '/data-products/a%2Fb', '/teams/x/edit', '/sign-in']) {
  test(`GET ${path} › 200 the document of all pages`, async () => {
    const answer = get(path)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(await answer.text(), /id="root"/)
  })
}

test('GET / › the policy lets in no script but files of our own, and nothing frames the page', () => {
  const { headers } = get('/')
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'; script-src 'self';/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.match(policy, /base-uri 'none'/)
  assert.doesNotMatch(policy, /unsafe|\*|http/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('referrer-policy'), 'same-origin')
})

test('GET / › styles are allowed by a new nonce in each response, which is not cached', async () => {
  const nonces = await Promise.all(
    [get('/'), get('/')].map(async (answer) => {
      const nonce = /content="([^"]+)"/.exec(await answer.text())?.[1] ?? ''
      assert.ok(nonce.length >= 24)
      assert.ok(answer.headers.get('content-security-policy')?.includes(`'nonce-${nonce}'`))
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      return nonce
    }),
  )
  assert.notEqual(nonces[0], nonces[1])
})

test('GET / › marks whether the request had a session', async () => {
  assert.equal(await readSession({}), 'none')
  assert.equal(await readSession({ cookie: 'other=1' }), 'none')
  assert.equal(await readSession({ cookie: `other=1; ${SESSION_COOKIE}=secret` }), 'some')
})

for (const [path, target] of [
  ['/dataproducts/a', '/data-products/a'],
  ['/acme/teams/a', '/teams/a'],
] as const) {
  test(`GET ${path} › 302 to the page ${target}`, () => {
    const answer = get(path)
    assert.equal(answer.status, 302)
    assert.equal(answer.headers.get('location'), target)
  })
}

test('GET /nowhere › 404 with a page for a browser, nothing for a program', () => {
  const answer = get('/nowhere', { 'sec-fetch-dest': 'document' })
  assert.equal(answer.status, 404)
  assert.equal(pages.answer('/nowhere', new Headers({ accept: 'text/html,*/*' })), undefined)
})

for (const [accepted, encoding] of [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['identity', null],
] as const) {
  test(`GET a built file › as ${encoding ?? 'it is'} to who accepts ${accepted}`, async () => {
    const answer = get('/static/main-abc.js', { 'accept-encoding': accepted })
    assert.equal(answer.headers.get('content-encoding'), encoding)
    assert.equal(answer.headers.get('vary'), 'Accept-Encoding')
    const body = Buffer.from(await answer.arrayBuffer())
    const expected = { br: brotliCompressSync(SCRIPT), gzip: gzipSync(SCRIPT) }
    assert.deepEqual(body, encoding === null ? Buffer.from(SCRIPT) : expected[encoding])
  })
}

test('GET a built file › kept for good when its name changes with its content, else asked for again', () => {
  assert.match(get('/static/main-abc.js').headers.get('cache-control') ?? '', /immutable/)
  const icon = get('/favicon.svg')
  assert.equal(icon.headers.get('cache-control'), 'no-cache')
  const again = get('/favicon.svg', { 'if-none-match': icon.headers.get('etag') ?? '' })
  assert.equal(again.status, 304)
})

test('loadPages › a script may load its parts when it runs as a worker, and nothing else', () => {
  const policy = get('/static/main-abc.js').headers.get('content-security-policy')
  assert.equal(policy, "default-src 'none'; script-src 'self'; frame-ancestors 'none'")
})

for (const path of [
  '/.fingerprint',
  '/segments.json',
  '/static/main-abc.js.br',
  '/../package.json',
  '/static/',
]) {
  test(`GET ${path} › no file of the pages`, () => {
    assert.equal(pages.answer(path, new Headers()), undefined)
  })
}

test('without built pages › every page reports how to build them', async () => {
  const answer = loadPages(join(directory, 'missing')).answer('/', new Headers())
  assert.match((await answer?.text()) ?? '', /npm start/)
})
