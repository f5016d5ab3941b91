import { cpus } from 'node:os'
import type { LoadKind } from './load.ts'
import { readProcessorTime, type RunningServer } from './servers.ts'
import type { Stage } from './stage.ts'

const CONNECTIONS_COUNT = 32

/** One side of a comparison. */
export interface Side {
  server: RunningServer
  kind: LoadKind
  key: string
}

/** The result of one side: medians over the rounds. */
export interface Speed {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Processor time of the server's process for one request; undefined if it cannot be read. */
  serverMicroseconds: number | undefined
  /** The number of all requests, including the warm-up. */
  sentCount: number
}

/** Two sides and the ratio of the first to the second. */
export interface Comparison {
  subject: Speed
  limit: Speed
  /** The median of the ratios of neighbouring rounds, with the least and the greatest. */
  ratio: Spread
}

/** A median with the range around it. */
export interface Spread {
  median: number
  least: number
  greatest: number
}

interface Round {
  perSecond: number
  p50Ms: number
  p99Ms: number
  serverMicroseconds: number
}

/**
 * Measures two sides alternately (A B, B A, A B …), so that other load of the machine affects both.
 * A round of one side and the neighbouring round of the other result in one ratio.
 */
export async function compare(
  stage: Stage,
  subject: Side,
  limit: Side,
  connections = CONNECTIONS_COUNT,
): Promise<Comparison> {
  const { rounds, roundMs, warmUpMs } = stage.effort
  const sent = new Map([
    [subject, 0],
    [limit, 0],
  ])
  const measure = async (side: Side, milliseconds: number): Promise<Round> => {
    const { server, kind, key } = side
    const before = readProcessorTime(server.pid)
    const order = { kind, port: server.port, key, connections, milliseconds }
    const { sentCount, ...speed } = await stage.load.run(order)
    const used = (readProcessorTime(server.pid) ?? Number.NaN) - (before ?? Number.NaN)
    sent.set(side, (sent.get(side) ?? 0) + sentCount)
    return { ...speed, serverMicroseconds: used / sentCount }
  }
  for (const side of [subject, limit]) await measure(side, warmUpMs)
  const subjects: Round[] = []
  const limits: Round[] = []
  const ratios: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const inOrder = round % 2 === 0
    const first = await measure(inOrder ? subject : limit, roundMs)
    const second = await measure(inOrder ? limit : subject, roundMs)
    const [ours, theirs] = inOrder ? [first, second] : [second, first]
    subjects.push(ours)
    limits.push(theirs)
    ratios.push(ours.perSecond / theirs.perSecond)
  }
  return {
    subject: { ...toSpeed(subjects), sentCount: sent.get(subject) ?? 0 },
    limit: { ...toSpeed(limits), sentCount: sent.get(limit) ?? 0 },
    ratio: toSpread(ratios),
  }
}

function toSpeed(rounds: readonly Round[]): Omit<Speed, 'sentCount'> {
  const of = (name: keyof Round): number => toSpread(rounds.map((round) => round[name])).median
  const serverMicroseconds = of('serverMicroseconds')
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    serverMicroseconds: Number.isNaN(serverMicroseconds) ? undefined : serverMicroseconds,
  }
}

/** Returns the median of some numbers, with the range. */
export function toSpread(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  return {
    median: ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2,
    least: sorted[0] ?? Number.NaN,
    greatest: sorted.at(-1) ?? Number.NaN,
  }
}

/** Returns the tail of a distribution: its 99th percentile, with the median and the maximum. */
export function toTail(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
  const { median, greatest } = toSpread(sorted)
  return { median: p99, least: median, greatest }
}

/** Returns a short description of the machine, for the head of a table. */
export function describeMachine(): string {
  const all = cpus()
  return `Node ${process.versions.node}, ${all.length} × ${all[0]?.model ?? 'unknown processor'}`
}
