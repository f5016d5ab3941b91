// Problems of a document and their positions. A problem has a field, a line and a column, and a message that explains
// how to fix it.

import { formatPath, type Path } from './value.ts'

/** A position in a text: 1-based line, 1-based column in UTF-16 code units. */
export interface Position {
  line: number
  column: number
}

/** A problem of a document; `field` is dotted (`outputPorts[2].name`), or '' for the whole document. */
export interface Problem extends Position {
  field: string
  message: string
}

/**
 * The reason why a text cannot be parsed. `malformed`: it is not JSON or YAML (HTTP 400). `unacceptable`: it is, but
 * contains something that the catalog does not store (HTTP 422).
 */
export type ParseFailure = { ok: false; kind: 'malformed' | 'unacceptable'; problems: Problem[] }

/** The maximum number of reported problems of each kind, so that a hostile document does not cause a huge response. */
export const PROBLEMS_MAX = 1000

/** Aborts parsing at an offset (UTF-16 code units from the start). Never leaves this package. */
export class Stop extends Error {
  readonly kind: ParseFailure['kind']
  readonly offset: number

  constructor(kind: ParseFailure['kind'], offset: number, message: string) {
    super(message)
    this.kind = kind
    this.offset = offset
  }
}

/** Converts offsets in a text to lines and columns. Lines end with a line feed. */
export class LineIndex {
  readonly #starts: number[] = [0]

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      this.#starts.push(at + 1)
    }
  }

  toPosition(offset: number): Position {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 }
  }

  toOffset({ line, column }: Position): number {
    return (this.#starts[line - 1] ?? 0) + column - 1
  }
}

/** Converts a stop to a parse failure: one problem for the whole document, with its line and column. */
export function toParseFailure(stop: Stop, text: string): ParseFailure {
  const position = new LineIndex(text).toPosition(stop.offset)
  return {
    ok: false,
    kind: stop.kind,
    problems: [{ field: '', message: stop.message, ...position }],
  }
}

/** Locates the values of a document in its text. */
export interface Locator {
  locate(path: Path): Position
  /**
   * Returns the position of a character of a text value in the document's text: `offset` counts the UTF-16 code units
   * of the value. Undefined if positions are not needed.
   */
  locateInside?(path: Path, offset: number): Position
}

/** Collects the problems that a reader reports, each with its position in the text. */
export class Notes {
  readonly errors: Problem[] = []
  readonly warnings: Problem[] = []
  readonly #source: Locator

  constructor(source: Locator) {
    this.#source = source
  }

  error(path: Path, message: string): void {
    this.#add(this.errors, path, message)
  }

  warning(path: Path, message: string): void {
    this.#add(this.warnings, path, message)
  }

  /** Reports a warning inside the text value at the path `text`; its offset is only computed if needed. */
  warningInside(path: Path, inside: { text: Path; offset: () => number }, message: string): void {
    if (this.warnings.length >= PROBLEMS_MAX) return
    const place = this.#source.locateInside?.(inside.text, inside.offset())
    this.#add(this.warnings, path, message, place)
  }

  #add(problems: Problem[], path: Path, message: string, place?: Position): void {
    if (problems.length >= PROBLEMS_MAX) return
    problems.push({ field: formatPath(path), message, ...(place ?? this.#source.locate(path)) })
  }
}

/** Sorts problems by field (code units), then by position, as in responses. */
export function sortedProblems(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (a, b) =>
      compareText(a.field, b.field) ||
      a.line - b.line ||
      a.column - b.column ||
      compareText(a.message, b.message),
  )
}

/** Orders texts by code unit, independent of the locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
