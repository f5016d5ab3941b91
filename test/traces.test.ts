/** Traces of the work of requests, runs, deliveries and followers, without anything that people send or store. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { SourceFailure } from '../server/connectors/connector.ts'
import { startFollowers } from '../server/ledger/events/follow-service.ts'
import { openTracer } from '../server/platform/kit/tracing-sdk.ts'
import { getTraceFields, type Tracer } from '../server/platform/kit/tracing.ts'
import { newCanary } from './canaries.ts'
import { enqueue, prepareDeliveryTests } from './deliveries.ts'
import { eventually } from './eventually.ts'
import { newIngestionWorld } from './ingestion.ts'
import {
  isBefore,
  isWithin,
  startOtlpReceiver,
  type OtlpReceiver,
  type ReceivedSpan,
} from './otlp-receiver.ts'
import { untilSettled } from './feed.ts'
import { onStore } from './stores.ts'
import { newProduct, newWorld, odps, uniqueId, type World } from './world.ts'

const SEND_MS_MAX = 20_000
const REMOTE = 'c'.repeat(32)
const PARENT = 'd'.repeat(16)
const silent = pino({ level: 'silent' })

function named(spans: readonly ReceivedSpan[], name: string | RegExp): ReceivedSpan {
  const isNamed = (span: ReceivedSpan): boolean =>
    typeof name === 'string' ? span.name === name : name.test(span.name)
  return spans.find(isNamed) ?? assert.fail(`no ${name} in ${spans.map((one) => one.name).join()}`)
}

onStore((store) => {
  const deliveries = prepareDeliveryTests(store)
  const lines: Record<string, unknown>[] = []
  let receiver: OtlpReceiver
  let tracer: Tracer
  let world: World

  before(async () => {
    receiver = await startOtlpReceiver()
    tracer = openTracer(
      {
        url: `${receiver.url}/v1/traces`,
        sampler: 'parentbased_always_on',
        ratio: 1,
        readsParent: true,
        batches: { scheduledDelayMillis: 1, maxQueueSize: 100_000 },
      },
      '1.2.3',
      silent,
    )
    const log = pino({ mixin: getTraceFields }, { write: (line) => lines.push(JSON.parse(line)) })
    world = await newWorld(newProduct(store(), { tracer, slotsCount: 1, log }))
  })

  after(async () => {
    await tracer.close(SEND_MS_MAX)
    await receiver.close()
  })

  /** Waits for a span without a parent in this process, which ends last, and returns its trace. */
  async function receive(isRoot: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan[]> {
    const find = (): ReceivedSpan | undefined => receiver.spans.findLast(isRoot)
    await eventually(SEND_MS_MAX, async () => find() !== undefined, 'the trace has arrived')
    const root = find()
    return receiver.spans.filter(({ traceId }) => traceId === root?.traceId)
  }

  test('a request is a span of its route, in the trace of its client, and its line in the log names it', async () => {
    const id = uniqueId()
    const headers = { traceparent: `00-${REMOTE}-${PARENT}-01`, 'x-request-id': 'chosen-by-client' }
    const response = await world.as('O', 'PUT', `/api/dataproducts/${id}`, {
      body: odps(id),
      headers,
    })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('x-request-id'), 'chosen-by-client')
    const spans = await receive(({ parentSpanId }) => parentSpanId === PARENT)
    const request = named(spans, 'PUT /api/dataproducts/{id}')
    assert.equal(request.kind, 2)
    assert.deepEqual(request.attributes, {
      'http.request.method': 'PUT',
      'http.route': '/api/dataproducts/{id}',
      'http.response.status_code': '200',
      'portbook.lane': 'point',
    })
    const write = named(spans, /^insert data_product/)
    assert.equal(write.kind, 3)
    assert.equal(write.parentSpanId, request.spanId)
    assert.equal(write.attributes['db.system.name'], 'postgresql')
    assert.equal(write.attributes['db.operation.name'], 'insert')
    assert.ok(isWithin(write, request))
    const line = lines.find(({ requestId }) => requestId === 'chosen-by-client')
    assert.equal(line?.['trace_id'], REMOTE)
    assert.equal(line['span_id'], request.spanId)
  })

  test('a request that waits for its turn has a span of the wait, before its statements', async () => {
    const turn = {
      lane: 'point',
      flow: ['other', 'other'],
      route: 'other',
      isWrite: true,
      isShort: false,
    } as const
    const gate = Promise.withResolvers<void>()
    const holding = world.services.lanes.run(turn, () => gate.promise)
    const id = uniqueId()
    const headers = { traceparent: `00-${'e'.repeat(32)}-${PARENT}-01` }
    const asked = world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id), headers })
    const isWaiting = async (): Promise<boolean> => {
      const token = { authorization: 'Bearer metrics-token-of-the-tests' }
      const text = await (await world.call('GET', '/metrics', { headers: token })).text()
      return text.includes('portbook_lane_waiting{lane="point"} 1')
    }
    await eventually(SEND_MS_MAX, isWaiting, 'the request waits')
    gate.resolve()
    await holding
    assert.equal((await asked).status, 200)
    const spans = await receive(
      ({ traceId, parentSpanId }) => traceId === 'e'.repeat(32) && parentSpanId === PARENT,
    )
    const [request, wait] = [
      named(spans, 'PUT /api/dataproducts/{id}'),
      named(spans, 'wait for a turn'),
    ]
    assert.equal(wait.parentSpanId, request.spanId)
    assert.deepEqual(wait.attributes, { 'portbook.lane': 'point' })
    assert.ok(isBefore(wait, named(spans, /^insert data_product/)))
  })

  test('a request that fails here is a failed span, and one that its client got wrong is not', async () => {
    await world.call('GET', '/api/teams/a')
    const refused = await receive(({ name }) => name === 'GET /api/teams/{id}')
    assert.equal(named(refused, 'GET /api/teams/{id}').statusCode, 0)
    const broken = newProduct(store(), { tracer })
    broken.services.serialize = () => Promise.reject(new Error('unexpected'))
    const id = uniqueId()
    const asked = { key: world.keys.O, body: odps(id) }
    assert.equal((await broken.call('PUT', `/api/dataproducts/${id}`, asked)).status, 500)
    const failed = named(
      await receive(({ kind, statusCode }) => kind === 2 && statusCode === 2),
      'PUT /api/dataproducts/{id}',
    )
    assert.equal(failed.attributes['error.type'], '500')
  })

  test('probes and scrapes have no spans, and ids of addresses without a route are not repeated', async () => {
    await world.call('GET', '/healthz')
    await world.call('GET', '/readyz')
    await world.call('GET', '/nowhere/of-this-name')
    await receive(({ name }) => name === 'GET unmatched')
    const names = receiver.spans.map(({ name }) => name)
    assert.ok(!names.some((name) => /healthz|readyz|metrics|nowhere/.test(name)), names.join())
  })

  test('a run is a trace of its phases and statements, with its end', async () => {
    const own = await newIngestionWorld(store())
    own.engine.tracer = tracer
    own.source.put(['shop', 'sales', 'orders'])
    assert.equal((await own.run()).status, 'SUCCESS')
    const spans = await receive(({ name }) => name === 'run ingest')
    const run = named(spans, 'run ingest')
    assert.deepEqual(run.attributes, {
      'portbook.run.kind': 'ingest',
      'portbook.run.attempt': '1',
      'portbook.run.source': 'scripted',
      'portbook.run.outcome': 'success',
    })
    for (const phase of ['read source', 'publish']) {
      const { spanId, parentSpanId } = named(spans, phase)
      assert.equal(parentSpanId, run.spanId)
      assert.ok(
        spans.some((one) => one.parentSpanId === spanId && one.kind === 3),
        phase,
      )
    }
  })

  test('a delivery is a trace with its channel and result', async () => {
    const { target } = deliveries.add(async () => ({
      result: 'failed',
      error: 'x',
      status: 503,
      isFinal: true,
    }))
    await enqueue(store().db, target, ['s'])
    await deliveries.start({}, { tracer })
    await deliveries.untilEnded(target, 1)
    const spans = await receive(({ name }) => name === 'deliver test')
    assert.deepEqual(named(spans, 'deliver test').attributes, {
      'portbook.delivery.channel': 'test',
      'portbook.delivery.attempt': '1',
      'portbook.delivery.result': 'failed',
      'http.response.status_code': '503',
      'error.type': '503',
    })
  })

  test('a follower has a trace for each batch of events', async () => {
    const name = `traced-${uniqueId()}`
    const followers = startFollowers(
      { db: store().db, log: silent, isPaused: () => false, tracer },
      [{ name, handle: async () => undefined }],
    )
    const id = uniqueId()
    await untilSettled(store().db)
    await followers.follow()
    await world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) })
    await untilSettled(store().db)
    await followers.follow()
    await followers.stop()
    const spans = await receive((span) => span.name === `follow ${name}`)
    const batch = named(spans, `follow ${name}`)
    assert.ok(Number(batch.attributes['portbook.events']) > 0)
    assert.ok(spans.some(({ parentSpanId }) => parentSpanId === batch.spanId))
  })

  test('nothing that people send or store is in a trace: no ids, documents, queries, headers, keys, errors', async () => {
    const { secret, isIn } = newCanary({ isPlain: true })
    const id = encodeURIComponent(secret)
    const as = {
      headers: { 'user-agent': secret, 'x-request-id': secret.slice(-20), referer: secret },
    }
    const body = odps(secret, { name: secret, description: { purpose: secret } })
    await world.as('O', 'PUT', `/api/dataproducts/${id}`, { body, ...as })
    await world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: { ...body, name: 1 }, ...as })
    await world.as('O', 'GET', `/api/dataproducts/${id}`, as)
    await world.as('O', 'GET', `/api/search?query=${id}`, as)
    await world.as('O', 'GET', `/api/${id}`, as)
    await world.call(secret.replaceAll(/\W/g, '').toUpperCase(), `/api/teams/${id}`, as)
    await world.call('GET', '/api/teams', { key: secret, ...as })
    await world.asPerson('Uo', 'PUT', `/api/teams/${id}`, {
      body: { id: secret, name: secret },
      ...as,
    })
    const own = await newIngestionWorld(store())
    own.engine.tracer = tracer
    own.source.put([secret, secret, secret], { description: secret })
    await own.run()
    own.source.fail('read', new SourceFailure('auth', secret))
    await own.run()
    const { target } = deliveries.add(async () => {
      throw Object.assign(new Error(secret), { name: secret, code: secret })
    })
    await enqueue(store().db, target, [secret])
    await deliveries.start({}, { tracer })
    await eventually(
      SEND_MS_MAX,
      async () => (await deliveries.ledger(target))[0]?.attempts !== 0,
      'it was tried',
    )
    const last = tracer.start(`last ${randomUUID()}`)
    last.end()
    await receive(({ spanId }) => spanId === last.spanId)
    assert.ok(receiver.spans.some(({ name }) => name === 'PUT /api/dataproducts/{id}'))
    const leaks = receiver.bodies.filter((bytes) => isIn(bytes.toString('latin1')))
    assert.deepEqual(leaks.map(String), [])
  })
})
