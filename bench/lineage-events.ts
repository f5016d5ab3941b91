import type { Figure, Row } from './figure.ts'
import { startLoad, type Load, type LoadOrder, type LoadResult } from './load.ts'
import { toSpread } from './rounds.ts'
import { readProcessorTime } from './servers.ts'
import type { ServerKind, Stage } from './stage.ts'

const NAME = 'lineage-events'
const EVENTS_PER_SECOND = 1000
const EVENT_CONNECTIONS = 16
const GETS_PER_SECOND = 200
const GET_CONNECTIONS = 4

const SPEED_GOAL = 1
const GET_TIMES_MAX = 2

/** GETs without and with events at the same time, and the events. */
interface Round {
  quiet: LoadResult
  busy: LoadResult
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

async function* measureOn(stage: Stage, server: ServerKind, eventLoad: Load): AsyncGenerator<Row> {
  const { product, key } = await stage.getPair(server)
  const { rounds, roundMs, warmUpMs } = stage.effort
  const order = { port: product.port, key, milliseconds: roundMs }
  const post: LoadOrder = { ...order, kind: 'post-lineage', connections: EVENT_CONNECTIONS }
  const paced = { ...post, perSecond: EVENTS_PER_SECOND }
  const get: LoadOrder = {
    ...order,
    kind: 'get',
    connections: GET_CONNECTIONS,
    perSecond: GETS_PER_SECOND,
  }
  await eventLoad.run({ ...post, milliseconds: warmUpMs })
  await stage.load.run({ ...get, milliseconds: warmUpMs })
  const fastest: Burst[] = []
  const all: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = readProcessorTime(product.pid) ?? Number.NaN
    const result = await eventLoad.run(post)
    const usedMicroseconds = (readProcessorTime(product.pid) ?? Number.NaN) - before
    fastest.push({ ...result, eventMicroseconds: usedMicroseconds / result.sentCount })
    const quiet = await stage.load.run(get)
    const [busy, events] = await Promise.all([stage.load.run(get), eventLoad.run(paced)])
    all.push({ quiet, busy, events })
  }
  yield* toRows(server, fastest, all)
}

function* toRows(
  server: ServerKind,
  fastest: readonly Burst[],
  rounds: readonly Round[],
): Generator<Row> {
  const speeds = fastest.map(({ perSecond }) => perSecond)
  const { median: cpu } = toSpread(fastest.map(({ eventMicroseconds }) => eventMicroseconds))
  yield {
    figure: `${NAME}, as many as possible`,
    server,
    subject: `${Math.round(toSpread(speeds).median)}/s on ${EVENT_CONNECTIONS} connections, ${Math.round(cpu)} µs CPU`,
    limit: `${EVENTS_PER_SECOND}/s`,
    result: toSpread(speeds.map((speed) => speed / EVENTS_PER_SECOND)),
    unit: 'ratio',
    goal: SPEED_GOAL,
    measured: fastest,
  }
  const getP99 = (pick: (round: Round) => LoadResult): number =>
    toSpread(rounds.map((round) => pick(round).p99Ms)).median
  const eventSpeed = toSpread(rounds.map(({ events }) => events.perSecond)).median
  yield {
    figure: `${NAME}, p99 of GETs at the same time`,
    server,
    subject: `${getP99(({ busy }) => busy).toFixed(1)} ms, events ${Math.round(eventSpeed)}/s with p99 ${getP99(({ events }) => events).toFixed(1)} ms`,
    limit: `${getP99(({ quiet }) => quiet).toFixed(1)} ms without events`,
    result: toSpread(rounds.map(({ quiet, busy }) => busy.p99Ms / quiet.p99Ms)),
    unit: 'times',
    goal: GET_TIMES_MAX,
    measured: rounds,
  }
}
