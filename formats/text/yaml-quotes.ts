// An unclosed quote ends at the next quote, many lines below, or at the end of the text, where YAML reports
// the error. This finds the line of the mistake.

import { Stop } from './problem.ts'

/** Remembers quoted texts that are not closed or have several lines, to blame them for what fails at their end. */
export class QuoteTracker {
  readonly #text: string
  #isScalarNext = false
  readonly #spans: { start: number; end: number; isOpen: boolean }[] = []

  constructor(text: string) {
    this.#text = text
  }

  /** Takes a part of the text that begins at an offset. */
  note(lexeme: string, offset: number): void {
    const isPlain = this.#isScalarNext
    this.#isScalarNext = lexeme === '\x1f'
    const first = lexeme[0]
    if (isPlain || (first !== '"' && first !== "'")) return
    const isOpen = lexeme.length === 1 || !lexeme.endsWith(first)
    if (!isOpen && !lexeme.includes('\n')) return
    this.#spans.push({ start: offset, end: offset + lexeme.length, isOpen })
  }

  /** Moves an error to the quote that caused it, if one did. */
  relocate(error: Stop): Stop {
    if (error.kind !== 'malformed') return error
    const span = this.#spans.findLast(({ end }) => end <= error.offset + 1)
    if (span === undefined || !this.#isSuspect(span, error.offset)) return error
    const quote = this.#text[span.start] ?? '"'
    const message = `The quote ${quote} that opens here is not closed on its line. Close it, or put a quote inside of the text in other quotes.`
    return new Stop('malformed', span.start, message)
  }

  // The error is on the line on which the quoted text ends, and that text swallowed a line that looks like a field.
  #isSuspect(
    { start, end, isOpen }: { start: number; end: number; isOpen: boolean },
    offset: number,
  ): boolean {
    if (isOpen && offset <= end + 1) return true
    const nextLine = this.#text.indexOf('\n', end - 1)
    if (nextLine !== -1 && offset > nextLine + 1) return false
    const swallowed = this.#text.slice(this.#text.indexOf('\n', start), end)
    return offset >= this.#text.length || /\n *(?:- +)?[\w"'-]+ *:(?:\s|$)/.test(swallowed)
  }
}
