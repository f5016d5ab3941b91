// A schema inside a document, in a language of its own: written out as objects and lists, or as a text.
// Its parts have locations in the document, as if they belonged to it.

import { LineIndex, type Notes, type ParseFailure } from '../text/problem.ts'
import { readInnerText, type SourceText } from '../text/text.ts'
import { pointer, type Path, type Value } from '../text/value.ts'

// Longer texts are not written this way, and would take long to read twice.
const BRACKETED_YAML_CHARS_MAX = 100_000

/** A schema in its own language, with its location in the document. */
export class Specification {
  /** The text, if the specification is a text. */
  readonly text: string | undefined
  /** Parts that no model contains, because a reader could not read them. */
  readonly unread: Value[] = []
  readonly #given: Value
  readonly #path: Path
  readonly #notes: Notes
  #inner: { source: SourceText; lines: LineIndex } | undefined

  constructor(given: Value, path: Path, notes: Notes) {
    this.text = typeof given === 'string' ? given : undefined
    this.#given = given
    this.#path = path
    this.#notes = notes
  }

  /**
   * Returns the value of the specification: as it is written out, or parsed from its text as JSON or
   * YAML. Returns undefined, with a warning at the location of the error, if it is neither.
   */
  value(): Value | undefined {
    if (this.text === undefined) return this.#given
    const source = readEither(this.text)
    const lines = new LineIndex(this.text)
    if (source.ok) {
      this.#inner = { source, lines }
      return source.value
    }
    for (const { message, ...position } of source.problems) {
      this.warningAt(lines.toOffset(position), message)
    }
    return undefined
  }

  /**
   * Returns the location of a part: in the document if the specification is written out, else in its
   * text.
   */
  origin(path: Path): string {
    return pointer(this.text === undefined ? [...this.#path, ...path] : this.#path)
  }

  /** Adds a warning about a part of the specification's value. */
  warning(path: Path, message: string): void {
    const place = [...this.#path, ...path]
    if (this.#inner === undefined) {
      this.#notes.warning(place, message)
      return
    }
    const { source, lines } = this.#inner
    const locate = (): number => lines.toOffset(source.locate(path))
    this.#notes.warningInside(place, { text: this.#path, offset: locate }, message)
  }

  /** Adds a warning at an offset (in UTF-16 code units) of the specification's text. */
  warningAt(offset: number, message: string): void {
    this.#notes.warningInside(this.#path, { text: this.#path, offset: () => offset }, message)
  }
}

// YAML may also begin with a bracket, `[{type: record}]`. An error is reported for the language that
// the text resembles.
function readEither(text: string): SourceText | ParseFailure {
  if (!/^\s*[[{]/.test(text)) return readInnerText(text, 'application/yaml')
  const json = readInnerText(text, 'application/json')
  if (json.ok || text.length > BRACKETED_YAML_CHARS_MAX) return json
  const yaml = readInnerText(text, 'application/yaml')
  return yaml.ok ? yaml : json
}
