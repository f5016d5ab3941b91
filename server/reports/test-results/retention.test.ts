import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin, expectUntouched } from '../../../test/twin.ts'
import { newProduct, newWorld, odcs, putOne, uniqueId } from '../../../test/world.ts'
import type { CallerName, World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { deleteExpiredResults, deleteExpiredSamples } from './expiry-service.ts'
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
    const { db: bulkDb, settleReality } = world.services
    const deleteAt = (instant: string): Promise<number> =>
      deleteExpiredResults({ bulkDb, clock: fixedClock(instant), settleReality })
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
    const { settleReality } = world.services
    assert.equal(await deleteExpiredResults({ bulkDb: db, clock, settleReality }), 1)
    await expectProblem(world.as('O', 'GET', `${PATH}/${id}`), 404)
  })

  test('retention › the incident and the signals of a server end with its last result', async () => {
    const contract = uniqueId()
    const servers = ['one', 'two'].map((server) => ({ server, type: 'postgresql' }))
    await putOne(world, 'datacontracts', odcs(contract, { servers }))
    await publish(
      buildTestResult(contract, {
        server: 'one',
        result: 'failed',
        timestampEnd: '2026-01-01T00:00:00Z',
      }),
    )
    await publish(
      buildTestResult(contract, { server: 'two', timestampEnd: '2026-01-09T00:00:00Z' }),
    )
    interface State {
      tests: { word: string }
      status: string
    }
    const read = async (path: string): Promise<State | undefined> =>
      (await readJson<State[]>(world.as('Or', 'GET', path)))[0]
    const readState = async () => [
      (await read(`/api/trust?dataContractId=${contract}`))?.tests.word,
      (await read(`/api/incidents?dataContractId=${contract}&status=open`))?.status,
    ]
    assert.equal((await readState())[0], 'Failing')
    const { db: bulkDb, settleReality } = world.services
    const clock = fixedClock('2027-01-05T00:00:00Z')
    assert.ok((await deleteExpiredResults({ bulkDb, clock, settleReality })) >= 1)
    const [word, incident] = await readState()
    assert.notEqual(word, 'Failing')
    assert.equal(incident, undefined)
  })

  test('retention › samples are deleted after 30 days, for everyone; the rest of the result stays', async () => {
    const contract = uniqueId()
    const more = { checks: [{ name: 'A', result: 'failed', failedSamples: ['canary'] }], huge: 1e3 }
    const { id } = await publish(buildTestResult(contract, more))
    const { id: other } = await publish(buildTestResult(contract))
    const { db: bulkDb, offload } = world.services
    const read = (one: string): Promise<string> => readText(world.as('O', 'GET', `${PATH}/${one}`))
    const before = await read(other)
    const deleteAt = (days: number): Promise<number> => {
      const instant = new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString()
      return deleteExpiredSamples({ bulkDb, clock: fixedClock(instant), offload })
    }
    const twin = await addTwin(world)
    await expectUntouched([twin], async () => {
      assert.equal(await deleteAt(29), 0)
    })
    assert.match(await read(id), /canary/)
    assert.ok((await deleteAt(31)) >= 1)
    assert.equal(await deleteAt(31), 0)
    const { checks, huge } = JSON.parse(await read(id))
    assert.deepEqual([checks, huge], [[{ name: 'A', result: 'failed' }], 1000])
    const { rows } = await store().pool.query(
      `select strpos(document, 'canary') as place from test_result where organization_id = $1 and external_id = $2`,
      [world.organizationId, id],
    )
    assert.deepEqual(rows, [{ place: 0 }])
    assert.equal(await read(other), before)
  })
})
