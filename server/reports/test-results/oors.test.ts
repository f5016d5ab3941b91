import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odcs, putOne, uniqueId } from '../../../test/world.ts'
import type { CallerName, World } from '../../../test/world.ts'
import { verifyStore } from '../../transfer/verify.ts'
import type { TestResultSummary } from './test-result.ts'

const PATH = '/api/test-results'

function buildOors(contractId: string, more: object = {}): Record<string, unknown> {
  return {
    apiVersion: 'v0.8.1',
    kind: 'ObservabilityResults',
    id: uniqueId(),
    observedAt: '2026-01-01T00:00:09Z',
    source: { process: 'nightly', vendor: 'soda' },
    contract: { contractId, server: 'production' },
    results: [
      { id: 'a', type: 'check', name: 'A', status: 'pass' },
      { id: 'b', type: 'check', name: 'B', status: 'fail', message: 'Bad.' },
    ],
    ...more,
  }
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const post = (body: unknown, caller: CallerName = 'O', query = ''): Promise<Response> =>
    world.as(caller, 'POST', `${PATH}${query}`, { body })
  const get = (path: string, accept?: string): Promise<Response> =>
    world.as('Or', 'GET', `${PATH}${path}`, accept === undefined ? {} : { headers: { accept } })

  const listFindings = async (): Promise<string[]> =>
    (await verifyStore(store().db)).flatMap(({ rule, findings }) =>
      rule.includes('test results') ? findings : [],
    )

  test(`POST ${PATH} › 200 for observability results, which every reader reads as a client's result`, async () => {
    const contract = uniqueId()
    await putOne(world, 'datacontracts', odcs(contract))
    const sent = buildOors(contract)
    const summary = await readJson<TestResultSummary>(post(sent))
    assert.deepEqual(
      [summary.id, summary.dataContractId, summary.server, summary.result],
      [sent['id'], contract, 'production', 'failed'],
    )
    assert.deepEqual([summary.checkCount, summary.passedCount], [2, 1])
    const stored = await readJson<{ checks: { name: string; result: string }[] }>(
      get(`/${summary.id}`),
    )
    assert.deepEqual(
      stored.checks.map(({ name, result }) => [name, result]),
      [
        ['A', 'passed'],
        ['B', 'failed'],
      ],
    )
    assert.deepEqual(await listFindings(), [])
  })

  test(`GET ${PATH}/{id}?format=oors › what was sent as OORS, byte for byte`, async () => {
    const contract = uniqueId()
    // Its message is plain text only for editors: the contract may classify columns.
    await putOne(world, 'datacontracts', odcs(contract, { schema: [{ name: 'a' }] }))
    const text = `${JSON.stringify(buildOors(contract, { tags: ['é'] }), null, 1)}\n`
    const answer = await world.as('O', 'POST', PATH, { body: text })
    const { id } = await readJson<TestResultSummary>(Promise.resolve(answer))
    const stored = await get(`/${id}?format=oors`)
    assert.equal(stored.headers.get('content-type'), 'application/oors+json')
    assert.equal(stored.headers.get('portbook-draft'), 'oors; version=v0.8.1')
    assert.equal(await readText(Promise.resolve(stored)), text)
    const yaml = await get(`/${id}`, 'application/oors+yaml')
    assert.equal(yaml.headers.get('content-type'), 'application/oors+yaml')
    assert.match(await readText(Promise.resolve(yaml)), /kind: ObservabilityResults/)
  })

  test(`GET ${PATH}?format=oors › a list of the results of a page, those of clients too; samples are a loss`, async () => {
    const contract = uniqueId()
    await readJson(post(buildOors(contract)))
    const client = {
      id: uniqueId(),
      dataContractId: contract,
      result: 'passed',
      checks: [{ name: 'Row count', result: 'passed', failedSamples: [1] }],
    }
    await readJson(post(client))
    const query = `?dataContractId=${contract}&format=oors`
    const list = await readJson<{ id: string; kind: string }[]>(get(query))
    assert.deepEqual(
      list.map(({ kind }) => kind),
      ['ObservabilityResults', 'ObservabilityResults'],
    )
    assert.ok(list.some(({ id }) => id === client.id))
    const yaml = await readText(get(query, 'application/yaml'))
    assert.equal(yaml.match(/^- /gm)?.length, 2)
    assert.equal(await readText(get(`?dataContractId=${uniqueId()}&format=oors`)), '[]')
    const one = await get(`/${client.id}?format=oors`)
    assert.match(one.headers.get('portbook-losses') ?? '', /failedSamples/)
    const usual = await readJson<TestResultSummary[]>(get(`?dataContractId=${contract}`))
    assert.equal(usual.length, 2)
  })

  test(`POST ${PATH}?dataContractId= › 200 for results without a contract, 422 without both`, async () => {
    const contract = uniqueId()
    const sent = buildOors('', { contract: undefined })
    await expectViolations(post(sent), 422, ['contract.contractId'])
    const summary = await readJson<TestResultSummary>(
      post(sent, 'O', `?dataContractId=${contract}`),
    )
    assert.equal(summary.dataContractId, contract)
    assert.deepEqual(await listFindings(), [])
  })

  test(`POST ${PATH} › 422 for a snapshot, another version or kind; 400 for an unknown format`, async () => {
    const contract = uniqueId()
    await expectViolations(post(buildOors(contract, { run: { state: 'running' } })), 422, [
      'run.state',
    ])
    const unsupported = await post(buildOors(contract, { apiVersion: 'v2.0.0' }))
    assert.match(await unsupported.clone().text(), /format_unsupported/)
    await expectViolations(Promise.resolve(unsupported), 422, ['apiVersion'])
    await expectViolations(post({ kind: 'DataContract', dataContractId: contract }), 422, ['kind'])
    await expectProblem(get('?format=omds'), 400)
    await expectProblem(get(`/${uniqueId()}?format=oors`), 404)
    await expectProblem(post(buildOors(contract), 'Or'), 403)
  })

  test(`POST ${PATH} › warnings about observability results are in portbook-warnings`, async () => {
    const answer = await post(buildOors(uniqueId(), { apiVersion: 'v0.8.7', status: 'pass' }))
    const warnings = JSON.parse(answer.headers.get('portbook-warnings') ?? '[]') as string[]
    assert.deepEqual(
      warnings.map((warning) => warning.split(' ')[0]),
      ['apiVersion', 'status'],
    )
    const plain = await post(buildOors(uniqueId()))
    assert.equal(plain.headers.get('portbook-warnings'), null)
  })
})
