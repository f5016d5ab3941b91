import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { PoolLimits } from '../../platform/kit/connection.ts'
import { openDatabase } from '../../platform/kit/database.ts'
import type { Store } from '../../store.ts'
import type { Tables } from '../../platform/tables.ts'
import { expectProblem, readText } from '../../../test/answers.ts'
import { newBrowser } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odps,
  uniqueId,
  type CallerName,
  type World,
} from '../../../test/world.ts'
import { ADMISSION_LIMITS } from './admission.ts'

// One more than a process works on at once for one key.
const TOO_MANY = 201
// Names the connections of a pool that a test ends.
const SECOND_POOL = 'second-pool'

onStore((store) => {
  let world: World
  const ask = (key: CallerName): Promise<Response> =>
    world.as(key, 'GET', '/api/organization/settings')
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  test('429 › with Retry-After above the limit, and RateLimit headers on every answer', async () => {
    const product = newProduct(store(), { requestsPerMinute: 5 })
    const ask = (key: string | undefined, path: string) => product.call('GET', path, { key })
    const remaining: string[] = []
    for (const path of [
      '/api/teams',
      '/api/teams',
      '/api/teams/unknown',
      '/api/unknown',
      '/api/teams',
    ]) {
      const { headers, status } = await ask(world.keys.T, path)
      assert.ok(status === 200 || status === 404)
      assert.equal(headers.get('ratelimit-policy'), '"key";q=5;w=60')
      const [, left = '', seconds] =
        /^"key";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
      assert.ok(Number(seconds) >= 1 && Number(seconds) <= 60)
      remaining.push(left)
    }
    assert.deepEqual(remaining, ['4', '3', '2', '1', '0'])
    const refused = await ask(world.keys.T, '/api/teams')
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60)
    assert.match(refused.headers.get('ratelimit') ?? '', /^"key";r=0;t=\d+$/)
    await expectProblem(refused, 429)
    assert.equal((await ask(world.keys.O, '/api/teams')).status, 200, 'another key has its own')
  })

  test('429 › what needs no key is not counted', async () => {
    const product = newProduct(store(), { requestsPerMinute: 0 })
    for (const path of ['/healthz', '/readyz', '/openapi.json']) {
      assert.equal((await product.call('GET', path)).status, 200)
    }
  })

  test(`429 › with Retry-After for the ${TOO_MANY}st request of a key at once, while other keys are served`, async () => {
    const asking = Array.from({ length: TOO_MANY + 9 }, () => ask('Or'))
    const other = ask('Tr')
    const answers = await Promise.all(asking)
    const refused = answers.filter(({ status }) => status !== 200)
    assert.equal(refused.length, 10)
    for (const answer of refused) {
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
      await expectProblem(answer, 429, /at once/)
    }
    await readText(other)
    await readText(ask('Or'))
  })

  test('503 › with Retry-After when all keys together send too many at once, and sign-in still works', async () => {
    const authenticated = { totalMax: 2, perNameMax: 2 }
    const product = newProduct(store(), {
      admissionLimits: { ...ADMISSION_LIMITS, authenticated },
    })
    const ask = (key: CallerName): Promise<Response> =>
      product.call('GET', '/api/organization/settings', { key: world.keys[key] })
    // Known keys are not looked up again, so that these requests overlap.
    for (const key of ['O', 'Or', 'Uo'] as const) await readText(ask(key))
    const [first, second, third, signIn] = await Promise.all([
      ask('O'),
      ask('Or'),
      ask('Uo'),
      newBrowser(product).ask('POST', '/ui/sign-in', { email: 'a@b.example', password: 'x' }),
    ])
    assert.deepEqual([first.status, second.status], [200, 200])
    assert.match(third.headers.get('retry-after') ?? '', /^\d+$/)
    await expectProblem(third, 503)
    await expectProblem(signIn, 401)
  })

  test('429 › with Retry-After when one client has too many credentials checked at once', async () => {
    const authenticating = { totalMax: 3, perNameMax: 2 }
    const product = newProduct(store(), {
      admissionLimits: { ...ADMISSION_LIMITS, authenticating },
    })
    const ask = (client: string): Promise<Response> =>
      product.call('GET', '/api/teams', {
        key: world.keys.O,
        headers: { 'x-forwarded-for': client },
      })
    const answers = [ask('1.1.1.1'), ask('1.1.1.1'), ask('1.1.1.1'), ask('2.2.2.2'), ask('3.3.3.3')]
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    assert.deepEqual(statuses, [200, 200, 429, 200, 503])
    await readText(ask('1.1.1.1'))
  })

  /** The same database through a pool of its own, which can be taken away. */
  function secondPool(more: Partial<PoolLimits> = {}): Store {
    const limits = {
      connectionsMax: 2,
      connectTimeoutMs: 5000,
      queryTimeoutMs: 5000,
      ...more,
    }
    const connection = { ...store().connection, application_name: SECOND_POOL }
    const database = openDatabase<Tables>(connection, limits, () => undefined)
    return { ...database, connection, isDiskFull: () => false }
  }

  test('503 › with Retry-After while the store is away; /healthz answers 200, /readyz 503', async () => {
    const away = secondPool()
    const product = newProduct(away)
    const key = world.keys.O
    const ask = (method: string, path: string, body?: object) =>
      product.call(method, path, { key, body })
    const id = uniqueId()
    await expectOk(ask('PUT', `/api/dataproducts/${id}`, odps(id)))
    await readText(ask('GET', '/readyz'))
    await away.pool.end()
    for (const [method, path, body] of [
      ['GET', `/api/dataproducts/${id}`],
      ['GET', '/api/dataproducts'],
      ['GET', '/api/events'],
      ['PUT', `/api/dataproducts/${id}`, odps(id, { name: 'lost' })],
      ['PUT', '/api/teams/c', { id: 'c', name: 'C' }],
      ['DELETE', `/api/dataproducts/${id}`],
    ] as const) {
      const answer = await ask(method, path, body)
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
      await expectProblem(answer, 503, /Try again/)
    }
    // Also a key that is not cached.
    const forgotten = product.call('GET', '/api/teams', { key: world.keys.Uo })
    await expectProblem(forgotten, 503)
    const ready = await product.call('GET', '/readyz')
    assert.match(ready.headers.get('retry-after') ?? '', /^\d+$/)
    await expectProblem(ready, 503)
    assert.equal(await readText(product.call('GET', '/healthz')), '{"status":"ok"}')
    assert.equal(
      await readText(world.as('O', 'GET', `/api/dataproducts/${id}`)),
      JSON.stringify(odps(id)),
    )
  })

  test('503 › a request that waits too long for the store, regardless of the limits of its statements', async () => {
    const slow = secondPool({ requestTimeoutMs: 1, connectTimeoutMs: 0 })
    const product = newProduct(slow)
    const holders = [await slow.pool.connect(), await slow.pool.connect()]
    // Both connections are in use, so the cause is not an outage.
    const late = await product.call('GET', '/api/teams', { key: world.keys.O })
    assert.equal(late.headers.get('retry-after'), '1')
    const problem = await expectProblem(late, 503, /Too many requests are waiting/)
    assert.equal(problem.code, 'overloaded')
    await expectProblem(product.call('GET', '/readyz'), 503)
    for (const holder of holders) holder.release()
    await readText(product.call('GET', '/api/teams', { key: world.keys.O }))
    await slow.close()
  })

  test('PUT › many parallel writes wait for a few connections, and none is refused', async () => {
    const narrow = secondPool({
      connectTimeoutMs: 700,
      queryTimeoutMs: 1650,
      requestTimeoutMs: 2450,
    })
    const product = newProduct(narrow, { slotsCount: 2 })
    const keys = (['O', 'T', 'Uo'] as const).map((name) => world.keys[name])
    const prefix = uniqueId()
    const statuses = await Promise.all(
      Array.from({ length: 450 }, async (_, at) => {
        const id = `${prefix}-${at}`
        const body = odps(id, { team: { name: 'a' } })
        const key = keys[at % keys.length]
        const headers = { 'x-forwarded-for': `1.1.1.${at % keys.length}` }
        const answer = await product.call('PUT', `/api/dataproducts/${id}`, { key, body, headers })
        await answer.text()
        return answer.status
      }),
    )
    assert.deepEqual(
      statuses.filter((status) => status !== 200),
      [],
    )
    await narrow.close()
  })

  test('503 › with Retry-After for every write while the disk is full; reads are answered', async () => {
    const product = newProduct({ ...store(), isDiskFull: () => true })
    const ask = (method: string, path: string, body?: object) =>
      product.call(method, path, { key: world.keys.O, body })
    for (const [method, path, body] of [
      ['PUT', '/api/dataproducts/x', odps('x')],
      ['PUT', '/api/teams/c', { id: 'c', name: 'C' }],
      ['DELETE', '/api/dataproducts/x'],
      ['POST', '/api/api-keys', { scope: 'organization', displayName: 'K' }],
    ] as const) {
      const answer = await ask(method, path, body)
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
      await expectProblem(answer, 503, /disk .* is full/)
    }
    for (const path of ['/api/dataproducts', '/api/teams', '/api/events', '/readyz']) {
      await readText(ask('GET', path))
    }
  })

  test('503 › connections that the server ended: at most one answer, then it heals', async () => {
    const other = secondPool()
    const product = newProduct(other)
    const ask = () => product.call('GET', '/readyz')
    await readText(ask())
    const { rows } = await store().pool.query<{ ended: boolean }>(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
      where datname = current_database() and application_name = $1 and state = 'idle'`,
      [SECOND_POOL],
    )
    assert.ok(rows.some(({ ended }) => ended))
    const first = await ask()
    assert.ok(first.status === 200 || first.status === 503, String(first.status))
    await readText(ask())
    await other.close()
  })
})
