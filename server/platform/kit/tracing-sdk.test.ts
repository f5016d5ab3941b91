import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pino from 'pino'
import { eventually } from '../../../test/eventually.ts'
import { isWithin, startOtlpReceiver, type OtlpReceiver } from '../../../test/otlp-receiver.ts'
import { openTracer } from './tracing-sdk.ts'
import { getSpan, getTraceFields, inSpan, traceChild, traceRoot, type Tracer } from './tracing.ts'
import type { TracingSettings } from './tracing-settings.ts'

const CLOSE_MS_MAX = 20_000
const SEND_MS_MAX = 20_000
const REMOTE = 'a'.repeat(32)
const PARENT = 'b'.repeat(16)

const lines: Record<string, unknown>[] = []
const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
const receiver: OtlpReceiver = await startOtlpReceiver()
after(async () => await receiver.close())

function open(settings: Partial<TracingSettings> = {}): Tracer {
  lines.length = 0
  receiver.spans.length = 0
  receiver.bodies.length = 0
  receiver.answer(200)
  return openTracer(
    {
      url: `${receiver.url}/v1/traces`,
      sampler: 'parentbased_always_on',
      ratio: 1,
      readsParent: true,
      batches: { scheduledDelayMillis: 1 },
      ...settings,
    },
    '1.2.3',
    log,
  )
}

function warnings(): unknown[] {
  return lines.filter(({ level }) => Number(level) >= 40)
}

test('openTracer › sends spans with their parents, times, attributes and errors', async () => {
  const tracer = open()
  const work = traceRoot(
    tracer,
    'outer',
    { kind: 'server', attributes: { a: 1, b: 'x' } },
    async () => {
      await traceChild('good', async () => undefined)
      await traceChild('bad', async () => {
        throw Object.assign(new Error('a confidential value'), { code: '23505' })
      })
    },
  )
  await assert.rejects(work)
  await tracer.close(CLOSE_MS_MAX)
  const [good, bad, outer] = receiver.spans
  assert.deepEqual(
    receiver.spans.map(({ name }) => name),
    ['good', 'bad', 'outer'],
  )
  assert.equal(outer?.parentSpanId, '')
  assert.equal(outer.kind, 2)
  assert.deepEqual(outer.attributes, { a: '1', b: 'x', 'error.type': '23505' })
  assert.deepEqual([good?.parentSpanId, bad?.parentSpanId], [outer.spanId, outer.spanId])
  assert.deepEqual([good?.statusCode, bad?.statusCode, outer.statusCode], [0, 2, 2])
  assert.ok(good !== undefined && isWithin(good, outer))
  assert.equal(outer.service, 'portbook')
  assert.ok(!receiver.bodies.some((body) => body.includes('a confidential value')))
  assert.deepEqual(warnings(), [])
})

test('openTracer › continues the trace of a client, and starts its own for malformed headers', async () => {
  const tracer = open()
  const traceIds = [
    `00-${REMOTE}-${PARENT}-01`,
    `00-${REMOTE}-${PARENT}`,
    '',
    `ff-${REMOTE}-${PARENT}-01`,
    'x',
  ].map((traceparent) => {
    const span = tracer.start('request', {}, { traceparent, tracestate: 'vendor=1' })
    span.end()
    return span.traceId
  })
  await tracer.close(CLOSE_MS_MAX)
  assert.deepEqual(
    traceIds.map((id) => id === REMOTE),
    [true, false, false, false, false],
  )
  assert.equal(receiver.spans.find(({ traceId }) => traceId === REMOTE)?.parentSpanId, PARENT)
  assert.equal(receiver.spans.length, 5)
})

test('openTracer › ignores the trace of a client if no propagator reads it', async () => {
  const tracer = open({ readsParent: false })
  const span = tracer.start(
    'request',
    {},
    { traceparent: `00-${REMOTE}-${PARENT}-01`, tracestate: null },
  )
  assert.notEqual(span.traceId, REMOTE)
  await tracer.close(CLOSE_MS_MAX)
})

test('openTracer › sends nothing of a trace that its client does not sample, and logs its id', async () => {
  const tracer = open()
  const span = tracer.start(
    'request',
    {},
    { traceparent: `00-${REMOTE}-${PARENT}-00`, tracestate: null },
  )
  await inSpan(span, async () => {
    assert.equal(getTraceFields()['trace_id'], REMOTE)
    assert.equal(getSpan(), undefined)
    await traceChild('child', async () => undefined)
  })
  await tracer.close(CLOSE_MS_MAX)
  assert.deepEqual(receiver.spans, [])
})

test('openTracer › takes the share of the traces that the sampler allows', async () => {
  for (const [sampler, ratio, expected] of [
    ['always_off', 1, 0],
    ['traceidratio', 0, 0],
    ['parentbased_traceidratio', 1, 20],
  ] as const) {
    const tracer = open({ sampler, ratio })
    for (let i = 0; i < 20; i += 1) tracer.start('request').end()
    await tracer.close(CLOSE_MS_MAX)
    assert.equal(receiver.spans.length, expected, sampler)
  }
})

test('openTracer › records no work after the end of its span', async () => {
  const tracer = open()
  const span = tracer.start('request')
  await inSpan(span, async () => {
    span.end()
    await traceChild('late', async () => undefined)
  })
  await tracer.close(CLOSE_MS_MAX)
  assert.deepEqual(
    receiver.spans.map(({ name }) => name),
    ['request'],
  )
})

test('openTracer › logs an outage of the collector once, and its end', async () => {
  const tracer = open()
  receiver.answer(400)
  const sendOne = async (): Promise<void> => {
    const count = receiver.bodies.length
    tracer.start('request').end()
    await eventually(SEND_MS_MAX, async () => receiver.bodies.length > count, 'a batch arrived')
  }
  for (let i = 0; i < 3; i += 1) await sendOne()
  receiver.answer(200)
  await sendOne()
  await tracer.close(CLOSE_MS_MAX)
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    [
      'traces are sent',
      'spans cannot be sent to the collector; they are dropped until it accepts them',
      'the collector accepts spans again',
    ],
  )
  assert.equal(lines.at(-1)?.['lostCount'], 3)
})

test('openTracer › keeps at most its queue while the collector hangs, delays no work, and ends', async () => {
  const queueMax = 50
  const tracer = open({
    batches: { scheduledDelayMillis: 1, maxQueueSize: queueMax, maxExportBatchSize: queueMax },
  })
  receiver.answer('never')
  tracer.start('first').end()
  await eventually(SEND_MS_MAX, async () => receiver.bodies.length === 1, 'the collector hangs')
  // What does not fit is dropped at once.
  for (let i = 0; i < 1000; i += 1) tracer.start('request').end()
  await tracer.close(10)
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['traces are sent', 'the last spans were not sent: the collector did not answer in time'],
  )
  const sent = receiver.bodies.reduce(
    (sum, body) => sum + body.toString('latin1').split('request').length - 1,
    0,
  )
  assert.ok(sent <= queueMax, `${sent} spans`)
})
