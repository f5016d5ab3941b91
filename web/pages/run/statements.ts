/** A line of a run's log. */
export interface LogLine {
  at: string
  level: string
  text: string
}

/** What a run asked its source, as its log tells it at the end of the listing. */
export interface Statements {
  count: number
  totalMs: number
  /** The slowest first. */
  slowest: readonly { statement: string; durationMs: number }[]
}

const SUMMARY = /^(\d+) statements took (\d+) ms; the slowest:$/
const STATEMENT = /^(\d+) ms: ([\s\S]*)$/

/** Finds the statements of the last attempt in a log; undefined = it tells none. */
export function statementsIn(lines: readonly LogLine[]): Statements | undefined {
  const at = lines.findLastIndex(({ text }) => SUMMARY.test(text))
  const summary = SUMMARY.exec(lines[at]?.text ?? '')
  if (summary === null) return undefined
  const slowest: { statement: string; durationMs: number }[] = []
  for (const { text } of lines.slice(at + 1)) {
    const [, durationMs, statement] = STATEMENT.exec(text) ?? []
    if (statement === undefined) break
    slowest.push({ statement, durationMs: Number(durationMs) })
  }
  return { count: Number(summary[1]), totalMs: Number(summary[2]), slowest }
}

/** A log as a file: a line for each, the time first. */
export function logText(lines: readonly LogLine[]): string {
  return lines.map(({ at, level, text }) => `${at} ${level.toUpperCase()} ${text}\n`).join('')
}
