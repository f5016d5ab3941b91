import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { before, test } from 'node:test'
import { expectProblem, expectViolations, readJson } from '../../../test/answers.ts'
import { untilBlocked } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import { DAY_NANOS, listSpanIds, newSpan, nowNanos } from '../../../test/usage.ts'
import { postTraces, putUsedProduct, readUsage } from '../../../test/usage.ts'
import { toTraces, type OtlpSpan } from '../../../test/usage.ts'
import { expectOk, newProduct, newWorld, odps, putOne, uniqueId } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import { readTraces } from './otlp.ts'
import { TRACE_LIMITS } from './span.ts'
import { upsertSpans } from './upsert-store.ts'

const TRACES = '/api/v1/traces'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const post = (body: unknown) => postTraces(world, body)
  const getUsage = (id: string) => readUsage(world, id)
  const newUsedProduct = () => putUsedProduct(world)

  test(`POST ${TRACES} › 200 with an empty object if every span was stored`, async () => {
    const product = uniqueId()
    const span = newSpan({ user: 'ada' })
    assert.deepEqual(await post(toTraces(product, [span])), {})
    assert.deepEqual(await listSpanIds(world, product), [span.spanId])
  })

  test(`POST ${TRACES} › 200 for a request without spans`, async () => {
    for (const body of [{}, { resourceSpans: [] }, { resourceSpans: [{ scopeSpans: [] }] }]) {
      assert.deepEqual(await post(body), {})
    }
  })

  test(`POST ${TRACES} › accepts kind and 64-bit integers as names, numbers and texts`, async () => {
    const product = await newUsedProduct()
    const nanos = nowNanos()
    const body = (integer: (text: string) => string): string =>
      JSON.stringify(
        toTraces(product, [
          {
            ...newSpan({ rows: 5 }),
            kind: 2,
            startTimeUnixNano: 'START',
            endTimeUnixNano: 'START',
          },
          { ...newSpan({ rows: 5 }), kind: 'SPAN_KIND_SERVER', startTimeUnixNano: 'START' },
        ]),
      )
        .replaceAll('"START"', integer(nanos))
        .replaceAll('"intValue":"5"', `"intValue":${integer('5')}`)
    for (const integer of [(text: string) => text, (text: string) => `"${text}"`]) {
      const answer = world.as('T', 'POST', TRACES, { body: body(integer) })
      assert.deepEqual(await readJson(answer), {})
    }
    const { months } = await getUsage(product)
    assert.deepEqual(
      months.map(({ queries, rows }) => [queries, rows]),
      [[4, 20]],
    )
    const path = `${TRACES}?dataProductId=${product}`
    const text = await (await world.as('T', 'GET', path)).text()
    // A double would have lost the last digits.
    assert.equal(text.split(`"startTimeUnixNano":"${nanos}"`).length - 1, 4)
  })

  test(`POST ${TRACES} › reads attributes of every type`, async () => {
    const product = await newUsedProduct()
    const span = newSpan({})
    const attributes = [
      { key: 'user', value: { stringValue: 'ada' } },
      {
        key: 'role',
        value: { arrayValue: { values: [{ stringValue: 'a' }, { stringValue: 'b' }] } },
      },
      { key: 'rows', value: { doubleValue: 7 } },
      { key: 'cached', value: { boolValue: true } },
      { key: 'plan', value: { kvlistValue: { values: [{ key: 'x', value: { intValue: 1 } }] } } },
      { key: 'access.id', value: { intValue: 12 } },
    ]
    assert.deepEqual(await post(toTraces(product, [{ ...span, attributes }])), {})
    const { consumers } = await getUsage(product)
    assert.deepEqual(
      consumers.map(({ user, role, accessId, rows }) => ({ user, role, accessId, rows })),
      [{ user: 'ada', role: 'a, b', accessId: '12', rows: 7 }],
    )
  })

  test(`POST ${TRACES} › stores a span once, in its last form`, async () => {
    const product = await newUsedProduct()
    const span = newSpan({ user: 'ada', rows: 1 })
    const changed = { ...newSpan({ user: 'jo', rows: 3 }), spanId: span.spanId.toUpperCase() }
    await post(toTraces(product, [span, span]))
    await post(toTraces(product, [span, changed]))
    await post(toTraces(product, [changed]))
    const { months, consumers } = await getUsage(product)
    assert.deepEqual(
      months.map(({ queries, rows, readers }) => [queries, rows, readers]),
      [[1, 3, 1]],
    )
    assert.deepEqual(
      consumers.map(({ user, queries }) => [user, queries]),
      [['jo', 1]],
    )
  })

  test(`POST ${TRACES} › moves the counts of a span to another data product, port and day`, async () => {
    const [from, to] = [await newUsedProduct(), await newUsedProduct()]
    const span = newSpan({ user: 'ada', rows: 2 })
    await post(toTraces(from, [span]))
    const moved = newSpan({ user: 'ada', rows: 4, start: nowNanos(-DAY_NANOS) })
    await post(toTraces(to, [{ ...moved, spanId: span.spanId }], { port: 'other' }))
    assert.deepEqual((await getUsage(from)).months, [])
    const { outputPorts } = await getUsage(to)
    assert.deepEqual(outputPorts, [{ name: 'other', queries: 1, rows: 4, readers: 1 }])
  })

  test(`POST ${TRACES} › counts a span once that is sent by many requests at the same time`, async () => {
    const product = await newUsedProduct()
    // Their services take turns only within a process.
    const others = [1, 2, 3, 4].map(() => newProduct(store()).call)
    const spans = Array.from({ length: 40 }, (_, at) => newSpan({ user: `u${at % 4}`, rows: 1 }))
    const answers = others.flatMap((call, at) =>
      [0, 1, 2].map((round) => {
        const sent = spans.map((span) => ({ ...span, name: `${at} ${round}` })).toReversed()
        return call('POST', TRACES, { key: world.keys.O, body: toTraces(product, sent) })
      }),
    )
    for (const answer of await Promise.all(answers)) assert.equal(answer.status, 200)
    const { months } = await getUsage(product)
    assert.deepEqual(
      months.map(({ queries, rows, readers }) => [queries, rows, readers]),
      [[40, 40, 4]],
    )
  })

  test(`POST ${TRACES} › 200 for a body that is compressed with gzip`, async () => {
    const product = uniqueId()
    const span = newSpan({})
    const body = gzipSync(JSON.stringify(toTraces(product, [span])))
    const headers = { 'content-encoding': 'gzip' }
    await expectOk(world.as('T', 'POST', TRACES, { body, headers }))
    assert.deepEqual(await listSpanIds(world, product), [span.spanId])
  })

  test(`POST ${TRACES} › 200 for thousands of spans`, async () => {
    const product = await newUsedProduct()
    const spans = Array.from({ length: 5000 }, (_, at) => newSpan({ user: `u${at % 7}`, rows: 1 }))
    assert.deepEqual(await post(toTraces(product, spans)), {})
    const { months } = await getUsage(product)
    assert.equal(
      months.reduce((sum, { queries }) => sum + queries, 0),
      5000,
    )
  })

  test(`POST ${TRACES} › 200 for several large requests at the same time`, async () => {
    const product = await newUsedProduct()
    const requests = Array.from({ length: 4 }, () => {
      const spans = Array.from({ length: 1000 }, () => newSpan({ user: 'ada' }))
      return post(toTraces(product, spans))
    })
    assert.deepEqual(await Promise.all(requests), [{}, {}, {}, {}])
    assert.equal((await getUsage(product)).consumers[0]?.queries, 4000)
  })

  const badSpans: [string, Partial<OtlpSpan>, RegExp][] = [
    ['without an id', { spanId: '' }, /spanId is missing/],
    ['with a long id', { spanId: 'x'.repeat(257) }, /spanId has more than 256 characters/],
    ['without a start', { startTimeUnixNano: '' }, /startTimeUnixNano is missing/],
    ['with a start that is not a number', { startTimeUnixNano: '2026-01-01' }, /startTimeUnixNano/],
    ['that started too long ago', { startTimeUnixNano: '1500000000000000000' }, /months ago/],
    ['that starts in the future', { startTimeUnixNano: nowNanos(2n * DAY_NANOS) }, /future/],
    [
      'with negative rows',
      { attributes: [{ key: 'rows', value: { intValue: '-1' } }] },
      /rows is not a whole number/,
    ],
    [
      'with a control character in a name',
      { attributes: [{ key: 'user', value: { stringValue: 'a\u001Fb' } }] },
      /control character/,
    ],
    [
      'with too many attributes',
      {
        attributes: Array.from({ length: TRACE_LIMITS.attributesMax + 1 }, (_, at) => ({
          key: `k${at}`,
          value: { intValue: at },
        })),
      },
      /at most 128/,
    ],
    ['that is too long', { name: 'x'.repeat(TRACE_LIMITS.spanCharactersMax) }, /more than 65536/],
  ]
  for (const [name, change, message] of badSpans) {
    test(`POST ${TRACES} › rejects a span ${name}, and stores the others`, async () => {
      const product = uniqueId()
      const good = newSpan({})
      const bad = { ...newSpan({}), ...change }
      const { partialSuccess } = await post(toTraces(product, [bad, good]))
      assert.equal(partialSuccess?.rejectedSpans, '1')
      assert.match(partialSuccess.errorMessage, message)
      assert.deepEqual(await listSpanIds(world, product), [good.spanId])
    })
  }

  test(`POST ${TRACES} › rejects spans without a data product, and reports the first places`, async () => {
    const spans = Array.from({ length: 20 }, () => newSpan({}))
    const { partialSuccess } = await post(toTraces(undefined, spans))
    assert.equal(partialSuccess?.rejectedSpans, '20')
    assert.match(
      partialSuccess.errorMessage,
      /^resourceSpans\[0\]\.scopeSpans\[0\]\.spans\[0\]: the resource attribute dataproduct\.id is missing; /,
    )
    assert.ok(partialSuccess.errorMessage.length < 500)
  })

  test(`POST ${TRACES} › 422 for a body without traces`, async () => {
    const bodies: [unknown, string][] = [
      [{ resourceSpans: {} }, 'resourceSpans'],
      [{ resourceSpans: [1] }, 'resourceSpans[0]'],
      [{ resourceSpans: [{ scopeSpans: 'x' }] }, 'resourceSpans[0].scopeSpans'],
      [
        { resourceSpans: [{ scopeSpans: [{ spans: [[]] }] }] },
        'resourceSpans[0].scopeSpans[0].spans[0]',
      ],
    ]
    for (const [body, field] of bodies) {
      await expectViolations(world.as('T', 'POST', TRACES, { body }), 422, [field])
    }
  })

  test(`POST ${TRACES} › 422 for too many spans or too deep nesting`, async () => {
    const spans = Array.from({ length: TRACE_LIMITS.spansMax + 1 }, () => ({}))
    const many = { resourceSpans: [{ scopeSpans: [{ spans }] }] }
    await expectProblem(world.as('T', 'POST', TRACES, { body: many }), 422, /10000 spans at most/)
    const deep = `{"resourceSpans":${'['.repeat(100)}${']'.repeat(100)}}`
    await expectProblem(world.as('T', 'POST', TRACES, { body: deep }), 422, /64/)
  })

  test(`POST ${TRACES} › 400 for a body that is not JSON`, async () => {
    await expectProblem(world.as('T', 'POST', TRACES, { body: '{"resourceSpans":[' }), 400)
  })

  test(`POST ${TRACES} › 413 for more than 16 MiB, also inflated`, async () => {
    const text = `{"x":"${'x'.repeat(TRACE_LIMITS.bodyBytesMax)}"}`
    await expectProblem(world.as('T', 'POST', TRACES, { body: text }), 413)
    const headers = { 'content-encoding': 'gzip' }
    await expectProblem(world.as('T', 'POST', TRACES, { body: gzipSync(text), headers }), 413)
  })

  test(`POST ${TRACES} › 415 for protocol buffers`, async () => {
    const headers = { 'content-type': 'application/x-protobuf' }
    await expectProblem(world.as('T', 'POST', TRACES, { body: 'x', headers }), 415)
  })

  test(`POST ${TRACES} › 403 for the id of a span of another team, which stays`, async () => {
    const [own, other] = [uniqueId(), uniqueId()]
    await putOne(world, 'dataproducts', odps(other, { team: { name: 'b' } }))
    const span = newSpan({ user: 'ada' })
    const sent = world.as('O', 'POST', TRACES, { body: toTraces(other, [span]) })
    assert.deepEqual(await readJson(sent), {})
    const body = toTraces(own, [newSpan({}), span])
    await expectProblem(world.as('T', 'POST', TRACES, { body }), 403, /DATAPRODUCT_EDIT on team b/)
    assert.deepEqual(await listSpanIds(world, own), [])
    assert.deepEqual(await listSpanIds(world, other), [span.spanId])
  })

  test(`POST ${TRACES} › 403 for a span that another process stores for another team at the same time`, async () => {
    const [own, other] = [uniqueId(), uniqueId()]
    await putOne(world, 'dataproducts', odps(other, { team: { name: 'b' } }))
    const span = newSpan({ user: 'ada' })
    const { columns } = readTraces(JSON.stringify(toTraces(other, [span])))
    const { db, clock } = world.services
    const sent = await db.transaction().execute(async (transaction) => {
      await upsertSpans(transaction, clock, world.organizationId, columns)
      const body = toTraces(own, [newSpan({}), span])
      const answer = world.as('T', 'POST', TRACES, { body })
      await untilBlocked(db)
      return { answer }
    })
    await expectProblem(sent.answer, 403, /DATAPRODUCT_EDIT on team b/)
    assert.deepEqual(await listSpanIds(world, own), [])
    assert.deepEqual(await listSpanIds(world, other), [span.spanId])
    const { consumers } = await getUsage(other)
    assert.deepEqual(
      consumers.map(({ user, queries }) => [user, queries]),
      [['ada', 1]],
    )
  })

  test(`POST ${TRACES} › 403 for a data product of another team, and stores nothing`, async () => {
    const [own, other] = [uniqueId(), uniqueId()]
    await putOne(world, 'dataproducts', odps(other, { team: { name: 'b' } }))
    const { resourceSpans } = toTraces(own, [newSpan({})])
    const body = {
      resourceSpans: [...resourceSpans, ...toTraces(other, [newSpan({})]).resourceSpans],
    }
    await expectProblem(world.as('T', 'POST', TRACES, { body }), 403, /DATAPRODUCT_EDIT on team b/)
    assert.deepEqual(await listSpanIds(world, own), [])
  })
})
