// Reads documents of any kind: validates them against their shape, and lets their reader interpret them.

import { Notes, type Problem, sortedProblems } from '../text/problem.ts'
import type { SourceText } from '../text/text.ts'
import { inspectValue, NOTHING_FOUND, NOWHERE, type ReadOptions } from './inspect.ts'
import type { SourceMap } from './inspect.ts'
import { lazy } from './lazy.ts'
import type { ObjectShape } from './shape.ts'

/** The shape of a document, and its reader, which reports problems that the shape does not cover. */
interface Interpretation<T> {
  shape: ObjectShape
  read: () => T
  /** Whether a text with a variable may replace any text, number or flag. */
  allowsVariables?: boolean
  /** Whether the document has a version that is newer than its shape, so that only wrong types are reported. */
  isNewer?: boolean
}

/** Detects the format of a document; reports an error and returns undefined if it is not supported. */
type Interpret<T> = (notes: Notes) => Interpretation<T> | undefined

/**
 * The contents of a document, or all its problems, sorted by field. Few callers need the warnings, and locating them
 * in the text is the most expensive part, so they are computed on demand.
 */
type DocumentResult<T> =
  | { ok: true; content: T; getWarnings: () => Problem[] }
  | { ok: false; problems: Problem[] }

/** Reads a document. Most documents are valid, so problems are located only if there are any. */
export function readDocument<T>(
  source: SourceText,
  options: ReadOptions,
  interpret: Interpret<T>,
): DocumentResult<T> {
  const first = examine(source, NOWHERE, options, interpret)
  const located = lazy(() => examine(source, source, options, interpret))
  if (first.content === undefined || first.errors.length > 0) {
    return { ok: false, problems: sortedProblems(located().errors) }
  }
  const getWarnings = lazy(() => sortedProblems(located().warnings))
  return { ok: true, content: first.content, getWarnings }
}

function examine<T>(
  { value }: SourceText,
  places: SourceMap,
  options: ReadOptions,
  interpret: Interpret<T>,
): { content: T | undefined; errors: Problem[]; warnings: Problem[] } {
  const notes = new Notes(places)
  const interpretation = interpret(notes)
  if (interpretation === undefined)
    return { content: undefined, errors: notes.errors, warnings: [] }
  const { shape, read, allowsVariables = false, isNewer = false } = interpretation
  const strict = options.strict && !isNewer
  const inspected =
    options.isAccepted === true
      ? NOTHING_FOUND
      : inspectValue(value, shape, places, { strict, allowsVariables })
  const findings = isNewer ? { ...inspected, warnings: [] } : inspected
  const content = read()
  // The errors of the reader are more specific than those of the shape.
  const fields = new Set(notes.errors.map(({ field }) => field))
  const others = (problems: Problem[]) => problems.filter(({ field }) => !fields.has(field))
  return {
    content,
    errors: [...others(findings.errors), ...notes.errors],
    warnings: [...others(findings.warnings), ...notes.warnings],
  }
}
