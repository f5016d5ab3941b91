// The problems of a document. A problem names a field, a line and a column, and how to fix it.

import { dotted, type Path } from './value.ts'

/** A place in a text: 1-based line, 1-based column in UTF-16 code units. */
export interface Position {
  line: number
  column: number
}

/** One thing that is wrong: `field` is dotted (`outputPorts[2].name`), or '' for the whole document. */
export interface Problem extends Position {
  field: string
  message: string
}

/**
 * Why a text cannot be read. `malformed`: it is not JSON or YAML (HTTP 400).
 * `unacceptable`: it is, but holds what the catalog does not store (HTTP 422).
 */
export type Refusal = { ok: false; kind: 'malformed' | 'unacceptable'; problems: Problem[] }

/** At most this many problems of a kind are reported at once, so that a hostile document makes no huge answer. */
export const PROBLEMS_MAX = 1000

/** Stops reading a text at an offset (UTF-16 code units from its start). Internal to this package. */
export class Stop extends Error {
  readonly kind: Refusal['kind']
  readonly offset: number

  constructor(kind: Refusal['kind'], offset: number, message: string) {
    super(message)
    this.kind = kind
    this.offset = offset
  }
}

/** Finds line and column of an offset in a text. Lines end with a line feed. */
export class LineIndex {
  readonly #starts: number[] = [0]

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      this.#starts.push(at + 1)
    }
  }

  positionOf(offset: number): Position {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 }
  }

  offsetOf({ line, column }: Position): number {
    return (this.#starts[line - 1] ?? 0) + column - 1
  }
}

/** Turns a stop into the answer: one problem with its line and column, for the whole document. */
export function refusalOf(stop: Stop, text: string): Refusal {
  const position = new LineIndex(text).positionOf(stop.offset)
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
   * Locates a character of a string value; `offset` counts the UTF-16 code units of the value. Undefined if
   * positions are not needed.
   */
  locateInside?(path: Path, offset: number): Position
}

/** Collects what a reader finds wrong, each with its place in the text. */
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

  /** Notes what is odd inside a text value, the one at the path `text`; its offset is worked out only when needed. */
  warningInside(path: Path, inside: { text: Path; offset: () => number }, message: string): void {
    if (this.warnings.length >= PROBLEMS_MAX) return
    const place = this.#source.locateInside?.(inside.text, inside.offset())
    this.#add(this.warnings, path, message, place)
  }

  #add(problems: Problem[], path: Path, message: string, place?: Position): void {
    if (problems.length >= PROBLEMS_MAX) return
    problems.push({ field: dotted(path), message, ...(place ?? this.#source.locate(path)) })
  }
}

/** Sorts problems by field (code units), then by place, as answers list them. */
export function sortedProblems(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (a, b) =>
      compareText(a.field, b.field) ||
      a.line - b.line ||
      a.column - b.column ||
      compareText(a.message, b.message),
  )
}

/** Orders texts by code unit, the same everywhere, unlike a locale's order. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
