/** Precision and recall of judged queries. */

import type { JudgedQuery } from './judged.ts'

/** What a query came to. */
export interface Verdict extends JudgedQuery {
  found: readonly string[]
  /** Of the first five, or of as many as are relevant. */
  precision: number
  /** Of ten, or of as many as are relevant. */
  recall: number
}

const PRECISION_AT = 5
const RECALL_AT = 10

/** Judges the keys that a search answered, the best first. */
export function judgeAnswer(judged: JudgedQuery, found: readonly string[]): Verdict {
  const { relevant } = judged
  const hits = (count: number): number =>
    found.slice(0, count).filter((key) => relevant.has(key)).length
  const first = Math.min(PRECISION_AT, relevant.size)
  const wanted = Math.min(RECALL_AT, relevant.size)
  return { ...judged, found, precision: hits(first) / first, recall: hits(RECALL_AT) / wanted }
}

/** The mean of numbers. */
export function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0) / numbers.length
}

/** A table of the kinds of queries, and the queries that came out badly. */
export function tableOf(verdicts: readonly Verdict[]): string {
  const lines = Array.from(
    Map.groupBy(verdicts, ({ kind }) => kind),
    ([kind, own]) => {
      const of = (name: 'precision' | 'recall') => meanOf(own.map((one) => one[name])).toFixed(3)
      return `  ${kind.padEnd(32)} ${String(own.length).padStart(3)}  ${of('precision')}  ${of('recall')}`
    },
  )
  const bad = verdicts.filter(({ precision, recall }) => precision < 0.6 || recall < 0.6)
  return [
    `  ${'kind'.padEnd(32)}   n  P@5    R@10`,
    ...lines,
    ...bad.map(
      ({ kind, query, found }) =>
        `  ${kind}: “${query}” found ${found.slice(0, 5).join(', ') || 'nothing'}`,
    ),
  ].join('\n')
}
