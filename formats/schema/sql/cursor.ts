// Walking over the tokens of one statement.

import type { SqlToken } from './scan.ts'

/** A part of a statement that cannot be read; caught where the statement begins. */
export class Unreadable extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

/** A position between the tokens of a statement. */
export class SqlCursor {
  readonly tokens: readonly SqlToken[]
  at = 0

  constructor(tokens: readonly SqlToken[]) {
    this.tokens = tokens
  }

  token(ahead = 0): SqlToken | undefined {
    return this.tokens[this.at + ahead]
  }

  /** Returns the word at a position in lower case; '' for a quoted name or anything else. */
  word(ahead = 0): string {
    const token = this.token(ahead)
    return token?.kind === 'word' ? token.text.toLowerCase() : ''
  }

  isSign(sign: string, ahead = 0): boolean {
    const token = this.token(ahead)
    return token?.kind === 'sign' && token.text === sign
  }

  /** Skips the words if they are next. */
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
    if (!this.takeSign(sign)) this.fail(`"${sign}"`)
  }

  isAtEnd(): boolean {
    return this.at >= this.tokens.length
  }

  fail(expected: string): never {
    const here = this.token()
    const found = here === undefined ? 'the statement ends' : `found "${here.text.slice(0, 40)}"`
    return this.reject(`Expected ${expected}, but ${found}.`)
  }

  /** Stops the reading of the statement with a message at the current token. */
  reject(message: string): never {
    throw new Unreadable(this.token()?.start ?? this.tokens.at(-1)?.end ?? 0, message)
  }

  /** Returns true if the next token is the first of its line. */
  isOnNewLine(text: string): boolean {
    const here = this.token()
    const before = this.token(-1)
    if (here === undefined || before === undefined) return false
    return text.slice(before.end, here.start).includes('\n')
  }

  /** Returns true if the next token can begin a name. */
  isName(ahead = 0): boolean {
    const kind = this.token(ahead)?.kind
    if (kind === 'word' || kind === 'name' || kind === 'placeholder') return true
    return this.#isVariable(ahead)
  }

  /** Reads one name. Placeholders are part of a name: `@schema`, `:schema`, `${env}_orders`. */
  name(): string {
    if (!this.isName()) return this.fail('a name')
    const first = this.token()
    if (this.#isVariable(0)) this.at += 1
    this.at += 1
    let text =
      first?.kind === 'sign' ? `${first.text}${this.token(-1)?.text ?? ''}` : (first?.text ?? '')
    let last = this.token(-1)
    for (let next = this.token(); next !== undefined; next = this.token()) {
      const isJoined = next.kind === 'placeholder' || last?.kind === 'placeholder'
      const isText = next.kind === 'placeholder' || next.kind === 'word' || next.kind === 'number'
      if (!isJoined || !isText || next.start !== last?.end) break
      text += next.text
      last = next
      this.at += 1
    }
    return text
  }

  // `@schema` of SqlRender and SQL Server, `:schema` of psql and Snowflake, `&schema` of SQL*Plus, `#table` of SQL Server.
  #isVariable(ahead: number): boolean {
    const sign = this.token(ahead)
    const word = this.token(ahead + 1)
    if (sign?.kind !== 'sign' || word?.kind !== 'word' || word.start !== sign.end) return false
    // `'x'::text` casts a value.
    if (sign.text === ':' && this.isSign(':', ahead - 1)) return false
    return sign.text === '@' || sign.text === ':' || sign.text === '&' || sign.text === '#'
  }

  /** Reads `catalog.schema.table`; in BigQuery, backticks may enclose the whole. */
  parts(isBigQuery: boolean): string[] {
    const parts: string[] = []
    do {
      while (parts.length > 0 && this.takeSign('.'));
      parts.push(this.#hyphenated(this.name()))
    } while (this.#takeDot())
    const [only] = parts
    return parts.length === 1 && isBigQuery && only !== undefined ? only.split('.') : parts
  }

  // `&schema..orders`: SQL*Plus ends the name of a variable with a dot.
  #takeDot(): boolean {
    if (this.takeSign('.')) return true
    // The scanner reads the `1.` of `my-project-1.sales.orders` as a number.
    return this.token(-1)?.kind === 'number' && this.token(-1)?.text.endsWith('.') === true
  }

  // The name of a BigQuery project may contain hyphens outside of quotes.
  #hyphenated(first: string): string {
    let name = first
    while (this.isSign('-')) {
      const part = this.token(1)
      if (part?.kind !== 'word' && part?.kind !== 'number') break
      if (part.start !== this.token()?.end || this.token()?.start !== this.token(-1)?.end) break
      name += `-${part.text.replace(/\.$/, '')}`
      this.at += 2
      // `2nd` is scanned as a number and a word.
      const rest = this.token()
      if (part.kind !== 'number' || part.text.endsWith('.')) continue
      if (rest?.kind !== 'word' || rest.start !== part.end) continue
      name += rest.text
      this.at += 1
    }
    return name
  }

  /** Skips a group in parentheses and returns the offsets and tokens inside. */
  group(): { start: number; end: number; tokens: readonly SqlToken[] } {
    const first = this.at + 1
    const start = this.token()?.end ?? 0
    this.expectSign('(')
    for (let depth = 1; ; this.at += 1) {
      const token = this.token()
      if (token === undefined) this.fail('")"')
      if (token.kind !== 'sign') continue
      if (token.text === '(') depth += 1
      if (token.text === ')') depth -= 1
      if (depth > 0) continue
      const tokens = this.tokens.slice(first, this.at)
      this.at += 1
      return { start, end: token.start, tokens }
    }
  }

  /** Reads names in parentheses; ignores order and prefix length, `(a desc, b(10))`. */
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

  /** Skips one token, or a whole group in parentheses. */
  skip(): void {
    if (this.isAtEnd()) this.fail('more')
    if (this.isSign('(')) this.group()
    else this.at += 1
  }

  /** Reads a text literal; undefined if none is next. */
  takeText(): string | undefined {
    const token = this.token()
    if (token?.kind !== 'text') return undefined
    this.at += 1
    return token.text
  }
}
