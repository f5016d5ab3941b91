import type { LoadKind } from './load.ts'
import { compare, type Comparison, type Side, toSpread, type Spread } from './rounds.ts'
import type { Pair, ServerKind, Stage } from './stage.ts'

/** The minimum speed of the product on its own server, relative to a configured one. */
const LOCAL_SPEED_MIN = 0.95

/** One line of the table. */
export interface Row {
  figure: string
  /** The PostgreSQL server; none if the product has none in this figure. */
  server: ServerKind | 'none'
  /** The measurement of the product and its limit, as text. */
  subject: string
  limit: string
  /** The number that is compared with the goal: a ratio of speeds, a multiple of a time, a time, a size, a count. */
  result: Spread
  unit: 'ratio' | 'times' | 'µs' | 'ms' | 's' | 'KB' | 'MB' | 'count'
  /** The minimum of a ratio or the maximum of another number; undefined = only reported. */
  goal: number | undefined
  /** Whether the benchmark fails if the goal is missed. */
  required?: boolean
  /** All measurements, for `--json`. */
  measured: unknown
}

/** A measurement with its limit. */
export interface Figure {
  /** Its name on the command line. */
  name: string
  /** The comparison in words. */
  title: string
  /** Measures it on the kinds of servers of the stage. */
  measure(stage: Stage): AsyncIterable<Row>
}

/** Returns whether the median of a row reaches its goal; a row without a goal does. */
export function isGoalReached({ result, unit, goal }: Row): boolean {
  if (goal === undefined) return true
  return unit === 'ratio' ? result.median >= goal : result.median <= goal
}

/** Creates the row of a comparison of speeds. */
export function ratioRow(
  figure: string,
  server: ServerKind,
  comparison: Comparison,
  goal: number | undefined,
): Row {
  const { subject, limit, ratio } = comparison
  return {
    figure,
    server,
    subject: speedText(subject),
    limit: speedText(limit),
    result: ratio,
    unit: 'ratio',
    goal,
    measured: comparison,
  }
}

/** Creates the row of a comparison of times: the time of the subject as a multiple of the limit. */
export function timesRow(
  figure: string,
  server: ServerKind,
  comparison: Comparison,
  goal: number | undefined,
): Row {
  const { median, least, greatest } = comparison.ratio
  const result = toSpread([1 / greatest, 1 / median, 1 / least])
  return { ...ratioRow(figure, server, comparison, goal), result, unit: 'times' }
}

/** Compares the two sides that `prepare` returns for the pair of each kind of server. A row for each kind. */
export async function* comparePairs(
  stage: Stage,
  figure: string,
  goal: number | undefined,
  prepare: (pair: Pair) => Promise<readonly [subject: Side, limit: Side]>,
): AsyncGenerator<Row> {
  for (const kind of stage.serverKinds) {
    const [subject, limit] = await prepare(await stage.getPair(kind))
    yield ratioRow(figure, kind, await compare(stage, subject, limit), goal)
  }
}

/**
 * Compares the product on its own server with the product on a configured one. Returns no row unless both
 * kinds are measured.
 */
export async function* compareServers(
  stage: Stage,
  figure: string,
  load: LoadKind,
): AsyncGenerator<Row> {
  if (!stage.isOnBothKinds) return
  const [local, configured] = [await stage.getPair('local'), await stage.getPair('configured')]
  const toSide = ({ product: server, key }: Pair): Side => ({ server, kind: load, key })
  const comparison = await compare(stage, toSide(local), toSide(configured))
  yield ratioRow(`${figure}, local/configured`, 'local', comparison, LOCAL_SPEED_MIN)
}

function speedText(speed: Comparison['subject']): string {
  const { perSecond, p99Ms, serverMicroseconds } = speed
  const processor =
    serverMicroseconds === undefined ? '' : `, ${Math.round(serverMicroseconds)} µs CPU`
  return `${Math.round(perSecond).toLocaleString('en')}/s, p99 ${p99Ms.toFixed(1)} ms${processor}`
}
