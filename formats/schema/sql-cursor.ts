// Walking over the tokens of one statement.

import type { SqlToken } from './sql-scan.ts'

/** A part of a statement that is not written as the reader knows it; caught where the statement begins. */
export class Unreadable extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

/** Stands before one token of a statement. */
export class SqlCursor {
  readonly tokens: readonly SqlToken[]
  at = 0

  constructor(tokens: readonly SqlToken[]) {
    this.tokens = tokens
  }

  token(ahead = 0): SqlToken | undefined {
    return this.tokens[this.at + ahead]
  }

  /** The word that stands here, in lower case; '' for a quoted name or anything else. */
  word(ahead = 0): string {
    const token = this.token(ahead)
    return token?.kind === 'word' ? token.text.toLowerCase() : ''
  }

  isSign(sign: string, ahead = 0): boolean {
    const token = this.token(ahead)
    return token?.kind === 'sign' && token.text === sign
  }

  /** Passes over the words, if these stand here. */
  take(...words: string[]): boolean {
    if (!words.every((word, ahead) => this.word(ahead) === word)) return false
    this.at += words.length
    return true
  }

  takeSign(sign: string): boolean {
    if (!this.isSign(sign)) return false
    this.at += 1
    return true
  }

  expectSign(sign: string): void {
    if (!this.takeSign(sign)) this.fail(`“${sign}”`)
  }

  isAtEnd(): boolean {
    return this.at >= this.tokens.length
  }

  fail(expected: string): never {
    const here = this.token()
    const offset = here?.start ?? this.tokens.at(-1)?.end ?? 0
    const found = here === undefined ? 'the end' : `“${here.text.slice(0, 40)}”`
    throw new Unreadable(offset, `${expected} is expected here, but ${found} stands here.`)
  }

  name(): string {
    const token = this.token()
    if (token?.kind !== 'word' && token?.kind !== 'name') return this.fail('A name')
    this.at += 1
    return token.text
  }

  /** Reads `catalog.schema.table`; in BigQuery, backticks may stand around the whole. */
  parts(isBigQuery: boolean): string[] {
    const parts: string[] = []
    do {
      parts.push(this.name())
      // A project's name may hold hyphens outside of quotes.
      while (this.isSign('-') && this.token(1)?.kind === 'word') {
        parts.push(`${parts.pop() ?? ''}-${this.token(1)?.text ?? ''}`)
        this.at += 2
      }
    } while (this.takeSign('.'))
    const [only] = parts
    return parts.length === 1 && isBigQuery && only !== undefined ? only.split('.') : parts
  }

  /** Passes over a group in parentheses and gives the offsets of what is inside. */
  group(): { start: number; end: number; tokens: readonly SqlToken[] } {
    const first = this.at + 1
    const start = this.token()?.end ?? 0
    this.expectSign('(')
    for (let depth = 1; ; this.at += 1) {
      const token = this.token()
      if (token === undefined) this.fail('“)”')
      if (token.kind !== 'sign') continue
      if (token.text === '(') depth += 1
      if (token.text === ')') depth -= 1
      if (depth > 0) continue
      const tokens = this.tokens.slice(first, this.at)
      this.at += 1
      return { start, end: token.start, tokens }
    }
  }

  /** Reads names in parentheses; what orders or shortens them, `(a desc, b(10))`, is passed over. */
  names(): string[] {
    const names: string[] = []
    this.expectSign('(')
    while (!this.takeSign(')')) {
      names.push(this.name())
      while (!this.isSign(',') && !this.isSign(')')) this.skip()
      this.takeSign(',')
    }
    return names
  }

  /** Passes over one token, or a whole group in parentheses. */
  skip(): void {
    if (this.isAtEnd()) this.fail('More')
    if (this.isSign('(')) this.group()
    else this.at += 1
  }

  /** The text of a literal that stands here, which is passed over. */
  takeText(): string | undefined {
    const token = this.token()
    if (token?.kind !== 'text') return undefined
    this.at += 1
    return token.text
  }
}
