// A schema that stands inside a document, in a language of its own: written out as objects and lists, or as a text in
// the text. Whoever reads it can point at its parts as if they were the document's own.

import { LineIndex, type Notes, type ParseFailure } from '../text/problem.ts'
import { readInnerText, type SourceText } from '../text/text.ts'
import { pointer, type Path, type Value } from '../text/value.ts'

// Nobody writes a long text so, and reading one twice takes time.
const BRACKETED_YAML_CHARS_MAX = 100_000

/** A schema in its own language, and where it stands in the document. */
export class Specification {
  /** The specification when it was given as a text. */
  readonly text: string | undefined
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
   * Gives the specification's value: as it was written out, or as its text says in JSON or YAML. Undefined, and a
   * warning noted where the text breaks off, when it is neither.
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
      this.warningAt(lines.offsetOf(position), message)
    }
    return undefined
  }

  /** Points at a part: into the document where the specification is written out, else at its text. */
  origin(path: Path): string {
    return pointer(this.text === undefined ? [...this.#path, ...path] : this.#path)
  }

  /** Notes what is odd about a part of the specification's value. */
  warning(path: Path, message: string): void {
    const place = [...this.#path, ...path]
    if (this.#inner === undefined) {
      this.#notes.warning(place, message)
      return
    }
    const { source, lines } = this.#inner
    const locate = (): number => lines.offsetOf(source.locate(path))
    this.#notes.warningInside(place, { text: this.#path, offset: locate }, message)
  }

  /** Notes what is odd at an offset (UTF-16 code units) of the specification's text. */
  warningAt(offset: number, message: string): void {
    this.#notes.warningInside(this.#path, { text: this.#path, offset: () => offset }, message)
  }
}

// YAML too may begin with a bracket, `[{type: record}]`. What is neither is told as what it looks like.
function readEither(text: string): SourceText | ParseFailure {
  if (!/^\s*[[{]/.test(text)) return readInnerText(text, 'application/yaml')
  const json = readInnerText(text, 'application/json')
  if (json.ok || text.length > BRACKETED_YAML_CHARS_MAX) return json
  const yaml = readInnerText(text, 'application/yaml')
  return yaml.ok ? yaml : json
}
