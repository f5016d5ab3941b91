/** Every address that reads, by key and by session, on a database that accepts no writes. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { api } from '../server/api.ts'
import { recordCredentialUse } from '../server/people/users/credential-use-worker.ts'
import { openApiDocument } from '../server/requests/http/openapi.ts'
import { ui } from '../server/ui.ts'
import { describeApi, type OpenApi } from './fuzz-oracle.ts'
import { servesPages, type Operation } from './fuzz-pool.ts'
import { toPath } from './fuzz-targets.ts'
import { collectPool, plantCanaries } from './fuzz-world.ts'
import { onStore, setReadOnly } from './stores.ts'
import { newProduct, newWorld, type World } from './world.ts'

// The others need an id that is different for each test, or a query with a meaning.
const ANSWERED_SHARE = 0.7

onStore((store) => {
  let world: World
  const requests: { operation: Operation; path: string }[] = []
  const writable = new Map<string, number>()

  before(async () => {
    world = await newWorld(newProduct(store()))
    await plantCanaries(world)
    const pool = await collectPool(world, await newWorld(newProduct(store())))
    const { operations } = describeApi(openApiDocument([...api, ...ui], 'test') as OpenApi)
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const path = toPath(operation, { isKnown: true, choice: 0, segment: '' }, pool)
      const query = operation.queryNames
        .filter(({ required }) => required)
        .map(({ name, values }) => `${name}=${values[0] ?? pool.productIds[0]}`)
      requests.push({ operation, path: query.length === 0 ? path : `${path}?${query.join('&')}` })
    }
    await readAll((name, status) => writable.set(name, status))
    await setReadOnly(store(), true)
  })

  async function readAll(each: (name: string, status: number) => unknown): Promise<void> {
    for (const { operation, path } of requests) {
      const bySession = await world.asPerson('Uo', 'GET', path)
      await bySession.arrayBuffer()
      each(`${path} by session`, bySession.status)
      if (servesPages(operation)) continue
      const byKey = await world.as('Uo', 'GET', path)
      await byKey.arrayBuffer()
      each(`${path} by key`, byKey.status)
    }
  }

  test('every GET answers as on a database that accepts writes', async () => {
    const different: string[] = []
    await readAll((name, status) => {
      if (status !== writable.get(name)) different.push(`${name}: ${status}`)
    })
    assert.deepEqual(different, [])
    const statuses = [...writable.values()]
    const answered = statuses.filter((status) => status === 200).length
    assert.ok(answered / statuses.length >= ANSWERED_SHARE, `${answered} of ${statuses.length}`)
    assert.ok(statuses.every((status) => status < 500))
  })

  test('the use of keys and sessions cannot be recorded, which ends nothing', async () => {
    await assert.rejects(recordCredentialUse(world.services), { name: 'StoreUnavailable' })
    assert.equal((await world.asPerson('Uo', 'GET', '/ui/session')).status, 200)
  })
})
