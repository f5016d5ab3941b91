/** Precision and recall of judged queries. */

import type { JudgedQuery } from './judged.ts'

/** The precision and recall of a query. */
export interface Verdict extends JudgedQuery {
  results: readonly string[]
  /** The share of relevant results among the first five, or among as many as are relevant. */
  precision: number
  /** The share of the relevant results, at most ten of them, among the first ten. */
  recall: number
}

const PRECISION_AT = 5
const RECALL_AT = 10

/** Computes the verdict of a query from the keys of the results, best first. */
export function judgeAnswer(judged: JudgedQuery, results: readonly string[]): Verdict {
  const { relevant } = judged
  const hits = (count: number): number =>
    results.slice(0, count).filter((key) => relevant.has(key)).length
  const first = Math.min(PRECISION_AT, relevant.size)
  const expectedCount = Math.min(RECALL_AT, relevant.size)
  return {
    ...judged,
    results,
    precision: hits(first) / first,
    recall: hits(RECALL_AT) / expectedCount,
  }
}

/** Returns the mean of numbers. */
export function computeMean(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0) / numbers.length
}

/** Returns a table of the kinds of queries, followed by the queries with bad results. */
export function formatTable(verdicts: readonly Verdict[]): string {
  const lines = Array.from(
    Map.groupBy(verdicts, ({ kind }) => kind),
    ([kind, own]) => {
      const of = (name: 'precision' | 'recall') =>
        computeMean(own.map((one) => one[name])).toFixed(3)
      return `  ${kind.padEnd(32)} ${String(own.length).padStart(3)}  ${of('precision')}  ${of('recall')}`
    },
  )
  const bad = verdicts.filter(({ precision, recall }) => precision < 0.6 || recall < 0.6)
  return [
    `  ${'kind'.padEnd(32)}   n  P@5    R@10`,
    ...lines,
    ...bad.map(
      ({ kind, query, results }) =>
        `  ${kind}: "${query}" found ${results.slice(0, 5).join(', ') || 'nothing'}`,
    ),
  ].join('\n')
}
