import type { Row } from './figure.ts'
import type { LoadResult } from './load.ts'
import { toSpread } from './rounds.ts'

/** GETs without and with other work at the same time. */
export interface ReaderRound {
  quiet: LoadResult
  busy: LoadResult
}

/**
 * Creates the row of how much other work delays GETs: the multiple of their p99. `during` describes the work, `without`
 * its absence.
 */
export function toReaderRow(
  rounds: readonly ReaderRound[],
  {
    during,
    without,
    ...named
  }: Pick<Row, 'figure' | 'server' | 'goal'> & {
    during: string
    without: string
  },
): Row {
  const getP99 = (pick: (round: ReaderRound) => LoadResult): string =>
    toSpread(rounds.map((round) => pick(round).p99Ms)).median.toFixed(1)
  return {
    ...named,
    subject: `${getP99(({ busy }) => busy)} ms${during}`,
    limit: `${getP99(({ quiet }) => quiet)} ms without ${without}`,
    result: toSpread(rounds.map(({ quiet, busy }) => busy.p99Ms / quiet.p99Ms)),
    unit: 'times',
    measured: rounds,
  }
}
