/** A line of a run's log. */
export interface LogLine {
  at: string
  level: string
  text: string
}

/** A summary of the statements of a run, parsed from its log. */
interface Statements {
  count: number
  totalMs: number
  /** Slowest first. */
  slowest: readonly { statement: string; durationMs: number }[]
}

const SUMMARY = /^(\d+) statements took (\d+) ms; the slowest:$/
const STATEMENT = /^(\d+) ms: ([\s\S]*)$/

/** Parses the statements of the last attempt from a log; undefined = there are none. */
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

/** Formats a log as a file: one line per entry, the time first. */
export function logText(lines: readonly LogLine[]): string {
  return lines.map(({ at, level, text }) => `${at} ${level.toUpperCase()} ${text}\n`).join('')
}
