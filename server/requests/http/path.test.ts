import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { expectProblem } from '../../../test/answers.ts'
import { serveRaw, type RawServer } from '../../../test/raw-http.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

// Raw path segments that cannot be IDs, each with its problem.
const UNUSABLE: Record<string, RegExp> = {
  '%2F': /slash/,
  'a%2Fb': /slash/,
  'a%2fb': /slash/,
  '.': /dot segment/,
  '..': /dot segment/,
  '%2e': /dot segment/,
  '%2E%2e': /dot segment/,
  '.%2e': /dot segment/,
  '%00': /control character/,
  'a%00b': /control character/,
  '%0A': /control character/,
  'a%0D%0Ax-evil:%201': /control character/,
  '%7F': /control character/,
  '%C2%85': /control character/,
  '%D8%9C': /control character/,
  '%E2%80%8E': /control character/,
  '%E2%80%AE': /control character/,
  '%E2%81%A6': /control character/,
  '%': /percent-encoded/,
  'a%': /percent-encoded/,
  '%4': /percent-encoded/,
  '%zz': /percent-encoded/,
  '%FF': /percent-encoded/,
  '%C3': /percent-encoded/,
  '%C0%AF': /percent-encoded/,
  '%ED%A0%80': /percent-encoded/,
  '%ED%A0%BD%ED%B8%80': /percent-encoded/,
  '%F4%90%80%80': /percent-encoded/,
  'http:%2F%2Fx': /URI/,
  'HTTPS%3A%2F%2Fx%2Fy': /URI/,
  'a+b.c-d:%2F%2F': /URI/,
  ['a'.repeat(257)]: /256/,
  ['%F0%9F%9A%82'.repeat(257)]: /256/,
}

// Raw path segments with the ids that they mean.
const USABLE: Record<string, string> = {
  'urn:a:b': 'urn:a:b',
  'a:b': 'a:b',
  'http:': 'http:',
  __proto__: '__proto__',
  constructor: 'constructor',
  toString: 'toString',
  latest: 'latest',
  ingest: 'ingest',
  versions: 'versions',
  dataproducts: 'dataproducts',
  '...': '...',
  '.a': '.a',
  '%20': ' ',
  'a%20b': 'a b',
  'a+b': 'a+b',
  'a%5Cb': 'a\\b',
  'a%3Fb%23c': 'a?b#c',
  'a;b,c@d': 'a;b,c@d',
  '%25': '%',
  '%2525': '%25',
  '%C3%A9': '\u00e9',
  'e%CC%81': 'e\u0301',
  '%F0%9F%9A%82': '🚂',
  '%22%27%3C%3E%60': '"\'<>`',
  '%7B%7D': '{}',
  "'--": "'--",
  ['a'.repeat(256)]: 'a'.repeat(256),
  ['%F0%9F%9A%82'.repeat(256)]: '🚂'.repeat(256),
}

// Raw ends of paths that cannot be ids with slashes, each with its problem.
const UNUSABLE_WITH_SLASHES: Record<string, RegExp> = {
  '/a': /empty part/,
  'a/': /empty part/,
  'a//b': /empty part/,
  'a%2F/b': /empty part/,
  'http://x': /empty part/,
  'a/../b': /dot segment/,
  'a/%2E%2e': /dot segment/,
  './a': /dot segment/,
  'a/%00': /control character/,
  'a/%ff': /percent-encoded/,
  ['a/'.repeat(128) + 'b']: /256/,
}

// Raw ends of paths with the ids with slashes that they mean.
const USABLE_WITH_SLASHES: Record<string, string> = {
  'a/b/c': 'a/b/c',
  'd%2Fe%2ff': 'd/e/f',
  'g/h%2Fi': 'g/h/i',
  'a/b%2Fversions': 'a/b/versions',
  'a/versions/b/c': 'a/versions/b/c',
  'versions/a': 'versions/a',
  'a/versions%2F1': 'a/versions/1',
  'a%2Fdiff': 'a/diff',
  'urn:a:b/%C3%A9%20%F0%9F%9A%82': 'urn:a:b/é 🚂',
}

const short = (segment: string): string =>
  segment.length > 40 ? `${segment.slice(0, 12)}… (${segment.length})` : segment

onStore((store) => {
  let world: World
  let server: RawServer
  before(async () => {
    world = await newWorld(newProduct(store()))
    server = await serveRaw(world)
  })
  after(() => server.close())

  for (const [segment, says] of Object.entries(UNUSABLE)) {
    test(`ids › 400 for ${short(segment)}`, async () => {
      for (const [method, base, body] of [
        ['GET', '/api/dataproducts/', undefined],
        ['PUT', '/api/dataproducts/', '{}'],
        ['DELETE', '/api/dataproducts/', undefined],
        ['GET', '/api/teams/', undefined],
      ] as const) {
        const answer = await server.request(method, base + segment, body ? { body } : {})
        assert.equal(answer.status, 400, answer.body)
        assert.equal(answer.headers.get('content-type'), 'application/problem+json')
        const { detail } = JSON.parse(answer.body) as { detail: string }
        assert.match(detail, says)
      }
      const versions = await server.request('GET', `/api/dataproducts/${segment}/versions/1`)
      assert.equal(versions.status, 400)
    })
  }

  test('ids › one that is unusable in a body cannot come in that way', async () => {
    const id = uniqueId()
    for (const other of ['..', 'a/b', '\u202e', `${id}\n`, '']) {
      const body = odps(other)
      await expectProblem(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }), 422)
    }
  })

  for (const [segment, id] of Object.entries(USABLE)) {
    test(`ids › ${short(segment)} is an ordinary id, kept byte for byte`, async () => {
      const path = `/api/dataproducts/${segment}`
      const body = JSON.stringify(odps(id, { tags: ['usable'] }))
      const put = await server.request('PUT', path, { body })
      assert.equal(put.status, 200, put.body)
      const page = `http://portbook.test/data-products/${encodeURIComponent(id)}`
      assert.equal(put.headers.get('location-html'), page)
      assert.equal((await server.request('GET', path)).body, body)
      const versions = await server.request('GET', `${path}/versions`)
      assert.equal((JSON.parse(versions.body) as unknown[]).length, 1)
      assert.equal((await server.request('GET', `${path}/versions/1`)).body, body)
      assert.equal((await server.request('DELETE', path)).status, 200)
      assert.equal((await server.request('GET', path)).status, 404)
    })
  }

  test('ids › compared as they are, never normalised', async () => {
    const twins = ['\u00e9', 'e\u0301', '\u212b', '\u00c5', 'a', 'A', 'a ', 'ﬁ', 'fi']
    const tag = uniqueId()
    for (const id of twins) {
      const body = JSON.stringify(odps(id, { tags: [tag] }))
      const answer = await server.request('PUT', `/api/dataproducts/${encodeURIComponent(id)}`, {
        body,
      })
      assert.equal(answer.status, 200)
    }
    const list = await server.request('GET', `/api/dataproducts?tag=${tag}`)
    assert.deepEqual(
      (JSON.parse(list.body) as { id: string }[]).map(({ id }) => id),
      twins,
    )
  })

  // Targets with their answers with a key, and without one.
  const targets: Record<string, [number, number]> = {
    '/api/dataproducts/': [404, 401],
    '/api/dataproducts//': [404, 401],
    '/api/dataproducts//versions': [404, 401],
    '/api//dataproducts': [404, 401],
    '//api/dataproducts': [404, 404],
    '//evil.test/api/dataproducts': [404, 404],
    '/api/../api/dataproducts': [404, 401],
    '/api/./dataproducts': [404, 401],
    '/api/%2e%2e/healthz': [404, 401],
    '/healthz/../api/teams': [404, 404],
    '/guides/../healthz': [404, 404],
    '/guides/%2e%2e/%2e%2e/package.json': [404, 404],
    '/%61pi/teams': [404, 404],
    '/API/teams': [404, 404],
    '/api/teams;x=1': [404, 401],
    '/api/teams%3Fp=-1': [404, 401],
    '/api/teams?p=0#?p=-1': [200, 401],
    '/api/teams#fragment': [200, 401],
    'http://evil.test/api/teams': [200, 401],
    'http://evil.test/api/dataproducts/..': [400, 401],
    // The root is a public page without data.
    'http://evil.test': [200, 200],
    'https://evil.test/healthz?x': [200, 200],
    'ftp://evil.test/api/teams': [400, 400],
    'http://[': [400, 400],
    '*': [400, 400],
    '/api/dataproducts/a\\b': [400, 400],
    '\\api\\teams': [400, 400],
    'api/teams': [400, 400],
    '?': [400, 400],
  }
  for (const [target, [withKey, without]] of Object.entries(targets)) {
    test(`request target ${target} › ${withKey}, without a key ${without}`, async () => {
      assert.equal((await server.request('GET', target)).status, withKey)
      assert.equal((await server.request('GET', target, { key: null })).status, without)
    })
  }

  for (const [what, bytes] of Object.entries({
    'a tab': 'a\tb',
    'a control character': 'a\u0001b',
    'a NUL': 'a\0b',
    'a space': 'a b',
    'a byte above 127': 'a\u00ffb',
    'UTF-8 that is not percent-encoded': 'a\u00c3\u00a9b',
    'half a surrogate pair in UTF-8': '\u00ed\u00a0\u0080',
  })) {
    test(`request target › 400 for ${what} in it`, async () => {
      const target = Buffer.from(`/api/dataproducts/${bytes}`, 'latin1')
      const answer = await server.request('GET', target)
      assert.equal(answer.status, 400)
      assert.equal(answer.headers.get('content-type'), 'application/problem+json')
    })
  }

  test('headers › nothing from an id or a path gets into a header unencoded', async () => {
    const evil = 'a%22%3E;%20rel=%22next%22,%3Chttp:evil%3E%E2%9C%93'
    const body = JSON.stringify(odps(decodeURIComponent(evil)))
    const put = await server.request('PUT', `/api/dataproducts/${evil}`, { body })
    assert.equal(put.status, 200)
    const location = put.headers.get('location-html') ?? ''
    assert.match(location, /^http:\/\/portbook\.test\/data-products\/[\w%.!~*'()-]+$/)
  })

  for (const [end, problem] of Object.entries(UNUSABLE_WITH_SLASHES)) {
    test(`ids with slashes › 400 for ${short(end)}`, async () => {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const answer = await server.request(method, `/api/definitions/${end}`, { body: '{}' })
        assert.equal(answer.status, 400, answer.body)
        assert.match((JSON.parse(answer.body) as { detail: string }).detail, problem)
      }
    })
  }

  for (const [end, id] of Object.entries(USABLE_WITH_SLASHES)) {
    test(`ids with slashes › ${end} is the id ${id}, with versions and differences`, async () => {
      const path = `/api/definitions/${end}`
      const body = JSON.stringify({ id, title: 'T', owner: 'a' })
      const put = await server.request('PUT', path, { body })
      assert.equal(put.status, 200, put.body)
      const page = `http://portbook.test/definitions/${encodeURIComponent(id)}`
      assert.equal(put.headers.get('location-html'), page)
      await server.request('PUT', path, { body: body.replace('"T"', '"U"') })
      const other = `/api/definitions/${encodeURIComponent(id)}`
      assert.equal((await server.request('GET', other)).body, body.replace('"T"', '"U"'))
      for (const at of [path, other]) {
        const versions = await server.request('GET', `${at}/versions`)
        assert.equal((JSON.parse(versions.body) as unknown[]).length, 2)
        assert.equal((await server.request('GET', `${at}/versions/1`)).body, body)
        assert.equal((await server.request('GET', `${at}/diff`)).status, 200)
        assert.equal((await server.request('POST', `${at}/diff`, { body })).status, 200)
      }
      assert.equal((await server.request('HEAD', path)).status, 200)
      assert.equal((await server.request('DELETE', path)).status, 200)
      assert.equal((await server.request('GET', other)).status, 404)
    })
  }

  test('ids with slashes › 405 for another method of versions, with advice for such an id', async () => {
    const answer = await world.as('O', 'PUT', '/api/definitions/a/versions', { body: {} })
    assert.equal(answer.headers.get('allow'), 'GET, HEAD')
    const { detail } = await expectProblem(Promise.resolve(answer), 405)
    assert.match(detail ?? '', /write its last slash as %2F/)
    const list = await world.as('O', 'PUT', '/api/definitions', { body: {} })
    assert.deepEqual([list.status, list.headers.get('allow')], [405, 'GET, HEAD'])
    assert.equal((await world.as('O', 'GET', '/api/definitions')).status, 200)
    const patch = await world.as('O', 'PATCH', '/api/definitions/a/b')
    assert.equal(patch.headers.get('allow'), 'DELETE, GET, HEAD, PUT')
  })
})
