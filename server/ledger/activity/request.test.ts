import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId } from '../../../test/world.ts'
import type { CallerName, World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'

interface Entry {
  kind: string
  subject: string
  requestId: string
}

const SETTLED_WITHIN_MS = 30_000

// Transactions of other tests that are open hold an empty answer back with 503.
async function readSettled(ask: () => Promise<Response>): Promise<Entry[]> {
  let response: Promise<Response> | undefined
  const isSettled = async (): Promise<boolean> => {
    response = ask()
    return (await response).status !== 503
  }
  await eventually(SETTLED_WITHIN_MS, isSettled, 'earlier transactions end')
  return await readJson<Entry[]>(response ?? ask())
}

async function list(world: World, requestId: string, caller: CallerName): Promise<Entry[]> {
  const path = `/api/activity?requestId=${requestId}`
  return await readSettled(() => world.as(caller, 'GET', path))
}

async function put(world: World, caller: CallerName, requestId: string): Promise<string> {
  const id = uniqueId()
  const headers = { 'x-request-id': requestId }
  await expectOk(world.as(caller, 'PUT', `/api/dataproducts/${id}`, { body: odps(id), headers }))
  return id
}

onStore((store) => {
  test('GET /api/activity?requestId= › callers get only the entries of their requests', async () => {
    const world = await newWorld(newProduct(store()))
    const twin = await newWorld(newProduct(store()))
    const requestId = `request.${uniqueId()}`
    const callers = ['T', 'Ue', 'Uo', 'O'] as const
    const subjects = new Map<CallerName, string>()
    for (const caller of callers) {
      subjects.set(caller, await put(world, caller, requestId))
      await put(world, caller, `${requestId}-2`)
      await put(twin, caller, requestId)
    }
    for (const caller of callers) {
      const entries = await list(world, requestId, caller)
      assert.deepEqual(
        entries.map(({ subject, requestId: id }) => [subject, id]),
        [[subjects.get(caller), requestId]],
      )
    }
    const csv = world.as('O', 'GET', `/api/activity?requestId=${requestId}&format=csv`)
    await expectProblem(csv, 400)
    assert.deepEqual(await list(world, requestId, 'Um'), [])
    assert.deepEqual(await list(world, 'unknown', 'T'), [])
  })

  test('GET /api/activity?requestId= › finds the key that an owner created, also by the session', async () => {
    const world = await newWorld(newProduct(store()))
    const requestId = uniqueId()
    const body = { scope: 'team_read', teamId: 'a', displayName: 'K' }
    const headers = { 'x-request-id': requestId }
    await expectOk(world.asPerson('Uo', 'POST', '/ui/api-keys', { body, headers }))
    const path = `/api/activity?requestId=${requestId}`
    const [entry] = await readJson<Entry[]>(world.asPerson('Uo', 'GET', path))
    assert.equal(entry?.kind, 'api-key')
  })

  test('GET /api/activity?requestId= › looks back for 15 minutes', async () => {
    const world = await newWorld(newProduct(store()))
    const requestId = uniqueId()
    await put(world, 'T', requestId)
    const later = newProduct(store(), {
      clock: fixedClock(new Date(Date.now() + 16 * 60_000).toISOString()),
    })
    const path = `/api/activity?requestId=${requestId}`
    const key = world.keys.T
    assert.deepEqual(await readSettled(() => later.call('GET', path, { key })), [])
    const wide = `${path}&since=2020-01-01T00:00:00Z`
    assert.deepEqual(await readSettled(() => later.call('GET', wide, { key })), [])
    assert.equal((await list(world, requestId, 'T')).length, 1)
  })

  test('GET /api/activity?requestId= › 503 while an earlier transaction is open, unless the entry is found', async () => {
    const world = await newWorld(newProduct(store()))
    const requestId = uniqueId()
    await put(world, 'T', requestId)
    await store()
      .db.transaction()
      .execute(async (transaction) => {
        await sql`select pg_current_xact_id()`.execute(transaction)
        assert.equal((await list(world, requestId, 'T')).length, 1)
        const answer = await world.as('T', 'GET', `/api/activity?requestId=${uniqueId()}`)
        assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
        assert.equal((await expectProblem(answer, 503)).code, 'store_unavailable')
      })
    assert.deepEqual(await list(world, uniqueId(), 'T'), [])
  })

  test('GET /api/activity?requestId= › 400 for what cannot be the id of a request', async () => {
    const world = await newWorld(newProduct(store()))
    for (const id of ['', 'a%20b', 'x'.repeat(65), '%00']) {
      await expectProblem(world.as('T', 'GET', `/api/activity?requestId=${id}`), 400)
    }
  })
})
