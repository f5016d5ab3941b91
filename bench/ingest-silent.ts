import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure, Row } from './figure.ts'
import { startIngesting } from './ingest-product.ts'
import { startPostgresSource, type BenchSource } from './ingest-source.ts'
import { toTail } from './rounds.ts'
import type { ServerKind, Stage } from './stage.ts'

const ROUNDS = 20
const SILENT_COUNT = 5
const POLL_MS = 20
const GOAL_MS = 1000
const EXTENT = { tablesCount: 100, schemasCount: 2, viewsCount: 1 }

/** Measures how long a run waits to start while other runs are stuck on sources that accept connections but never reply. */
export const silentSources: Figure = {
  name: 'silent-sources',
  title: `From the trigger of a run to its first step, behind ${SILENT_COUNT} sources that never answer: p99 of ${ROUNDS} (p50, longest)`,
  async *measure(stage) {
    await stage.clear()
    const source = await startPostgresSource(EXTENT)
    const silent = await startSilentServer()
    try {
      for (const kind of stage.serverKinds) yield await measureOn(stage, kind, source, silent.port)
    } finally {
      silent.stop()
      await source.stop()
    }
  },
}

async function measureOn(
  stage: Stage,
  kind: ServerKind,
  source: BenchSource,
  port: number,
): Promise<Row> {
  const product = await startIngesting(stage, kind, source)
  for (let at = 0; at < SILENT_COUNT; at += 1) {
    await product.add(`silent-${at}`, {
      ...source,
      configuration: { ...source.configuration, port },
    })
    await product.trigger(`silent-${at}`)
  }
  const waits: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const triggeredAtMs = performance.now()
    const runId = await product.trigger()
    while ((await product.find(runId)).phase === 'waiting') await sleep(POLL_MS)
    waits.push(performance.now() - triggeredAtMs)
    await product.untilEnd(runId)
  }
  await product.remove()
  return {
    figure: 'silent-sources',
    server: kind,
    subject: 'until the run is checking its source',
    limit: '–',
    result: toTail(waits),
    unit: 'ms',
    goal: GOAL_MS,
    measured: waits,
  }
}

async function startSilentServer(): Promise<{ port: number; stop(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // A server that listens on a port has this form of address.
    port: (server.address() as AddressInfo).port,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
