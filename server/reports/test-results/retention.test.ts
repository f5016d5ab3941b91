import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId } from '../../../test/world.ts'
import type { CallerName, World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { deleteExpiredResults } from './service.ts'
import { type TestResultSummary } from './test-result.ts'

const PATH = '/api/test-results'

function buildTestResult(contractId: string, more: object = {}): Record<string, unknown> {
  const id = uniqueId()
  return {
    id,
    runId: id,
    dataContractId: contractId,
    server: 'production',
    timestampStart: '2026-01-01T00:00:00Z',
    timestampEnd: '2026-01-01T00:00:09Z',
    result: 'passed',
    checks: [{ name: 'Row count', result: 'passed' }],
    logs: [{ level: 'INFO', message: 'started' }],
    ...more,
  }
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const post = (body: unknown, caller: CallerName = 'O', path = PATH): Promise<Response> =>
    world.as(caller, 'POST', path, { body })
  const publish = (body: unknown, path = PATH): Promise<TestResultSummary> =>
    readJson(post(body, 'O', path))
  const list = (query: string): Promise<TestResultSummary[]> =>
    readJson(world.as('Or', 'GET', `${PATH}?${query}`))

  const setTimes = async (id: string, testedAt: string): Promise<void> => {
    await world.services.db
      .updateTable('test_result')
      .set({ tested_at: testedAt })
      .where('external_id', '=', id)
      .execute()
  }

  test('retention › deletes results after a year, but never the newest one of a contract', async () => {
    const [contract, other] = [uniqueId(), uniqueId()]
    const { id: older } = await publish(buildTestResult(contract))
    const { id: newer } = await publish(buildTestResult(contract))
    const { id: only } = await publish(buildTestResult(other))
    for (const id of [older, only]) await setTimes(id, '2024-01-01T00:00:00Z')
    await setTimes(newer, '2024-02-01T00:00:00Z')
    const { db: bulkDb } = world.services
    const deleteAt = (instant: string): Promise<number> =>
      deleteExpiredResults({ bulkDb, clock: fixedClock(instant) })
    assert.equal(await deleteAt('2025-01-01T00:00:00Z'), 0)
    assert.equal(await deleteAt('2025-03-01T00:00:00Z'), 1)
    const left = [
      ...(await list(`dataContractId=${contract}`)),
      ...(await list(`dataContractId=${other}`)),
    ]
    assert.deepEqual(
      left.map(({ id }) => id),
      [newer, only],
    )
  })

  test('retention › keeps the newest 1,000 results of a contract', async () => {
    const contract = uniqueId()
    const { id } = await publish(buildTestResult(contract))
    const { db } = world.services
    const row = await db
      .selectFrom('test_result')
      .selectAll()
      .where('external_id', '=', id)
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: 1000 }, (_, at) => ({
      ...row,
      external_id: `${id}-${at}`,
      tested_at: '2026-01-02T00:00:00Z',
    }))
    await db.insertInto('test_result').values(copies).execute()
    const clock = fixedClock('2026-02-01T00:00:00Z')
    assert.equal(await deleteExpiredResults({ bulkDb: db, clock }), 1)
    await expectProblem(world.as('O', 'GET', `${PATH}/${id}`), 404)
  })
})
