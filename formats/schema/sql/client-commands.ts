// Commands of psql in dumps and scripts: `\c shop`, `\set x 1`, and the rows that follow COPY … FROM stdin.

import { scanSql } from './scan.ts'

/** Returns a script without the lines that only psql reads; drivers reject them. */
export function withoutClientCommands(text: string): string {
  if (!text.includes('\\')) return text
  const cuts = listCuts(text)
  if (cuts.length === 0) return text
  const parts: string[] = []
  let from = 0
  for (const { start, end } of cuts) {
    if (start > from) parts.push(text.slice(from, start))
    from = Math.max(from, end)
  }
  return parts.join('') + text.slice(from)
}

function listCuts(text: string): { start: number; end: number }[] {
  return scanSql(text, 'postgresql').flatMap(({ tokens }) => {
    const [first] = tokens
    const last = tokens.at(-1)
    if (first?.text.toLowerCase() === 'copy' && last?.text.toLowerCase() === 'stdin') {
      const rows = text.indexOf('\n\\.', last.end)
      return [{ start: first.start, end: endOfLine(text, rows === -1 ? text.length : rows + 1) }]
    }
    return tokens
      .filter((token) => token.kind === 'sign' && token.text === '\\' && isFirst(text, token.start))
      .map(({ start }) => ({ start, end: endOfLine(text, start) }))
  })
}

function isFirst(text: string, at: number): boolean {
  const line = text.lastIndexOf('\n', at - 1) + 1
  return at - line <= INDENT_MAX && text.slice(line, at).trim() === ''
}

const INDENT_MAX = 200

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}
