import { getErrorType, inSpan, type Span } from './tracing.ts'

/** The summary of a statement, in words of its text: `insert event, event_owner`. */
interface StatementSummary {
  operation: string
  summary: string
}

/** Quoted texts, comments, row locks and the updates of an insert. */
const NO_NAMES =
  /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|\bfor\s+(?:no\s+key\s+)?update\b|\bdo\s+update\s+set\b/gi
const OPERATION = /\b(?:select|insert|update|delete|merge|begin|commit|rollback|copy|call|set)\b/i
const CHANGE = /\b(?:insert\s+into|update|delete\s+from|merge\s+into)\b/i
const TABLES = /\b(from|join|into|update)\s+(?:only\s+)?"?([a-z][a-z0-9_]*)\b"?(\s*\()?/gi
const COMMON_TABLES =
  /\b([a-z][a-z0-9_]*)"?\s*(?:\([^()]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s+)?\(/gi
/** Words between `from` and its table. */
const NO_TABLES = new Set(['lateral', 'rows', 'select'])
const TABLES_MAX = 4

// The texts of a process are few; beyond this number they are examined at each use.
const TEXTS_MAX = 2000
const summaries = new Map<string, StatementSummary>()

/**
 * Runs a statement as a part of a span. The span has the operation and the tables of the statement, not its text, which
 * has kilobytes, and not its values.
 *
 * Names: https://opentelemetry.io/docs/specs/semconv/database/database-spans/
 */
export async function traceStatement<T>(
  parent: Span,
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  const { operation, summary } = summarize(text)
  const span = parent.startChild(summary, {
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': summary,
    },
  })
  return await inSpan(span, async () => {
    try {
      return await work()
    } catch (error) {
      span.setAttributes({ 'db.response.status_code': getErrorType(error) })
      throw error
    }
  })
}

/** Summarizes a statement: what it does first of all, and at most four of its tables in the order of its text. */
export function summarize(text: string): StatementSummary {
  const existing = summaries.get(text)
  if (existing !== undefined) return existing
  const plain = text.replaceAll(NO_NAMES, ' ')
  const change = CHANGE.exec(plain)?.[0]
  const operation = (change ?? OPERATION.exec(plain)?.[0] ?? 'statement').split(/\s/)[0] ?? ''
  const common = new Set([...plain.matchAll(COMMON_TABLES)].map(([, name = '']) => name))
  const tables = new Set(
    [...plain.matchAll(TABLES)]
      // A function of a from clause is followed by its arguments, a table of an insert by its columns.
      .filter(([, word = '', , call]) => call === undefined || word.toLowerCase() === 'into')
      .map(([, , name = '']) => name.toLowerCase())
      .filter((name) => !common.has(name) && !NO_TABLES.has(name)),
  )
  const names = [...tables].slice(0, TABLES_MAX).join(', ')
  const lower = operation.toLowerCase()
  const result = { operation: lower, summary: names === '' ? lower : `${lower} ${names}` }
  if (summaries.size < TEXTS_MAX) summaries.set(text, result)
  return result
}
