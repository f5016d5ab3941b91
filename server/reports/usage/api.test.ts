import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import {
  addSpans,
  DAY_NANOS,
  listSpanIds,
  listSpans,
  newSpan,
  nowNanos,
} from '../../../test/usage.ts'
import { postTraces, putUsedProduct, readUsage } from '../../../test/usage.ts'
import { toTraces, type OtlpTraces } from '../../../test/usage.ts'
import { expectOk, newProduct, newWorld, uniqueId } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'

const TRACES = '/api/v1/traces'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const post = (body: unknown) => postTraces(world, body)
  const getUsage = (id: string) => readUsage(world, id)
  const newUsedProduct = () => putUsedProduct(world)

  test(`GET ${TRACES} › 200 with the spans that match every filter, as they were sent`, async () => {
    const [product, scope, contract] = [uniqueId(), uniqueId(), uniqueId()]
    const spans = [newSpan({ user: 'ada' }), newSpan({ user: 'jo' })].toSorted((a, b) =>
      a.spanId < b.spanId ? -1 : 1,
    )
    const sent = toTraces(product, spans, { scope, contract })
    await post(sent)
    await post(toTraces(product, [newSpan({})], { scope: uniqueId(), contract: uniqueId() }))
    const filters = [`scopeName=${scope}`, `dataContractId=${contract}`]
    for (const filter of [...filters, `dataProductId=${product}&${filters.join('&')}`]) {
      assert.deepEqual(await readJson(world.as('Ur', 'GET', `${TRACES}?${filter}`)), sent)
    }
    const none = await readJson(world.as('Ur', 'GET', `${TRACES}?scopeName=${uniqueId()}`))
    assert.deepEqual(none, { resourceSpans: [] })
  })

  test(`GET ${TRACES} › 200 with pages that follow each other`, async () => {
    const product = uniqueId()
    const spans = Array.from({ length: 5 }, () => newSpan({}))
    await post(toTraces(product, spans))
    const ids: string[] = []
    let path: string | undefined = `${TRACES}?dataProductId=${product}&limit=2`
    let pages = 0
    while (path !== undefined) {
      const answer: Response = await expectOk(world.as('Ur', 'GET', path))
      path = /^<(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
      ids.push(...listSpans((await answer.json()) as OtlpTraces).map(({ spanId }) => spanId))
      pages += 1
    }
    assert.equal(pages, 3)
    assert.deepEqual(ids, spans.map(({ spanId }) => spanId).toSorted())
  })

  test(`GET ${TRACES} › 200 with a page of more than 4 MiB as one document`, async () => {
    const product = uniqueId()
    const long = 'x'.repeat(60_000)
    for (const _ of [1, 2]) {
      const spans = Array.from({ length: 60 }, () => ({ ...newSpan({}), name: long }))
      await post(toTraces(product, spans))
    }
    const answer = await expectOk(world.as('Ur', 'GET', `${TRACES}?dataProductId=${product}`))
    assert.equal(answer.headers.get('link'), null)
    assert.equal(listSpans((await answer.json()) as OtlpTraces).length, 120)
  })

  for (const query of [
    'limit=0',
    'limit=x',
    'p=1&after=x',
    'dataproductid=x',
    'spanId=x',
    'scopeName=a&scopeName=b',
  ]) {
    test(`GET ${TRACES}?${query} › 400`, async () => {
      await expectProblem(world.as('Ur', 'GET', `${TRACES}?${query}`), 400)
    })
  }

  test(`DELETE ${TRACES} › 200 with the number of spans, which are no longer counted`, async () => {
    const product = await newUsedProduct()
    const spans = [newSpan({ user: 'ada', rows: 1 }), newSpan({ user: 'jo', rows: 2 })]
    await post(toTraces(product, spans))
    const path = `${TRACES}?dataProductId=${product}&spanId=${spans[0]?.spanId.toUpperCase()}`
    for (const deletedCount of [1, 0]) {
      assert.deepEqual(await readJson(world.as('T', 'DELETE', path)), { deletedCount })
    }
    const { consumers } = await getUsage(product)
    assert.deepEqual(
      consumers.map(({ user, rows }) => [user, rows]),
      [['jo', 2]],
    )
    const scope = `${TRACES}?dataProductId=${product}&scopeName=tests`
    assert.deepEqual(await readJson(world.as('T', 'DELETE', scope)), { deletedCount: 1 })
    assert.deepEqual((await getUsage(product)).months, [])
  })

  test(`DELETE ${TRACES} › 400 for an unknown filter, which would delete more`, async () => {
    for (const name of ['dataproductId', 'p', 'pageSize']) {
      await expectProblem(world.as('O', 'DELETE', `${TRACES}?${name}=1`), 400, new RegExp(name))
    }
  })

  test(`DELETE ${TRACES} › deletes all spans of the organization without a filter`, async () => {
    const [own, other] = [await newWorld(world), world]
    const product = uniqueId()
    await addSpans(own, product, [newSpan({}), newSpan({})])
    await addSpans(other, product, [newSpan({})])
    assert.deepEqual(await readJson(own.as('O', 'DELETE', TRACES)), { deletedCount: 2 })
    assert.equal((await listSpanIds(other, product)).length, 1)
  })

  test('GET /api/dataproducts/{id}/usage › 200 with months, consumers and output ports', async () => {
    const product = await newUsedProduct()
    const earlier = nowNanos(-32n * DAY_NANOS)
    await post(
      toTraces(product, [
        newSpan({ user: 'ada', role: 'analyst', rows: 1 }),
        newSpan({ user: 'ada', role: 'admin', rows: 2 }),
        newSpan({ role: 'etl', rows: 4 }),
        newSpan({ user: 'ada', role: 'analyst', rows: 8, start: earlier }),
      ]),
    )
    await post(toTraces(product, [newSpan({ rows: 16 })], { port: 'other' }))
    const usage = await getUsage(product)
    const [month, before] = [toMonth(nowNanos()), toMonth(earlier)]
    assert.equal(usage.until, month)
    assert.deepEqual(usage.months, [
      { yearMonth: before, queries: 1, rows: 8, readers: 1 },
      // One of them has neither a user nor a role.
      { yearMonth: month, queries: 4, rows: 23, readers: 2 },
    ])
    assert.equal(usage.consumerCount, 4)
    const [first] = usage.consumers
    assert.deepEqual(first, {
      user: 'ada',
      role: 'analyst',
      accessId: null,
      consumer: null,
      queries: 2,
      rows: 9,
      lastUsedOn: new Date().toISOString().slice(0, 10),
      months: [
        { yearMonth: before, queries: 1, rows: 8 },
        { yearMonth: month, queries: 1, rows: 1 },
      ],
    })
    assert.deepEqual(usage.outputPorts, [
      { name: 'orders', queries: 4, rows: 15, readers: 2 },
      { name: 'other', queries: 1, rows: 16, readers: 0 },
    ])
  })

  test('GET /api/dataproducts/{id}/usage › 200 without usage', async () => {
    const { months, consumers, consumerCount, outputPorts } = await getUsage(await newUsedProduct())
    assert.deepEqual(
      { months, consumers, consumerCount, outputPorts },
      {
        months: [],
        consumers: [],
        consumerCount: 0,
        outputPorts: [],
      },
    )
  })

  test('GET /api/dataproducts/{id}/usage › 404 for a data product that does not exist', async () => {
    const product = uniqueId()
    await addSpans(world, product, [newSpan({})])
    await expectProblem(world.as('O', 'GET', `/api/dataproducts/${product}/usage`), 404)
  })
})

function toMonth(nanos: string): string {
  return new Date(Number(BigInt(nanos) / 1_000_000n)).toISOString().slice(0, 7)
}
