import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { expectScimError, newDirectory } from '../../../test/directory.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type Product, type World } from '../../../test/world.ts'
import { isToken, newToken } from '../../platform/kit/token.ts'
import { newAuthenticator } from '../../requests/access/authenticate.ts'
import { recordCredentialUse } from '../users/credential-use-worker.ts'
import { recordDirectoryRequests } from './state-service.ts'

const STATE = '/ui/directory'
const KEYS = '/ui/directory/keys'

interface State {
  address: string
  keys: { id: string; secretPrefix: string; lastUsedAt: string | null }[]
  lastRequestAt: string | null
  userCount: number
  suspendedCount: number
  groupCount: number
  refusals: { method: string; path: string; status: number; sentence: string }[]
}

onStore((store) => {
  let product: Product
  let world: World
  before(async () => {
    product = newProduct(store())
    world = await newWorld(product)
  })

  const createKey = (own: World): Promise<{ id: string; key: string }> =>
    readJson(own.asPerson('Uo', 'POST', KEYS), 201)
  const getState = (own: World): Promise<State> => readJson(own.asPerson('Uo', 'GET', STATE))

  test(`POST ${KEYS} › 201 for two keys, shown once; 409 for the third, also of many at once`, async () => {
    const own = await newWorld(product)
    const before = await readJson<{ count: number }>(own.asPerson('Uo', 'GET', '/ui/api-keys'))
    const answers = await Promise.all([1, 2, 3, 4].map(() => own.asPerson('Uo', 'POST', KEYS)))
    const statuses = answers.map(({ status }) => String(status)).toSorted()
    assert.deepEqual(statuses, ['201', '201', '409', '409'])
    const made = answers.find(({ status }) => status === 201) ?? assert.fail()
    const { id, key } = (await made.json()) as { id: string; key: string }
    assert.ok(isToken(key, 'pbd_'))
    const text = await readText(own.asPerson('Uo', 'GET', STATE))
    assert.ok(!text.includes(key.slice(0, 9)) && text.includes(key.slice(0, 8)))
    // They are not among the API keys.
    const { count } = await readJson<{ count: number }>(own.asPerson('Uo', 'GET', '/ui/api-keys'))
    assert.equal(count, before.count)
    await readText(own.asPerson('Uo', 'DELETE', `${KEYS}/${id}`), 204)
    await expectProblem(own.asPerson('Uo', 'DELETE', `${KEYS}/${id}`), 404)
    await createKey(own)
  })

  test(`${STATE} › 403 for members, 404 for keys of another organization and unknown ones`, async () => {
    const other = await newWorld(product)
    const theirs = await createKey(other)
    for (const [method, path] of [
      ['GET', STATE],
      ['POST', KEYS],
      ['DELETE', `${KEYS}/${theirs.id}`],
    ] as const) {
      await expectProblem(world.asPerson('Um', method, path), 403)
    }
    for (const id of [theirs.id, randomUUID(), 'x']) {
      await expectProblem(world.asPerson('Uo', 'DELETE', `${KEYS}/${id}`), 404)
    }
    const directory = await newDirectory(other, theirs.key)
    await directory.ask('GET', '/Users')
  })

  test('a key of a directory › opens only its path, and is refused plainly elsewhere', async () => {
    const { key } = await createKey(world)
    for (const [method, path] of [
      ['GET', '/api/teams'],
      ['PUT', '/api/teams/a'],
      ['GET', '/api/organization/settings'],
      ['GET', '/api/organization/members'],
      ['POST', '/api/api-keys'],
      ['DELETE', '/api/dataproducts/x'],
    ] as const) {
      const problem = await expectProblem(world.call(method, path, { key, body: {} }), 403)
      assert.equal(problem.code, 'directory_key_elsewhere')
    }
    await expectProblem(world.call('GET', '/ui/members', { key }), 401)
    await readText(world.call('GET', '/api/scim/v2/Users', { key }))
  })

  test('a key of a directory › stops within a second in every process when it is deleted', async () => {
    const own = await newWorld(product)
    const { id, key } = await createKey(own)
    const directory = await newDirectory(own, key)
    const elsewhere = newAuthenticator(store().db, product.services.clock)
    await elsewhere.authenticate(key)
    await directory.ask('GET', '/Users')
    await readText(own.asPerson('Uo', 'DELETE', `${KEYS}/${id}`), 204)
    await expectScimError(directory.send('GET', '/Users'), 401)
    await assert.rejects(elsewhere.authenticate(key, true), { code: 'credentials_unknown' })
  })

  test('/api/scim/v2 › sessions and other keys get 403, organization keys work', async () => {
    const organization = await newDirectory(world, world.keys.O)
    await organization.createUser()
    const reader = await newDirectory(world, world.keys.Or)
    await reader.ask('GET', '/Users')
    await expectScimError(reader.send('POST', '/Users', { userName: 'x' }), 403)
    for (const caller of ['Uo', 'Um', 'T', 'Tr'] as const) {
      const directory = await newDirectory(world, world.keys[caller])
      await expectScimError(directory.send('GET', '/Users'), 403)
    }
    await expectScimError(world.asPerson('Uo', 'GET', '/api/scim/v2/Users'), 403)
  })

  test('/api/scim/v2 › every error has the form of SCIM', async () => {
    const { key } = await createKey(await newWorld(product))
    const directory = await newDirectory(world, key)
    const { send } = directory
    await expectScimError(world.call('GET', '/api/scim/v2/Users'), 401)
    const wrong = await newDirectory(world, newToken('pbd_'))
    await expectScimError(wrong.send('GET', '/Users'), 401)
    await expectScimError(send('GET', '/Nothing'), 404)
    await expectScimError(send('GET', ''), 404)
    await expectScimError(send('DELETE', '/Users'), 405)
    await expectScimError(send('PATCH', '/ServiceProviderConfig', {}), 405)
    await expectScimError(
      send('POST', '/Users', 'x: 1', { 'content-type': 'application/yaml' }),
      415,
    )
    await expectScimError(send('POST', '/Users', `"${'x'.repeat(5 * 1024 * 1024)}"`), 413)
    await expectScimError(send('POST', '/Bulk', {}), 501)
    await expectScimError(send('POST', '/.search', {}), 501)
    await expectScimError(send('POST', '/Users/.search', {}), 501)
    await expectScimError(send('GET', '/Users/a%00b'), 400)
    const deep = `${'['.repeat(100)}${']'.repeat(100)}`
    await expectScimError(send('POST', '/Users', `{"userName":${deep}}`), 400, 'invalidSyntax')
    const busy = newProduct(store(), { requestsPerMinute: 1 })
    const limited = await newDirectory({ ...world, ...busy }, key)
    await limited.send('GET', '/Users')
    await expectScimError(limited.send('GET', '/Users'), 429)
    const away = newProduct({ ...store(), db: store().db.withSchema('nowhere') })
    const unavailable = await (await newDirectory({ ...world, ...away }, key)).send('GET', '/Users')
    assert.equal(unavailable.headers.get('content-type'), 'application/scim+json')
  })

  test(`GET ${STATE} › counts, the last request, and the last 50 refusals as sentences`, async () => {
    const own = await newWorld(product)
    const { key } = await createKey(own)
    const directory = await newDirectory(own, key)
    const empty = await getState(own)
    assert.equal(empty.address, 'http://portbook.test/api/scim/v2')
    assert.equal(empty.lastRequestAt, null)
    const { id } = await directory.createUser({ active: false })
    await directory.createGroup([id])
    for (let at = 0; at < 60; at += 1) await directory.send('GET', `/Users/${at}`)
    await directory.send('GET', '/Users?filter=x')
    await directory.send('PURGE', '/Users')
    await recordDirectoryRequests(product.services)
    await recordCredentialUse(product.services)
    const state = await getState(own)
    assert.ok(state.lastRequestAt !== null && state.keys[0]?.lastUsedAt !== null)
    assert.deepEqual([state.userCount, state.suspendedCount, state.groupCount], [1, 1, 1])
    assert.equal(state.refusals.length, 50)
    const getRefusal = (status: number) => state.refusals.find((one) => one.status === status)
    const { sentence, ...place } = getRefusal(400) ?? assert.fail()
    assert.equal(place.path, '/api/scim/v2/Users')
    assert.match(sentence, /filter cannot be read/)
    assert.equal(getRefusal(405)?.method, 'PURGE')
    assert.ok(!state.refusals.some(({ path }) => path.includes('?')))
    await recordDirectoryRequests(product.services)
    assert.deepEqual((await getState(own)).refusals, state.refusals)
  })
})
