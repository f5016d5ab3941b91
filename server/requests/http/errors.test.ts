import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { api } from '../../api.ts'
import { createApiKey } from '../../people/api-keys/service.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { newToken } from '../../platform/kit/token.ts'
import { expectProblem, expectViolations, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId } from '../../../test/world.ts'
import type { CallOptions, World } from '../../../test/world.ts'
import { findRoutes } from './path.ts'

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
}

const path = () => `/api/dataproducts/${uniqueId()}`

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  async function expectUnauthorized(headers: Record<string, string>, detail: RegExp) {
    for (const target of ['/api/teams', '/api/dataproducts/x', '/api/no-such-thing']) {
      const answer = await world.call('GET', target, { headers })
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer realm="\w+"$/)
      await expectProblem(answer, 401, detail)
    }
  }

  /** A key of the organization, made and deleted in one go, or with an end. */
  async function newKey(expiresOn: string | undefined, instant: string) {
    const wish = {
      scope: 'team' as const,
      team: 'a',
      userId: undefined,
      displayName: 'key',
      expiresOn,
    }
    const clock = fixedClock(instant)
    return await createApiKey(world.services.db, clock, world.organizationId, wish, 'system')
  }

  test('401 › the key is missing', () => expectUnauthorized({}, /x-api-key/))

  test('401 › the key is unknown', () =>
    expectUnauthorized({ 'x-api-key': newToken('pbk_') }, /not known/))

  for (const key of ['', 'x', 'pbk_', `${newToken('pbk_')}x`, newToken('abc_'), 'a, b', 'é']) {
    test(`401 › the key is malformed: ${key.slice(0, 5) || '(empty)'}`, async () => {
      await expectUnauthorized({ 'x-api-key': key }, /not known/)
      await expectUnauthorized({ authorization: `Bearer ${key}` }, /not known/)
    })
  }

  test('401 › the key has a typo', async () => {
    const key = world.keys.O ?? ''
    const typo = key.slice(0, 10) + (key[10] === 'a' ? 'b' : 'a') + key.slice(11)
    await expectUnauthorized({ 'x-api-key': typo }, /not known/)
    await expectUnauthorized({ 'x-api-key': key.toLowerCase() }, /not known/)
  })

  test('401 › Authorization is of another kind', () =>
    expectUnauthorized({ authorization: 'Basic dXNlcjpwYXNz' }, /not known/))

  test('401 › x-api-key and Authorization differ', () =>
    expectUnauthorized(
      { 'x-api-key': world.keys.O ?? '', authorization: `Bearer ${world.keys.T}` },
      /different credentials/,
    ))

  test('401 › the key is revoked', async () => {
    const { id, secret } = await newKey(undefined, '2026-01-01T00:00:00Z')
    await readJson(world.call('GET', '/api/teams', { key: secret }))
    const { status } = await world.as('O', 'DELETE', `/api/api-keys/${id}`)
    assert.equal(status, 204)
    await expectUnauthorized({ 'x-api-key': secret }, /not known/)
  })

  test('401 › the key expired, and when', async () => {
    const { secret } = await newKey('2020-02-29', '2020-01-01T00:00:00Z')
    await expectUnauthorized({ 'x-api-key': secret }, /expired.*2020-02-29/)
  })

  test('200 › x-api-key, or Bearer in any letter case, or both the same', async () => {
    const key = world.keys.O ?? ''
    for (const headers of [
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
      { authorization: `bearer  ${key}` },
      { authorization: `Bearer ${key}`, 'x-api-key': key },
    ]) {
      assert.equal((await world.call('GET', '/api/teams', { headers })).status, 200)
    }
  })

  test('403 › a read-only key on POST, PUT and DELETE', async () => {
    for (const caller of ['Ur', 'Tr', 'Or'] as const) {
      for (const { method, path: pattern } of api.filter((route) => route.method !== 'GET')) {
        const target = pattern.replace(/\{\w+\}/, uniqueId())
        const answer = await world.as(caller, method, target, { body: {} })
        const isScim = pattern.startsWith('/api/scim/')
        await expectError(answer, 403, isScim ? /read-only|directory/i : /read-only/)
      }
    }
  })

  test('404 › unknown, deleted, or of another organization: always the same wording', async () => {
    const other = await newWorld(newProduct(store()))
    const [foreign, deleted] = [uniqueId(), uniqueId()]
    await other.as('O', 'PUT', `/api/dataproducts/${foreign}`, { body: odps(foreign) })
    await world.as('O', 'PUT', `/api/dataproducts/${deleted}`, { body: odps(deleted) })
    await world.as('O', 'DELETE', `/api/dataproducts/${deleted}`)
    const seen = new Set<string>()
    for (const id of [uniqueId(), foreign, deleted]) {
      for (const method of ['GET', 'DELETE']) {
        const problem = await expectProblem(world.as('O', method, `/api/dataproducts/${id}`), 404)
        assert.equal(problem.code, 'not_found')
        assert.equal(problem.instance, `/api/dataproducts/${id}`)
        seen.add(problem.detail)
      }
    }
    assert.equal(seen.size, 1)
  })

  test('404 › an unknown address below /api, and 401 without a credential', async () => {
    for (const target of [
      '/api',
      '/api/',
      '/api/x',
      '/api/dataproducts/',
      '/api/teams/a/b',
      '/api/__proto__',
    ]) {
      for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']) {
        const { code } = await expectProblem(world.as('O', method, target), 404)
        assert.equal(code, 'unknown_address')
        await expectProblem(world.as('none', method, target), 401)
      }
    }
  })

  const methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']
  for (const pattern of new Set(api.map((route) => route.path))) {
    test(`405 with Allow › every other method on ${pattern}`, async () => {
      const target = pattern.replaceAll(/\{\w+\}/g, '1')
      // A fixed segment may also be an id: an agreement can have the id `evaluation`.
      const known: string[] = [...new Set(findRoutes(api, target).map((route) => route.method))]
      const allowed = [...known, ...(known.includes('GET') ? ['HEAD'] : [])].toSorted()
      for (const method of methods.filter((name) => !allowed.includes(name))) {
        const answer = await world.as('O', method, target)
        assert.equal(answer.headers.get('allow'), allowed.join(', '), method)
        if (method === 'HEAD') assert.equal(answer.status, 405)
        else await expectError(answer, 405)
        assert.equal((await world.as('none', method, target)).status, 401)
      }
    })
  }

  test('HEAD › the status and headers of GET without a body', async () => {
    const id = uniqueId()
    await world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) })
    const base = `/api/dataproducts/${id}`
    for (const target of [
      base,
      `${base}/versions`,
      `${base}/versions/1`,
      '/api/dataproducts',
      '/api/teams',
      '/api/events',
      `${base}x`,
    ]) {
      const [head, get] = await Promise.all(
        ['HEAD', 'GET'].map((method) => world.as('Or', method, target)),
      )
      assert.ok(head && get)
      assert.equal(head.status, get.status)
      for (const name of ['content-type', 'etag', 'location-html']) {
        assert.equal(head.headers.get(name), get.headers.get(name))
      }
    }
    assert.equal(await (await world.as('Or', 'HEAD', base)).text(), '')
  })

  const rejections: Record<string, [number, () => Promise<Response>]> = {
    'a missing key': [401, () => world.as('none', 'GET', '/api/teams')],
    'a missing permission': [403, () => put('T', { team: { name: 'b' } })],
    'a read-only key': [403, () => put('Tr', {})],
    'an unknown id': [404, () => world.as('O', 'GET', path())],
    'an unknown address': [404, () => world.as('O', 'GET', '/api/x')],
    'an unknown address outside of /api': [404, () => world.as('O', 'GET', '/x')],
    'a wrong method': [405, () => world.as('O', 'POST', path())],
    'an unusable id': [400, () => world.as('O', 'GET', '/api/dataproducts/%00')],
    'malformed JSON': [400, () => put('O', '{')],
    'malformed YAML': [400, () => world.as('O', 'PUT', path(), { yaml: 'a: b: c' })],
    'a bad query value': [400, () => world.as('O', 'GET', '/api/dataproducts?p=x')],
    'an unknown word in a query': [400, () => world.as('O', 'GET', '/api/dataproducts?sort=x')],
    'an invalid document': [422, () => put('O', '{}')],
    'an unknown owner': [422, () => put('O', { team: { name: 'x' } })],
    'another id': [422, () => put('O', { id: 'x' })],
    'something in use': [422, () => removeOwner()],
    'a precondition': [412, () => put('O', {}, { 'if-match': '"x"' })],
    'a body that is too large': [413, () => put('O', ' '.repeat(1024 * 1024 + 1))],
    'another media type': [415, () => put('O', {}, { 'content-type': 'text/plain' })],
    '/ui with a key': [401, () => world.as('O', 'GET', '/ui/anything')],
  }

  const members: Record<string, object> = {
    'a missing permission': { permission: 'DATAPRODUCT_ADD', team: { id: 'b' } },
    'an unknown owner': { unknownTeam: { id: 'x', field: 'team.name' } },
    'a precondition': { precondition: 'missing' },
    'something in use': {
      uses: [
        {
          kind: 'data-product',
          id: 'used',
          name: 'Used',
          relation: 'is a data product of the team',
        },
      ],
      useCount: 1,
      hiddenUseCount: 0,
      advice: 'Move or delete what belongs to it, and end its access first.',
    },
  }

  function put(
    caller: 'O' | 'T' | 'Tr',
    more: string | object,
    headers: CallOptions['headers'] = {},
  ) {
    const id = uniqueId()
    const body = typeof more === 'string' ? more : odps(id, more)
    return world.as(caller, 'PUT', `/api/dataproducts/${id}`, { body, headers })
  }

  async function removeOwner(): Promise<Response> {
    const [name, id] = [uniqueId(), 'used']
    await expectOk(world.as('O', 'PUT', `/api/teams/${name}`, { body: { name: 'Team' } }))
    const body = odps(id, { name: 'Used', team: { name } })
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
    return await world.as('O', 'DELETE', `/api/teams/${name}`)
  }

  for (const [what, [status, request]] of Object.entries(rejections)) {
    test(`${status} for ${what} › application/problem+json with title, detail, instance and code`, async () => {
      const answer = await request()
      const headers = answer.headers
      const problem = await expectProblem(answer, status)
      const { type, title, detail, instance, code = '', violations = [], ...more } = problem
      assert.deepEqual(more, { status, ...members[what] })
      assert.equal(type, 'about:blank')
      assert.equal(title, TITLES[status])
      assert.match(code, /^[a-z]+(_[a-z]+)+$/)
      assert.match(detail, /^[A-Z"a-z].*[.)]$/)
      assert.match(instance, /^\/[^?]*$/)
      for (const { field, message } of violations) {
        assert.equal(typeof field, 'string')
        assert.ok(message.length > 0)
      }
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.ok(headers.get('x-request-id'))
      assert.equal(headers.has('www-authenticate'), status === 401)
      const text = JSON.stringify(problem)
      assert.doesNotMatch(text, /<html|\bat \w+ \(|node_modules|select |insert |\.ts:\d/i)
    })
  }

  test('400 › all wrong query parameters at once, sorted', async () => {
    const target = '/api/dataproducts?sort=x&p=x&asOf=x'
    await expectViolations(world.as('O', 'GET', target), 400, ['asOf', 'p', 'sort'])
  })
})

/** Checks an error in the form of its surface: a problem, or an error of SCIM (RFC 7644, 3.12). */
async function expectError(answer: Response, status: number, detail = /./): Promise<void> {
  if (answer.headers.get('content-type') !== 'application/scim+json') {
    await expectProblem(Promise.resolve(answer), status, detail)
    return
  }
  const error = await readJson<{ status: string; detail: string }>(Promise.resolve(answer), status)
  assert.equal(error.status, String(status))
  assert.match(error.detail, detail)
}
