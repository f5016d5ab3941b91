import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { serveRaw } from '../../../test/raw-http.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, putOne, uniqueId } from '../../../test/world.ts'
import type { CallerName, World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { EVENT_BYTES_MAX } from './lineage-event.ts'
import { deleteExpiredEvents } from './service.ts'

const PATH = '/api/v1/lineage'

/** A run event as the clients of OpenLineage send it. */
function runEvent(more: { runId?: string; job?: string; facet?: object; eventType?: string } = {}) {
  const { runId = uniqueId(), job = uniqueId(), facet, eventType = 'START' } = more
  return {
    eventType,
    eventTime: '2026-11-26T02:00:00.123Z',
    run: { runId, facets: facet === undefined ? {} : { entropy_data: facet } },
    job: { namespace: 'warehouse', name: job, facets: {} },
    inputs: [{ namespace: 'db', name: 'in', facets: { entropy_data: { assetId: 'asset-in' } } }],
    outputs: [{ namespace: 'db', name: 'out', facets: {} }],
    producer: 'https://example.test/producer',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
  }
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const post = (body: unknown, query = '', caller: CallerName = 'O'): Promise<Response> =>
    world.as(caller, 'POST', `${PATH}${query}`, { body })
  const list = (query: string): Promise<unknown[]> =>
    readJson<unknown[]>(world.as('O', 'GET', `${PATH}?${query}`))
  const listProducts = async (runId: string) =>
    await world.services.db
      .selectFrom('lineage_event')
      .select(['product_id', 'output_port', 'input_assets', 'output_assets', 'kind', 'event_at'])
      .where('organization_id', '=', world.organizationId)
      .where('run_id', '=', runId)
      .execute()

  test(`POST ${PATH} › 201 without a body, and the event comes back as it was sent`, async () => {
    const runId = uniqueId()
    const text = `{ "big": 12345678901234567890.10,\n  "run":{"runId":"${runId}"}, "job":{"namespace":"n","name":"j"},"inputs":null }`
    assert.equal(await readText(post(text), 201), '')
    const answer = await readText(world.as('O', 'GET', `${PATH}?runId=${runId}`))
    assert.equal(answer, `[${text}]`)
  })

  test(`POST ${PATH} › 201 for a Bearer token, as clients of OpenLineage send it`, async () => {
    const headers = { authorization: `Bearer ${world.keys.T}` }
    await readText(world.call('POST', PATH, { headers, body: runEvent() }), 201)
  })

  test(`POST ${PATH} › 201 for job and dataset events`, async () => {
    const job = uniqueId()
    const { run: _, ...jobEvent } = runEvent({ job })
    await readText(post(jobEvent), 201)
    assert.deepEqual(await list(`jobName=${job}`), [jobEvent])
    const dataset = { eventTime: '2026-01-01T00:00:00Z', dataset: { namespace: 'n', name: job } }
    await readText(post(dataset), 201)
    assert.deepEqual((await list('')).at(0), dataset)
  })

  test(`POST ${PATH} › 201 for an event of every type, also an unknown one, and without optional members`, async () => {
    const job = uniqueId()
    for (const eventType of ['START', 'RUNNING', 'COMPLETE', 'ABORT', 'FAIL', 'OTHER', 'LATER']) {
      await readText(post(runEvent({ job, eventType })), 201)
    }
    await readText(post({ run: { runId: 'r' }, job: { namespace: 'n', name: job } }), 201)
    assert.equal((await list(`jobName=${job}`)).length, 8)
    assert.equal((await list(`jobName=${job}&eventType=FAIL`)).length, 1)
  })

  test(`POST ${PATH} › 201 for a gzip body, through a connection`, async () => {
    const server = await serveRaw(world)
    const runId = uniqueId()
    const event = JSON.stringify(runEvent({ runId }))
    const send = (body: Buffer, encoding: string) =>
      server.request('POST', PATH, {
        headers: [
          `Authorization: Bearer ${world.keys.O}`,
          'Content-Type: application/json',
          `Content-Encoding: ${encoding}`,
        ],
        body,
      })
    try {
      assert.equal((await send(gzipSync(event), 'gzip')).status, 201)
      assert.deepEqual(await list(`runId=${runId}`), [JSON.parse(event)])
      assert.equal((await send(Buffer.from(event), 'gzip')).status, 400)
      assert.equal((await send(gzipSync(event), 'br')).status, 415)
      const bomb = gzipSync(Buffer.alloc(EVENT_BYTES_MAX + 1, ' '))
      assert.equal((await send(bomb, 'gzip')).status, 413)
    } finally {
      await server.close()
    }
  })

  test(`POST ${PATH} › the query has priority over the facet of the run`, async () => {
    const facet = { dataProductId: 'from-facet', outputPortName: 'port-of-facet' }
    const expected: [query: string, product: string | null, port: string | null][] = [
      ['', 'from-facet', 'port-of-facet'],
      ['?dataProductId=p', 'p', 'port-of-facet'],
      ['?dataProductId=p&outputPortName=q', 'p', 'q'],
      ['?dataProductId=p&outputPortId=q', 'p', 'q'],
      ['?dataProductId=p&outputPortName=q&outputPortId=r', 'p', 'q'],
    ]
    for (const [query, product, port] of expected) {
      const runId = uniqueId()
      await readText(post(runEvent({ runId, facet }), query), 201)
      const [row] = await listProducts(runId)
      assert.deepEqual([row?.product_id, row?.output_port], [product, port])
      assert.deepEqual([row?.input_assets, row?.output_assets], [['asset-in'], []])
      assert.equal(row?.event_at, '2026-11-26T02:00:00.123000Z')
    }
    assert.equal((await list('dataProductId=p')).length, 4)
  })

  test(`POST ${PATH} › 201 for members of another type where they are optional`, async () => {
    const runId = uniqueId()
    const event = {
      eventType: 5,
      eventTime: 'yesterday',
      run: {
        runId,
        facets: { entropy_data: { dataProductId: 'https://x/y', outputPortName: [] } },
      },
      job: { namespace: 'n', name: 'j' },
      inputs: { a: 1 },
      outputs: [null, 'x', { facets: { entropy_data: { assetId: { a: 1 } } } }],
    }
    await readText(post(event), 201)
    const [row] = await listProducts(runId)
    const { product_id, output_port, input_assets, output_assets, event_at } = row ?? {}
    assert.deepEqual([product_id, output_port, event_at], [null, null, null])
    assert.deepEqual([input_assets, output_assets], [[], []])
  })

  test(`POST ${PATH} › 201 for names of any length`, async () => {
    const name = `${uniqueId()}${'é'.repeat(5000)}`
    await readText(post(runEvent({ runId: name, job: name })), 201)
    const query = new URLSearchParams({ runId: name, jobName: name, jobNamespace: 'warehouse' })
    assert.equal((await list(query.toString())).length, 1)
    assert.equal((await list(`jobName=${encodeURIComponent(name.slice(0, -1))}`)).length, 0)
  })

  test(`POST ${PATH} › 403 for a data product of another team, 201 if it does not exist`, async () => {
    const id = uniqueId()
    await readText(post(runEvent(), `?dataProductId=${id}`, 'T'), 201)
    await putOne(world, 'dataproducts', odps(id, { team: { name: 'b' } }))
    await expectProblem(post(runEvent(), `?dataProductId=${id}`, 'T'), 403, /team b is missing/)
    const facet = { dataProductId: id }
    await expectProblem(post(runEvent({ facet }), '', 'Ue'), 403)
    await readText(post(runEvent({ facet }), '', 'O'), 201)
    await putOne(world, 'dataproducts', odps(id))
    await readText(post(runEvent({ facet }), '', 'T'), 201)
  })

  test(`POST ${PATH} › 400 malformed, 413 too large, 415 another media type, 422 no event`, async () => {
    await expectProblem(post('{"run":'), 400)
    await expectProblem(post(runEvent(), '?dataProductId=a/b'), 400, /dataProductId/)
    await expectProblem(post(`"${'x'.repeat(EVENT_BYTES_MAX)}"`), 413, /5 MiB at most/)
    await expectProblem(world.as('O', 'POST', PATH, { yaml: 'run: {}' }), 415)
    for (const body of ['[]', '1', { name: 'x' }]) await expectProblem(post(body), 422)
    const nested = `{"run":${'['.repeat(100)}${']'.repeat(100)}}`
    await expectProblem(post(nested), 422, /nested/)
    await expectProblem(post('{"run":{"runId":"\\u0000"}}'), 422, /NUL/)
    await expectViolations(post({ run: {}, job: { name: '' } }), 422, [
      'job.name',
      'job.namespace',
      'run.runId',
    ])
    await expectViolations(post({ job: { namespace: 5 } }), 422, ['job.name', 'job.namespace'])
    await expectViolations(post({ dataset: null }), 422, ['dataset.name', 'dataset.namespace'])
  })

  test(`POST ${PATH} › stores every one of many concurrent events once`, async () => {
    const job = uniqueId()
    const runIds = Array.from({ length: 150 }, () => uniqueId())
    await Promise.all(runIds.map((runId) => readText(post(runEvent({ job, runId })), 201)))
    const events = (await list(`jobName=${job}&jobNamespace=warehouse`)) as {
      run: { runId: string }
    }[]
    assert.deepEqual(events.map(({ run }) => run.runId).toSorted(), runIds.toSorted())
  })

  test(`GET ${PATH} › filters combine`, async () => {
    const [runId, job] = [uniqueId(), uniqueId()]
    await readText(post(runEvent({ runId, job })), 201)
    await readText(post(runEvent({ runId, job, eventType: 'COMPLETE' })), 201)
    await readText(post(runEvent({ job })), 201)
    const count = async (query: string): Promise<number> => (await list(query)).length
    assert.equal(await count(`runId=${runId}`), 2)
    assert.equal(await count(`jobName=${job}`), 3)
    assert.equal(await count(`jobName=${job}&jobNamespace=other`), 0)
    assert.equal(await count(`runId=${runId}&eventType=COMPLETE`), 1)
    assert.equal(await count(`runId=${runId.toUpperCase()}`), 0)
    const [newest] = (await list(`runId=${runId}`)) as { eventType: string }[]
    assert.equal(newest?.eventType, 'COMPLETE')
  })

  test(`GET ${PATH} › 1,000 events a page, with a link to the next one`, async () => {
    const job = uniqueId()
    for (let rest = 1001; rest > 0; rest -= 100) {
      const events = Array.from({ length: Math.min(rest, 100) }, () => post(runEvent({ job })))
      for (const answer of await Promise.all(events)) assert.equal(answer.status, 201)
    }
    const first = await expectOk(world.as('O', 'GET', `${PATH}?jobName=${job}`))
    assert.equal(((await first.json()) as unknown[]).length, 1000)
    assert.equal(first.headers.get('link'), `<${PATH}?jobName=${job}&p=1>; rel="next"`)
    const second = await expectOk(world.as('O', 'GET', `${PATH}?jobName=${job}&p=1`))
    assert.equal(((await second.json()) as unknown[]).length, 1)
    assert.equal(second.headers.get('link'), null)
    assert.deepEqual(await list(`jobName=${job}&p=9`), [])
  })

  test(`GET ${PATH} › 400 for an unknown type of event or a malformed page`, async () => {
    const eventType = await expectProblem(world.as('O', 'GET', `${PATH}?eventType=DONE`), 400)
    assert.match(eventType.detail, /must be one of START, RUNNING, COMPLETE, ABORT, FAIL, OTHER/)
    await expectProblem(world.as('O', 'GET', `${PATH}?p=-1`), 400)
  })

  const remove = (query: string, caller: CallerName = 'O'): Promise<Response> =>
    world.as(caller, 'DELETE', `${PATH}${query}`)

  test(`DELETE ${PATH} › 200 with the number of deleted events of a run or a job`, async () => {
    const [runId, job] = [uniqueId(), uniqueId()]
    for (const event of [{ runId }, { runId, job }, { job }]) await post(runEvent(event))
    assert.deepEqual(await readJson(remove(`?runId=${runId}`)), { deletedCount: 2 })
    assert.deepEqual(await readJson(remove(`?runId=${runId}`)), { deletedCount: 0 })
    const jobQuery = `?jobNamespace=warehouse&jobName=${job}`
    assert.deepEqual(await readJson(remove(jobQuery)), { deletedCount: 1 })
    assert.deepEqual(await list(`jobName=${job}`), [])
  })

  test(`DELETE ${PATH} › 200, without parameters all events of the organization and no others`, async () => {
    const other = await newWorld(world)
    const count = async (of: World): Promise<number> =>
      (await readJson<unknown[]>(of.as('O', 'GET', PATH))).length
    for (const one of [1, 2, 3]) {
      await expectOk(other.as('O', 'POST', PATH, { body: runEvent({ job: `j${one}` }) }))
    }
    await post(runEvent())
    const before = await count(world)
    assert.deepEqual(await readJson(other.as('O', 'DELETE', PATH)), { deletedCount: 3 })
    assert.deepEqual([await count(other), await count(world)], [0, before])
  })

  test(`DELETE ${PATH} › 400 for half a job, an empty value, or a parameter that it does not know`, async () => {
    await post(runEvent())
    for (const query of [
      '?jobName=x',
      '?jobNamespace=x',
      '?runId=',
      '?jobName=&jobNamespace=',
      '?dataProductId=x',
      '?runid=x',
      '?p=0',
    ]) {
      await expectProblem(remove(query), 400)
    }
    assert.ok((await list('')).length > 0)
  })

  test(`DELETE ${PATH} › 403 for everyone but organization owners and organization keys`, async () => {
    for (const caller of ['T', 'Ue'] as const) {
      await expectProblem(remove('?runId=x', caller), 403, /Only organization owners/)
    }
  })

  test('retention › deletes the events of every organization after 90 days', async () => {
    const other = await newWorld(world)
    const runId = uniqueId()
    for (const one of [world, other]) {
      await expectOk(one.as('O', 'POST', PATH, { body: runEvent({ runId }) }))
      await expectOk(one.as('O', 'POST', PATH, { body: runEvent() }))
    }
    const { db } = world.services
    await db
      .updateTable('lineage_event')
      .set({ received_at: '2026-01-01T00:00:00Z' })
      .where('run_id', '=', runId)
      .execute()
    assert.equal(await deleteExpiredEvents(db, fixedClock('2026-04-01T00:00:00Z')), 0)
    assert.equal(await deleteExpiredEvents(db, fixedClock('2026-04-01T00:00:01Z')), 2)
    for (const one of [world, other]) {
      assert.notEqual(await readText(one.as('O', 'GET', PATH)), '[]')
      assert.equal(await readText(one.as('O', 'GET', `${PATH}?runId=${runId}`)), '[]')
    }
  })
})
