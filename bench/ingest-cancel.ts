import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure, Row } from './figure.ts'
import { getRunSeconds, startIngesting, type IngestingProduct } from './ingest-product.ts'
import { startPostgresSource, type BenchSource } from './ingest-source.ts'
import { toTail } from './rounds.ts'
import type { ServerKind, Stage } from './stage.ts'

const RUNS_COUNT = 100
const GOAL_MS = 2000
const EXTENT = { tablesCount: 10_000, schemasCount: 20, viewsCount: 100 }

/** The time that a run continues after it was cancelled, at random times. */
export const cancel: Figure = {
  name: 'cancel',
  title: `From the cancellation of a run of 10,000 tables to its end: p99 of ${RUNS_COUNT} (p50, longest)`,
  async *measure(stage) {
    await stage.clear()
    const source = await startPostgresSource(EXTENT)
    try {
      for (const kind of stage.serverKinds) yield await measureOn(stage, kind, source)
    } finally {
      await source.stop()
    }
  },
}

async function measureOn(stage: Stage, kind: ServerKind, source: BenchSource): Promise<Row> {
  const whole = await startIngesting(stage, kind, source)
  const wholeMs = getRunSeconds(await whole.untilEnd(await whole.trigger())) * 1000
  await whole.remove()
  let product = await startIngesting(stage, kind, source)
  let reachMs = wholeMs
  let finishedCount = 0
  const cancelled: Cancelled[] = []
  while (cancelled.length < RUNS_COUNT) {
    const afterMs = Math.random() * reachMs
    const one = await cancelAfter(product, afterMs)
    if (one !== undefined) {
      cancelled.push(one)
      continue
    }
    // The run had already ended: later ones are cancelled earlier, and are first runs again.
    finishedCount += 1
    reachMs = afterMs
    await product.remove()
    product = await startIngesting(stage, kind, source)
  }
  await product.remove()
  const durations = cancelled.map(({ durationMs }) => durationMs)
  const inTime = durations.filter((durationMs) => durationMs <= GOAL_MS).length
  return {
    figure: 'cancel',
    server: kind,
    subject: `${inTime} of ${RUNS_COUNT} within 2 s; ${finishedCount} others were done before`,
    limit: `a whole run ${(wholeMs / 1000).toFixed(2)} s`,
    result: toTail(durations),
    unit: 'ms',
    goal: GOAL_MS,
    measured: cancelled,
  }
}

interface Cancelled {
  /** The time between its start and the cancellation. */
  afterMs: number
  phase: string
  durationMs: number
}

/** Cancels a run after some time; returns undefined if it had already ended. */
async function cancelAfter(
  product: IngestingProduct,
  afterMs: number,
): Promise<Cancelled | undefined> {
  const runId = await product.trigger()
  await sleep(afterMs)
  const { phase } = await product.find(runId)
  const cancelledAtMs = performance.now()
  await product.cancel()
  const { status } = await product.untilEnd(runId)
  const durationMs = performance.now() - cancelledAtMs
  if (status === 'SUCCESS') return undefined
  if (status !== 'CANCELLED') throw new Error(`a cancelled run ended ${status}`)
  return { afterMs, phase, durationMs }
}
