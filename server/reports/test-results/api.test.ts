import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { listEventsOfSubject } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  putOne,
  uniqueId,
} from '../../../test/world.ts'
import type { CallerName, World } from '../../../test/world.ts'
import { RESULT_BYTES_MAX, type TestResultSummary } from './test-result.ts'

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

const branchPath = (contract: string): string =>
  `/api/datacontracts/${contract}/branches/feature/test-results`

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
  const get = (id: string): Promise<Record<string, unknown>> =>
    readJson(world.as('Or', 'GET', `${PATH}/${id}`))

  test('POST …/branches/{branch}/test-results › one text under two contracts is stored for the second', async () => {
    const [first, second] = [uniqueId(), uniqueId()]
    const body = { ...buildTestResult(first), dataContractId: undefined }
    await publish(body, branchPath(first))
    assert.equal((await publish(body, branchPath(second))).dataContractId, second)
    assert.deepEqual(await list(`dataContractId=${first}`), [])
  })

  test(`POST ${PATH} › 422 for a member that lists return, if it is long`, async () => {
    for (const name of [
      'server',
      'branch',
      'dataContractVersion',
      'dataProductId',
      'outputPortId',
    ]) {
      const body = buildTestResult(uniqueId(), { [name]: 'x'.repeat(1025) })
      await expectViolations(post(body), 422, [name])
    }
  })

  test(`DELETE ${PATH}/{id} › 403 for a provider that did not publish the result`, async () => {
    const contract = uniqueId()
    await putOne(world, 'datacontracts', odcs(contract, { team: { name: 'b' } }))
    const outputPorts = [{ name: 'out', version: '1', contractId: contract }]
    await putOne(world, 'dataproducts', odps(uniqueId(), { team: { name: 'a' }, outputPorts }))
    const { id: theirs } = await publish(buildTestResult(contract))
    await expectProblem(world.as('T', 'DELETE', `${PATH}/${theirs}`), 403)
    await expectProblem(post(buildTestResult(contract, { id: theirs }), 'T'), 403)
    const { id: own } = await readJson<TestResultSummary>(post(buildTestResult(contract), 'T'))
    await expectOk(world.as('T', 'DELETE', `${PATH}/${own}`))
  })

  test(`POST ${PATH} › 200 with the address of the page, and GET returns the result as it was sent`, async () => {
    const sent = buildTestResult(uniqueId(), {
      custom: { a: [1, null] },
      filters: { orders: 'x > 1' },
    })
    const answer = await expectOk(post(sent))
    assert.equal(answer.status, 200)
    const page = `http://portbook.test/test-results/${String(sent.id)}`
    assert.equal(answer.headers.get('location-html'), page)
    const stored = await expectOk(world.as('Or', 'GET', `${PATH}/${String(sent.id)}`))
    assert.equal(stored.headers.get('location-html'), page)
    const body = (await stored.json()) as Record<string, unknown>
    const expected = {
      ...sent,
      dataContractVersion: '',
      dryRun: false,
      timestampEnd: '2026-01-01T00:00:09.000000Z',
      timestampStart: '2026-01-01T00:00:00.000000Z',
      testedAt: '2026-01-01T00:00:09.000000Z',
      checkCount: 1,
      passedCount: 1,
      publishedAt: body.publishedAt,
      publishedBy: body.publishedBy,
    }
    assert.deepEqual(body, expected)
    assert.match(String(body.publishedBy), /^api-key:/)
  })

  test(`POST ${PATH} › 200 and a new id for a result without one; numbers and names stay as they were sent`, async () => {
    const contract = uniqueId()
    const text = `{"dataContractId":"${contract}","duration":1.50,"big":12345678901234567890,"__proto__":{"a":1},"checks":{"passed":3,"failed":1},"results":[{"check":"all"}]}`
    const { id, checkCount, passedCount } = await publish(text)
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.deepEqual([checkCount, passedCount], [4, 3])
    const stored = await readText(world.as('Or', 'GET', `${PATH}/${id}`))
    assert.match(stored, /"duration":1.50,"big":12345678901234567890,"__proto__":\{"a":1\}/)
    assert.notEqual((await publish(text)).id, id)
  })

  test(`POST ${PATH} › 200 for results of a known outcome, all others are unknown and kept`, async () => {
    for (const [sent, answered] of [
      ['failed', 'failed'],
      ['skipped', 'unknown'],
      [null, 'unknown'],
    ]) {
      const body = buildTestResult(uniqueId(), { result: sent, dryRun: sent === 'skipped' })
      const { result, id, dryRun } = await publish(body)
      assert.deepEqual([result, dryRun], [answered, sent === 'skipped'])
      assert.equal((await get(id)).result, answered)
      const { document } = await world.services.db
        .selectFrom('test_result')
        .select('document')
        .where('external_id', '=', id)
        .executeTakeFirstOrThrow()
      assert.equal(document, JSON.stringify(body))
    }
  })

  test(`POST ${PATH} › the same id replaces the result, and the same text changes nothing`, async () => {
    const sent = buildTestResult(uniqueId(), { id: undefined })
    const id = String(sent.runId)
    await publish(sent)
    await publish(sent)
    const { testedAt } = await publish({ ...sent, result: 'failed', timestampEnd: null })
    assert.equal(testedAt, '2026-01-01T00:00:00.000000Z')
    assert.equal((await get(id)).result, 'failed')
    assert.equal((await list(`dataContractId=${String(sent.dataContractId)}`)).length, 1)
    const events = await listEventsOfSubject(world, id)
    const summaries = events.map(({ type, data }) => [
      type.slice(type.lastIndexOf('.') + 1),
      data.id,
      data.status,
      data.version,
    ])
    assert.deepEqual(summaries, [
      ['TestResultsCreatedEvent', id, 'passed', 1],
      ['TestResultsCreatedEvent', id, 'failed', 2],
    ])
  })

  test(`POST ${PATH} › concurrent results with one id: the last one is stored, each has an event`, async () => {
    const sent = buildTestResult(uniqueId())
    const results = ['passed', 'warning', 'failed', 'error']
    // Equal results in a row are one.
    await Promise.all(
      [...results, ...results].map((result, run) => publish({ ...sent, result, run })),
    )
    const events = await listEventsOfSubject(world, String(sent.id))
    const last = events.map(({ data }) => data).find(({ version }) => version === 8)
    assert.equal(events.length, 8)
    const stored = await list(`dataContractId=${String(sent.dataContractId)}`)
    assert.deepEqual(
      stored.map(({ result }) => result),
      [last?.status],
    )
  })

  test(`POST ${PATH} › a test that ends in the future counts from its publication`, async () => {
    const sent = buildTestResult(uniqueId(), { timestampEnd: '2999-01-01T00:00:00Z' })
    const { testedAt, publishedAt, timestampEnd } = await publish(sent)
    assert.equal(testedAt, publishedAt)
    assert.equal(timestampEnd, '2999-01-01T00:00:00.000000Z')
  })

  test(`POST ${PATH} › 400 malformed, 413 too large, 415 another media type, 422 invalid`, async () => {
    await expectProblem(post('{"id":'), 400)
    await expectProblem(post(`"${'x'.repeat(RESULT_BYTES_MAX)}"`), 413)
    await expectProblem(world.as('O', 'POST', PATH, { yaml: 'id: x' }), 415)
    await expectProblem(post('[]'), 422)
    await expectViolations(post({}), 422, ['dataContractId'])
    await expectViolations(post({ id: 'a/b', dataContractId: 5 }), 422, ['dataContractId', 'id'])
  })

  test(`POST ${PATH} › 403 for the contract of another team, unless the caller provides its data`, async () => {
    const id = uniqueId()
    const product = odps(uniqueId(), {
      outputPorts: [{ name: 'out', version: '1', contractId: id }],
    })
    await expectOk(post(buildTestResult(id), 'T'))
    await putOne(world, 'datacontracts', odcs(id, { team: { name: 'b' } }))
    await expectProblem(
      post(buildTestResult(id), 'T'),
      403,
      /DATACONTRACT_TEST_RESULTS_EDIT on team b is missing/,
    )
    await expectProblem(post(buildTestResult(id), 'Um'), 403)
    await putOne(world, 'dataproducts', product)
    await expectOk(post(buildTestResult(id), 'T'))
    await expectOk(post(buildTestResult(id), 'Ue'))
  })

  test(`POST ${PATH} › 403 to replace a result of another team's contract with one of the own`, async () => {
    const [own, theirs] = [uniqueId(), uniqueId()]
    await putOne(world, 'datacontracts', odcs(theirs, { team: { name: 'b' } }))
    const sent = buildTestResult(theirs)
    await publish(sent)
    const moved = { ...sent, dataContractId: own }
    await expectProblem(post(moved, 'T'), 403, /team b is missing/)
    assert.equal((await publish(moved)).dataContractId, own)
    assert.deepEqual(await list(`dataContractId=${theirs}`), [])
  })

  test('POST /api/datacontracts/{id}/branches/{branch}/test-results › 200, and the result has the branch', async () => {
    const contract = uniqueId()
    const sent = buildTestResult(contract, { dataContractId: undefined })
    const { id, branch, dataContractId } = await publish(sent, branchPath(contract))
    assert.deepEqual([branch, dataContractId], ['feature', contract])
    assert.equal((await get(id)).branch, 'feature')
    await publish(buildTestResult(contract))
    const query = `dataContractId=${contract}`
    assert.deepEqual(
      (await list(`${query}&branch=feature`)).map((one) => one.id),
      [id],
    )
    assert.equal((await list(query)).length, 2)
  })

  test('POST /api/datacontracts/{id}/branches/{branch}/test-results › 200 for a branch with slashes, encoded or not', async () => {
    const contract = uniqueId()
    for (const branch of ['fix/late/rows', 'fix%2Flate%2Frows']) {
      const path = `/api/datacontracts/${contract}/branches/${branch}/test-results`
      const stored = await publish(buildTestResult(contract), path)
      assert.equal(stored.branch, 'fix/late/rows')
    }
  })

  test('POST /api/datacontracts/{id}/branches/{branch}/test-results › 422 for another contract in the body', async () => {
    await expectViolations(post(buildTestResult('other'), 'O', branchPath('this')), 422, [
      'dataContractId',
    ])
  })

  test(`GET ${PATH} › newest first, without checks and logs, filtered by contract and server`, async () => {
    const contract = uniqueId()
    const times = ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z', '2026-01-01T00:00:00Z']
    for (const [at, timestampEnd] of times.entries()) {
      await publish(buildTestResult(contract, { timestampEnd, server: `s${at}` }))
    }
    const results = await list(`dataContractId=${contract}`)
    assert.deepEqual(
      results.map(({ server }) => server),
      ['s1', 's0', 's2'],
    )
    for (const result of results) {
      assert.deepEqual(
        Object.keys(result).filter((name) => /checks|logs/.test(name)),
        [],
      )
    }
    assert.equal((await list(`dataContractId=${contract}&server=s0`)).length, 1)
    assert.deepEqual(await list(`dataContractId=${contract}&server=s9`), [])
  })

  test(`GET ${PATH} › 100 results a page, with a link to the next one`, async () => {
    const contract = uniqueId()
    // More at once may be refused on a busy machine.
    for (let at = 0; at < 101; at += 1) await publish(buildTestResult(contract))
    const query = `dataContractId=${contract}`
    const first = await expectOk(world.as('O', 'GET', `${PATH}?${query}`))
    assert.equal(first.headers.get('link'), `<${PATH}?${query}&p=1>; rel="next"`)
    const ids = ((await first.json()) as { id: string }[]).map(({ id }) => id)
    const rest = (await list(`${query}&p=1`)).map(({ id }) => id)
    assert.deepEqual([ids.length, rest.length, new Set([...ids, ...rest]).size], [100, 1, 101])
    assert.deepEqual(await list(`${query}&p=2`), [])
    await expectProblem(world.as('O', 'GET', `${PATH}?p=x`), 400)
  })

  test(`GET ${PATH}/{id} › 404 for an unknown result`, async () => {
    await expectProblem(world.as('O', 'GET', `${PATH}/${uniqueId()}`), 404)
  })

  test(`DELETE ${PATH}/{id} › 200, 404 afterwards, and an event with the outcome`, async () => {
    const { id } = await publish(buildTestResult(uniqueId(), { result: 'error' }))
    assert.equal(await readText(world.as('O', 'DELETE', `${PATH}/${id}`)), '')
    await expectProblem(world.as('O', 'DELETE', `${PATH}/${id}`), 404)
    await expectProblem(world.as('O', 'GET', `${PATH}/${id}`), 404)
    const deleted = (await listEventsOfSubject(world, id, { include: 'document' })).at(-1)
    assert.match(deleted?.type ?? '', /\.TestResultsDeletedEvent$/)
    assert.deepEqual([deleted?.data.status, deleted?.data.before], ['error', null])
  })

  test(`DELETE ${PATH}/{id} › 403 for the contract of another team`, async () => {
    const contract = uniqueId()
    await putOne(world, 'datacontracts', odcs(contract, { team: { name: 'b' } }))
    const { id } = await publish(buildTestResult(contract))
    await expectProblem(
      world.as('T', 'DELETE', `${PATH}/${id}`),
      403,
      /DATACONTRACT_DELETE on team b/,
    )
  })
})
