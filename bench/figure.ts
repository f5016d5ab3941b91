import { type Comparison, spreadOf, type Spread } from './rounds.ts'
import type { Stage, StoreKind } from './stage.ts'

/** One line of the table. */
export interface Row {
  figure: string
  store: StoreKind | 'none'
  /** What was measured of the product, and of its limit, for people. */
  subject: string
  limit: string
  /** The number that the goal is about: a ratio of speeds, a multiple of a time, a time, a size, a count. */
  result: Spread
  unit: 'ratio' | 'times' | 'ms' | 's' | 'KB' | 'MB' | 'count'
  /** What the number should be, at least for a ratio and at most for the others; undefined = reported. */
  goal: number | undefined
  /** All that was measured, for `--json`. */
  measured: unknown
}

/** Something that is measured against its limit. */
export interface Figure {
  /** What it is called on the command line. */
  name: string
  /** What is compared with what. */
  title: string
  /** Measures it on the stores of the stage. */
  measure(stage: Stage): AsyncIterable<Row>
}

/** The line of a comparison of speeds. */
export function ratioRow(
  figure: string,
  store: StoreKind,
  comparison: Comparison,
  goal: number | undefined,
): Row {
  const { subject, limit, ratio } = comparison
  return {
    figure,
    store,
    subject: speedText(subject),
    limit: speedText(limit),
    result: ratio,
    unit: 'ratio',
    goal,
    measured: comparison,
  }
}

/** The line of a comparison of times: how many times as long the subject takes. */
export function timesRow(
  figure: string,
  store: StoreKind,
  comparison: Comparison,
  goal: number | undefined,
): Row {
  const { median, least, greatest } = comparison.ratio
  const result = spreadOf([1 / greatest, 1 / median, 1 / least])
  return { ...ratioRow(figure, store, comparison, goal), result, unit: 'times' }
}

function speedText(speed: Comparison['subject']): string {
  const { perSecond, p99Ms, serverMicroseconds } = speed
  const processor =
    serverMicroseconds === undefined ? '' : `, ${Math.round(serverMicroseconds)} µs CPU`
  return `${Math.round(perSecond).toLocaleString('en')}/s, p99 ${p99Ms.toFixed(1)} ms${processor}`
}
