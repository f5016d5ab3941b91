import type { Figure, Row } from './figure.ts'
import { startLoad, type Load, type LoadOrder, type LoadResult } from './load.ts'
import { toReaderRow, type ReaderRound } from './reader-row.ts'
import { toSpread } from './rounds.ts'
import { readProcessorTime, type RunningServer } from './servers.ts'
import type { ServerKind, Stage } from './stage.ts'

const NAME = 'lineage-events'
const EVENTS_PER_SECOND = 1000
const EVENT_CONNECTIONS = 16
const GETS_PER_SECOND = 200
const GET_CONNECTIONS = 4

const SPEED_GOAL = 1
const GET_TIMES_MAX = 2

/** GETs without and with events at the same time, and the events. */
interface Round extends ReaderRound {
  events: LoadResult
}

/** As many events as possible. */
interface Burst extends LoadResult {
  /** Processor time of the server's process for one event. */
  eventMicroseconds: number
}

/** OpenLineage events: how many one process stores, and how much they delay its readers. */
export const lineageEvents: Figure = {
  name: NAME,
  title: `OpenLineage events of 6 KB: as many as possible, and ${EVENTS_PER_SECOND} a second while ${GETS_PER_SECOND} GETs a second run`,
  async *measure(stage) {
    const eventLoad = startLoad()
    try {
      for (const kind of stage.serverKinds) yield* measureOn(stage, kind, eventLoad)
    } finally {
      eventLoad.stop()
    }
  },
}

async function* measureOn(stage: Stage, kind: ServerKind, eventLoad: Load): AsyncGenerator<Row> {
  const { product, bare, key } = await stage.getPair(kind)
  const { rounds, roundMs, warmUpMs } = stage.effort
  const postTo = ({ port }: RunningServer, milliseconds: number): LoadOrder => {
    return { kind: 'post-lineage', port, key, milliseconds, connections: EVENT_CONNECTIONS }
  }
  const readFrom = async ({ port }: RunningServer, milliseconds: number): Promise<LoadResult> => {
    const connections = GET_CONNECTIONS
    const perSecond = GETS_PER_SECOND
    return await stage.load.run({ kind: 'get', port, key, milliseconds, connections, perSecond })
  }
  const measureRound = async (server: RunningServer): Promise<Round> => {
    const quiet = await readFrom(server, roundMs)
    const paced = { ...postTo(server, roundMs), perSecond: EVENTS_PER_SECOND }
    const [busy, events] = await Promise.all([readFrom(server, roundMs), eventLoad.run(paced)])
    return { quiet, busy, events }
  }
  for (const server of [product, bare]) {
    await eventLoad.run(postTo(server, warmUpMs))
    await readFrom(server, warmUpMs)
  }
  const fastest: Burst[] = []
  const ours: Round[] = []
  const limits: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = readProcessorTime(product.pid) ?? Number.NaN
    const result = await eventLoad.run(postTo(product, roundMs))
    const usedMicroseconds = (readProcessorTime(product.pid) ?? Number.NaN) - before
    fastest.push({ ...result, eventMicroseconds: usedMicroseconds / result.sentCount })
    ours.push(await measureRound(product))
    limits.push(await measureRound(bare))
  }
  yield toSpeedRow(kind, fastest)
  yield toGetRow(kind, `${NAME}, p99 of GETs at the same time`, ours, GET_TIMES_MAX)
  // The load generator, PostgreSQL and the servers share the processors. This shows how much of the delay is theirs.
  yield toGetRow(kind, `${NAME}, the same with a bare server`, limits, undefined)
}

function toSpeedRow(server: ServerKind, fastest: readonly Burst[]): Row {
  const speeds = fastest.map(({ perSecond }) => perSecond)
  const { median: cpu } = toSpread(fastest.map(({ eventMicroseconds }) => eventMicroseconds))
  return {
    figure: `${NAME}, as many as possible`,
    server,
    subject: `${Math.round(toSpread(speeds).median)}/s on ${EVENT_CONNECTIONS} connections, ${Math.round(cpu)} µs CPU`,
    limit: `${EVENTS_PER_SECOND}/s`,
    result: toSpread(speeds.map((speed) => speed / EVENTS_PER_SECOND)),
    unit: 'ratio',
    goal: SPEED_GOAL,
    measured: fastest,
  }
}

function toGetRow(
  server: ServerKind,
  figure: string,
  rounds: readonly Round[],
  goal: number | undefined,
): Row {
  const { median: speed } = toSpread(rounds.map(({ events }) => events.perSecond))
  const { median: p99Ms } = toSpread(rounds.map(({ events }) => events.p99Ms))
  const during = `, events ${Math.round(speed)}/s with p99 ${p99Ms.toFixed(1)} ms`
  return toReaderRow(rounds, { figure, server, goal, during, without: 'events' })
}
