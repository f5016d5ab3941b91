import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { parse } from 'yaml'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin, expectUntouched } from '../../../test/twin.ts'
import { expectOk, newProduct, newWorld, odcs, putOne, uniqueId } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import type { ContractCheck } from './check.ts'
import { deleteExpiredChecks } from './check-service.ts'

const RESULTS = '/api/test-results'
const FOLDER = new URL('../../../test/test-results/', import.meta.url)
const readFile = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8')

/** A time on a day of a test: the first one is 1 January 2026. */
const onDay = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString()

const letters = (checks: readonly ContractCheck[]): string[] =>
  checks.map(({ history }) => history.map(({ outcome }) => outcome.charAt(0)).join(''))

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const post = async (body: object): Promise<string> =>
    (await readJson<{ id: string }>(world.as('O', 'POST', RESULTS, { body }))).id

  const list = (contract: string, query = ''): Promise<ContractCheck[]> =>
    readJson(world.as('Or', 'GET', `/api/datacontracts/${contract}/checks${query}`))

  const isStale = async (contract: string): Promise<boolean | undefined> =>
    (await list(contract))[0]?.isStale

  const newContract = async (more: object = {}): Promise<string> => {
    const id = uniqueId()
    await putOne(world, 'datacontracts', odcs(id, more))
    return id
  }

  const publish = async (
    dataContractId: string,
    day: number,
    result: string,
    more: object = {},
  ): Promise<string> => {
    const checks = [{ key: 'a', name: 'A', result }]
    return await post({ dataContractId, timestampEnd: onDay(day), result, checks, ...more })
  }

  test('GET /api/datacontracts/{id}/checks › 200 with the outcomes of two runs of datacontract-cli, one entry a check', async () => {
    const contract = uniqueId()
    await putOne(world, 'datacontracts', {
      ...(parse(readFile('orders.odcs.yaml')) as object),
      id: contract,
    })
    for (const run of [1, 2]) {
      const text = readFile(`datacontract-cli-1.2.8-run-${run}.json`)
      await post({
        ...(JSON.parse(text) as object),
        id: uniqueId(),
        dataContractId: contract,
        timestampEnd: onDay(run),
      })
    }
    const checks = await list(contract)
    assert.equal(checks.length, 23)
    assert.ok(checks.every(({ history }) => history.length === 2))
    assert.equal(checks.filter(({ rulePointer }) => rulePointer !== null).length, 13)
    const negative = checks.find(({ rulePointer }) => rulePointer === '/schema/0/quality/2')
    assert.deepEqual(
      [negative?.outcome, negative?.failingSince, negative?.history.map(({ value }) => value)],
      ['failed', onDay(1).replace('.000Z', '.000000Z'), [1, 1]],
    )
    assert.ok(checks[0]?.failingSince !== null && checks.at(-1)?.failingSince === null)
  })

  test('GET …/checks › 404 for an unknown contract, 401 without a key; pages and servers', async () => {
    await expectProblem(world.as('Or', 'GET', '/api/datacontracts/missing/checks'), 404)
    const contract = await newContract()
    await publish(contract, 1, 'passed', { server: 's' })
    await publish(contract, 1, 'failed', { dataProductId: 'p', outputPortId: 'o' })
    const all = await list(contract)
    assert.deepEqual(
      all.map(({ server, dataProductId, outputPortId }) => [server, dataProductId, outputPortId]),
      [
        ['', 'p', 'o'],
        ['s', null, null],
      ],
    )
    assert.equal((await list(contract, '?server=s')).length, 1)
    assert.equal((await list(contract, '?server=')).length, 1)
    const answer = await world.as('Or', 'GET', `/api/datacontracts/${contract}/checks?size=1`)
    assert.match(answer.headers.get('link') ?? '', /p=1/)
    assert.equal((await list(contract, '?size=1&p=1')).length, 1)
  })

  test('POST /api/test-results › late, replaced and deleted results have their place in the history of a check', async () => {
    const contract = await newContract()
    const first = await publish(contract, 1, 'passed')
    await publish(contract, 4, 'failed')
    await publish(contract, 2, 'failed')
    const third = await publish(contract, 3, 'warning')
    assert.deepEqual(letters(await list(contract)), ['pfwf'])
    const since = async () => (await list(contract)).map(({ failingSince }) => failingSince)
    assert.deepEqual(await since(), ['2026-01-04T00:00:00.000000Z'])
    await publish(contract, 3, 'error', { id: third })
    assert.deepEqual(letters(await list(contract)), ['pfef'])
    assert.deepEqual(await since(), ['2026-01-02T00:00:00.000000Z'])
    await expectOk(world.as('O', 'DELETE', `${RESULTS}/${third}`))
    assert.deepEqual(letters(await list(contract)), ['pff'])
    await publish(contract, 5, 'passed', { id: first })
    assert.deepEqual(letters(await list(contract)), ['ffp'])
    const [check] = await list(contract)
    assert.deepEqual(
      [check?.outcome, check?.failingSince, check?.history.at(-1)?.resultId],
      ['passed', null, first],
    )
    // To another contract, a branch and as a dry run.
    const other = await newContract()
    await publish(other, 5, 'passed', { id: first })
    assert.deepEqual([letters(await list(contract)), letters(await list(other))], [['ff'], ['p']])
    await publish(other, 5, 'passed', { id: first, dryRun: true })
    assert.deepEqual(await list(other), [])
    await publish(other, 6, 'passed', { branch: 'x' })
    assert.deepEqual(await list(other), [])
  })

  test('DELETE /api/test-results/{id} › keeps the outcomes of other results of the same time', async () => {
    const contract = await newContract()
    const send = async (...names: string[]): Promise<string> => {
      const checks = names.map((name) => ({ key: name, name, result: 'failed' }))
      return await publish(contract, 1, 'failed', { checks })
    }
    const [first, second] = [await send('a', 'b'), await send('b', 'c')]
    const names = async () => (await list(contract)).map(({ name }) => name)
    assert.deepEqual(await names(), ['a', 'b', 'c'])
    await expectOk(world.as('O', 'DELETE', `${RESULTS}/${first}`))
    assert.deepEqual(await names(), ['b', 'c'])
    await expectOk(world.as('O', 'DELETE', `${RESULTS}/${second}`))
    assert.deepEqual(await names(), [])
  })

  test('DELETE /api/test-results/{id} › loses no outcome that is published at the same time', async () => {
    const contract = await newContract()
    await publish(contract, 1, 'passed')
    for (let round = 0; round < 10; round += 1) {
      const id = await publish(contract, 3, 'failed')
      const deletion = expectOk(world.as('O', 'DELETE', `${RESULTS}/${id}`))
      const [, second] = await Promise.all([deletion, publish(contract, 2, 'warning')])
      assert.deepEqual(letters(await list(contract)), ['pw'])
      await expectOk(world.as('O', 'DELETE', `${RESULTS}/${second}`))
    }
  })

  test('POST /api/test-results › 60 outcomes are kept; the time of the first failure stays', async () => {
    const contract = await newContract()
    await publish(contract, 1, 'passed')
    for (let day = 2; day <= 64; day += 1) await publish(contract, day, 'failed')
    const [check] = await list(contract)
    assert.equal(check?.history.length, 60)
    assert.equal(check?.failingSince, '2026-01-02T00:00:00.000000Z')
    assert.equal(check?.history[0]?.testedAt, '2026-01-05T00:00:00.000000Z')
    // Older than all that are kept.
    await publish(contract, 3, 'passed')
    assert.deepEqual(letters(await list(contract)), ['f'.repeat(60)])
    await publish(contract, 30, 'skipped', { checks: [{ key: 'a', result: 'skipped' }] })
    assert.equal(
      (await list(contract))[0]?.history.filter(({ outcome }) => outcome === 'skipped').length,
      1,
    )
  })

  test('POST /api/test-results › years 1970 and 9999: the history has the time, or that of the publication', async () => {
    const contract = await newContract()
    await publish(contract, 1, 'passed', { timestampEnd: '1970-01-01T00:00:00Z' })
    await publish(contract, 1, 'failed', { timestampEnd: '9999-12-31T23:59:59Z' })
    const [check] = await list(contract)
    assert.equal(check?.history[0]?.testedAt, '1970-01-01T00:00:00.000000Z')
    assert.ok(Date.parse(check?.testedAt ?? '') <= Date.now())
    assert.equal(check?.isStale, false)
  })

  test('POST /api/test-results › 100,000 checks: the first 5000 are followed, and a contract has no more', async () => {
    const contract = await newContract()
    const many = Array.from({ length: 100_000 }, (_, at) => ({ key: String(at), result: 'passed' }))
    const id = await post({ dataContractId: contract, timestampEnd: onDay(1), checks: many })
    const { checkCount } = await readJson<{ checkCount: number }>(
      world.as('O', 'GET', `${RESULTS}/${id}`),
    )
    assert.equal(checkCount, 100_000)
    await publish(contract, 2, 'failed')
    const keep = many.slice(0, 2).map(({ key }) => ({ key, result: 'failed' }))
    await post({ dataContractId: contract, timestampEnd: onDay(3), checks: keep })
    const { rows } = await sql<{ count: number; failing: number }>`
      select count(*)::integer as count, count(failing_since)::integer as failing
      from test_check
      where organization_id = ${world.organizationId}
        and contract_id = ${contract}
    `.execute(store().db)
    assert.deepEqual(rows, [{ count: 5000, failing: 2 }])
  })

  test('POST /api/test-results › concurrent results of one contract: every outcome is in the history', async () => {
    const contract = await newContract()
    const checks = ['a', 'b', 'c'].map((key) => ({ key, result: 'passed' }))
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        publish(contract, at + 1, 'passed', {
          checks: at % 2 === 0 ? checks : checks.toReversed(),
        }),
      ),
    )
    assert.deepEqual(letters(await list(contract)), [
      'p'.repeat(12),
      'p'.repeat(12),
      'p'.repeat(12),
    ])
  })

  test('GET …/checks › a result is stale after testsValidFor, or if it tested another major version', async () => {
    const validity = { customProperties: [{ property: 'testsValidFor', value: '36500d' }] }
    const [short, long] = [await newContract(), await newContract(validity)]
    for (const contract of [short, long]) await publish(contract, 1, 'passed')
    assert.deepEqual([await isStale(short), await isStale(long)], [true, false])
    await publish(long, 2, 'passed', { dataContractVersion: '7.0.0' })
    assert.equal(await isStale(long), true)
  })

  test('checks › of other organizations, contracts, servers and ports stay as they are; expired ones are deleted', async () => {
    const [contract, other] = [await newContract(), await newContract()]
    const place = { server: 's', dataProductId: 'p', outputPortId: 'o' }
    const id = await publish(contract, 1, 'passed', place)
    await publish(other, 1, 'passed', place)
    await publish(contract, 1, 'passed', { ...place, server: 't' })
    await publish(contract, 1, 'passed', { ...place, outputPortId: 'q' })
    const twin = await addTwin(world)
    await expectUntouched([twin], async () => {
      await publish(contract, 2, 'failed', { ...place, id })
      assert.equal((await list(contract)).length, 3)
      assert.deepEqual(letters(await list(contract)).toSorted(), ['f', 'p', 'p'])
      await expectOk(world.as('O', 'DELETE', `${RESULTS}/${id}`))
    })
    assert.equal((await list(contract)).length, 2)
    assert.deepEqual(letters(await list(other)), ['p'])
    const { db } = store()
    const deleteAt = async (instant: string) =>
      await deleteExpiredChecks({ bulkDb: db, clock: fixedClock(instant) })
    assert.equal(await deleteAt('1971-01-01T00:00:01Z'), 0)
    assert.ok((await deleteAt('2027-01-01T00:00:01Z')) >= 3)
    assert.deepEqual(await list(contract), [])
  })
})
