import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { openTracer } from '../server/platform/kit/tracing-sdk.ts'
import type { TracingSettings } from '../server/platform/kit/tracing-settings.ts'

const SPANS_COUNT = 20_000
/** The first rounds compile the code. */
const WARM_UP_ROUNDS = 3
/** The queue that the SDK has by default, so that nothing is dropped. */
const QUEUE_MAX = 2048
const BATCH_MAX = 512
const CLOSE_MS_MAX = 60_000
const ATTRIBUTES = {
  'db.system.name': 'postgresql',
  'db.operation.name': 'select',
  'db.query.summary': 'select data_product, team',
}

/** Returns the processor time in microseconds for a span that is created, serialized and sent, for each round. */
export async function measureSpans(roundsCount: number): Promise<number[]> {
  const sink = fork(fileURLToPath(new URL('span-sink.ts', import.meta.url)))
  const [url] = (await once(sink, 'message')) as [string]
  const rounds: number[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + roundsCount; round += 1) {
    const microseconds = await measureRound(url)
    if (round >= WARM_UP_ROUNDS) rounds.push(microseconds)
  }
  sink.kill()
  return rounds
}

async function measureRound(url: string): Promise<number> {
  const settings: TracingSettings = {
    url,
    sampler: 'parentbased_always_on',
    ratio: 1,
    readsParent: true,
    batches: { maxQueueSize: QUEUE_MAX, maxExportBatchSize: BATCH_MAX, scheduledDelayMillis: 1 },
  }
  const tracer = openTracer(settings, '1.0.0', pino({ level: 'silent' }))
  const before = process.cpuUsage()
  for (let count = 0; count < SPANS_COUNT; count += BATCH_MAX) {
    const request = tracer.start('GET /api/dataproducts/{id}', { kind: 'server' })
    for (let child = 1; child < BATCH_MAX; child += 1) {
      request.startChild('select', { kind: 'client', attributes: ATTRIBUTES }).end()
    }
    request.end()
    // A batch is sent when the event loop turns.
    await new Promise((next) => setTimeout(next, 1))
  }
  await tracer.close(CLOSE_MS_MAX)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / SPANS_COUNT
}
