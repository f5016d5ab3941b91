// A quote that is not closed continues to the next quote, many lines below, or to the end of the text. YAML reports
// an error there; the mistake is at the opening quote.

import { Stop } from './problem.ts'

/** Records quoted texts that are unclosed or have several lines, to detect errors that they cause later. */
export class QuoteTracker {
  readonly #text: string
  #isScalarNext = false
  readonly #spans: { start: number; end: number; isOpen: boolean }[] = []

  constructor(text: string) {
    this.#text = text
  }

  /** Records a token that begins at an offset. */
  note(lexeme: string, offset: number): void {
    const isPlain = this.#isScalarNext
    this.#isScalarNext = lexeme === '\x1f'
    const first = lexeme[0]
    if (isPlain || (first !== '"' && first !== "'")) return
    const isOpen = lexeme.length === 1 || !lexeme.endsWith(first)
    if (!isOpen && !lexeme.includes('\n')) return
    this.#spans.push({ start: offset, end: offset + lexeme.length, isOpen })
  }

  /** Moves an error to the quote that caused it, if any. */
  relocate(error: Stop): Stop {
    if (error.kind !== 'malformed') return error
    const span = this.#spans.findLast(({ end }) => end <= error.offset + 1)
    if (span === undefined || !this.#isSuspect(span, error.offset)) return error
    const quote = this.#text[span.start] ?? '"'
    const message = this.#isContinued(span)
      ? `The text in quotes that opens here continues on a line that is not indented. Indent its further lines by more than its key, or close the quote ${quote} on its line.`
      : `The quote ${quote} that opens here is not closed on its line. Close it, or use the other kind of quotes around text that contains this one.`
    return new Stop('malformed', span.start, message)
  }

  // The error is on the line where the quoted text ends, and that text contains a line that looks like a field.
  #isSuspect(
    { start, end, isOpen }: { start: number; end: number; isOpen: boolean },
    offset: number,
  ): boolean {
    if (isOpen && offset <= end + 1) return true
    const nextLine = this.#text.indexOf('\n', end - 1)
    if (nextLine !== -1 && offset > nextLine + 1) return false
    return offset >= this.#text.length || this.#hasField({ start, end })
  }

  // The next quote closes the text, and no field is before it: the text is meant to have several lines.
  #isContinued({ start }: { start: number }): boolean {
    const end = this.#text.indexOf(this.#text[start] ?? '"', start + 1)
    return end !== -1 && !this.#hasField({ start, end })
  }

  #hasField({ start, end }: { start: number; end: number }): boolean {
    const swallowed = this.#text.slice(this.#text.indexOf('\n', start), end)
    return /\n *(?:- +)?[\w"'-]+ *:(?:\s|$)/.test(swallowed)
  }
}
