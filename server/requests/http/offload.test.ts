import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import { yamlContract } from '../../../test/hostile-requests.ts'
import { onStore } from '../../../test/stores.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  TASK_THREAD,
  uniqueId,
  type World,
} from '../../../test/world.ts'
import { areCheap, newOffload, TASK_LIMITS, type Task } from './offload.ts'

const json = (document: string) => ({ document, mediaType: 'application/json' })
const yaml = (document: string) => ({ document, mediaType: 'application/yaml' })

test('offload › a small document that cannot expand is read immediately', () => {
  const long = 'x'.repeat(1000)
  assert.ok(areCheap([]))
  assert.ok(areCheap([json('x'.repeat(12_000))]))
  assert.ok(areCheap([yaml('x'.repeat(2400))]))
  assert.ok(areCheap([json('{"type": "avro"}')]))
  assert.ok(!areCheap([json('x'.repeat(13_000))]))
  assert.ok(!areCheap([json('x'.repeat(7000)), json('x'.repeat(7000))]))
  assert.ok(!areCheap([yaml('x'.repeat(2600))]))
  for (const sign of ['"$ref"', '$dynamicRef', 'avro', 'Protobuf', '\\u0024ref', '*alias']) {
    assert.ok(!areCheap([json(`${long}${sign}`)]), sign)
  }
})

// A contract that goes to a thread.
const large = (id: string, more: object = {}): object =>
  odcs(id, { description: { purpose: 'x'.repeat(70_000) }, ...more })

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })
  after(async () => world.services.offload.close())

  const put = (id: string, body: object): Promise<Response> =>
    world.as('O', 'PUT', `/api/datacontracts/${id}`, { body })

  test('PUT /api/datacontracts/{id} › 403 before the text is read, for a caller who may write nothing', async () => {
    const path = `/api/datacontracts/${uniqueId()}`
    for (const query of ['', '?dryRun=true']) {
      const answer = world.as('Um', 'PUT', `${path}${query}`, { yaml: ': : :\n'.repeat(800_000) })
      const { detail } = await expectProblem(answer, 403)
      assert.match(detail, /DATACONTRACT_ADD/)
    }
    assert.equal(world.services.offload.countThreads(), 0)
  })

  test('PUT /api/datacontracts/{id} › a large document is stored, compared and refused as a small one', async () => {
    const id = uniqueId()
    const schema = [{ name: 't', properties: [{ name: 'c', logicalType: 'string' }] }]
    await expectOk(put(id, large(id, { schema })))
    assert.equal(world.services.offload.countThreads(), 1)
    await expectProblem(put(id, large(id, { team: { name: 'unknown' } })), 422)
    const breaking = { body: large(id, { schema: [] }) }
    const path = `/api/datacontracts/${id}`
    const dry = await readJson<{ level: string; changes: { path: string }[] }>(
      world.as('O', 'PUT', `${path}?dryRun=true`, breaking),
    )
    assert.equal(dry.level, 'breaking')
    const refused = await expectProblem(
      world.as('O', 'PUT', `${path}?failOn=breaking`, breaking),
      409,
    )
    assert.deepEqual((refused as { changes?: unknown }).changes, dry.changes)
    const diff = await readJson<{ changes: unknown[] }>(
      world.as('Um', 'POST', `${path}/diff`, breaking),
    )
    assert.deepEqual(diff.changes, dry.changes)
    await expectOk(world.as('O', 'DELETE', path))
  })

  test('PUT /api/datacontracts/{id} › problems of a large document have their lines', async () => {
    const id = uniqueId()
    const text = yamlContract(id, 'a', 20_000).replace('status: active', 'status: [active]')
    const answer = world.as('O', 'PUT', `/api/datacontracts/${id}`, { yaml: text })
    const { violations } = await expectProblem(answer, 422)
    assert.deepEqual(
      (violations ?? []).map(({ field, line }: { field: string; line?: number }) => [field, line]),
      [['status', 5]],
    )
  })

  test('PUT /api/datacontracts/{id} › numbers keep their digits in the changes of a large document', async () => {
    const id = uniqueId()
    await expectOk(put(id, large(id)))
    const body = JSON.stringify(large(id, { amount: 1 })).replace(
      '"amount":1',
      '"amount":12345678901234567890.10',
    )
    const plan = await readText(
      world.as('O', 'PUT', `/api/datacontracts/${id}?dryRun=true`, { body }),
    )
    assert.match(plan, /"after":12345678901234567890\.10/)
  })

  test('GET /api/datacontracts/{id}/model › models and exports of a large contract are read once', async () => {
    const id = uniqueId()
    await expectOk(put(id, large(id)))
    const { offload } = world.services
    const path = `/api/datacontracts/${id}`
    for (const what of ['model', 'export?format=sql', 'export?format=sql&report=true']) {
      const first = await readText(world.as('Or', 'GET', `${path}/${what}`))
      await offload.close()
      assert.equal(await readText(world.as('Or', 'GET', `${path}/${what}`)), first)
      assert.equal(offload.countThreads(), 0)
    }
  })

  test('large products are read in threads for the ports of a contract, and for lineage', async () => {
    const [contract, product] = [uniqueId(), uniqueId()]
    await expectOk(put(contract, odcs(contract)))
    const outputPorts = [{ name: 'out', version: '1', contractId: contract }]
    const description = { purpose: 'x'.repeat(70_000) }
    const body = odps(product, { outputPorts, description })
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${product}`, { body }))
    for (const [path, expected] of [
      [`/api/datacontracts/${contract}/ports`, product],
      [`/api/dataproducts/${product}/contracts`, contract],
      [`/api/dataproducts/${product}/lineage`, product],
    ] as const) {
      const { services, call } = newProduct(store())
      const answer = call('GET', path, { key: world.keys.Or })
      assert.match(await readText(answer), new RegExp(expected), path)
      assert.equal(services.offload.countThreads(), 1, path)
      await services.offload.close()
    }
  })

  test('GET /api/events?include=document › large documents of YAML come as JSON', async () => {
    const fresh = await newWorld(newProduct(store()))
    const id = uniqueId()
    const text = yamlContract(id, 'a', 40_000)
    await expectOk(fresh.as('O', 'PUT', `/api/datacontracts/${id}`, { yaml: text }))
    // Transactions of other tests on the same server hold the feed back.
    const isShown = async (): Promise<boolean> => {
      const events = await readJson<{ subject: string; data: { after: { id: string } | null } }[]>(
        fresh.as('Or', 'GET', '/api/events?include=document'),
      )
      return events.some(({ subject, data }) => subject === id && data.after?.id === id)
    }
    await eventually(10_000, isShown, 'the event comes with its document')
    await fresh.services.offload.close()
  })

  test('PUT /api/datacontracts/{id} › 422 for a document that takes too long, and 503 behind a full queue', async () => {
    const offload = newOffload(TASK_THREAD, {
      ...TASK_LIMITS,
      cpuMs: 1,
      wallMs: 1,
      jobsPerKeyMax: 0,
    })
    const slow = newOffload(TASK_THREAD, { ...TASK_LIMITS, cpuMs: 1, wallMs: 1 })
    const product = newProduct(store())
    const id = uniqueId()
    const yamlText = yamlContract(id, 'a', 400_000)
    Object.assign(product.services, { offload: slow })
    const inside = await newWorld(product)
    const costly = await expectProblem(
      inside.as('O', 'PUT', `/api/datacontracts/${id}`, { yaml: yamlText }),
      422,
    )
    assert.match(costly.detail, /processor time.*Split it/)
    Object.assign(product.services, { offload })
    const busy = await inside.as('O', 'PUT', `/api/datacontracts/${id}`, { yaml: yamlText })
    assert.equal(busy.status, 503)
    assert.match(busy.headers.get('retry-after') ?? '', /^\d+$/)
    assert.match(((await busy.json()) as { detail: string }).detail, /Too many large documents/)
    await Promise.all([offload.close(), slow.close()])
  })

  test('offload › a task that fails unexpectedly is an error, in a thread as well', async () => {
    const offload = newOffload(TASK_THREAD)
    const unknown: Task<string, string> = { name: 'unknown', run: (input) => input }
    assert.equal(await offload.run('o', unknown, 'small', []), 'small')
    await assert.rejects(
      offload.run('o', unknown, 'x', [json('x'.repeat(70_000))]),
      /unknown task: unknown/,
    )
    await offload.close()
  })
})
