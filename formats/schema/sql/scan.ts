// Splits SQL into statements and tokens. Quotes and comments depend on the dialect; without one, all kinds are accepted
// that do not contradict each other.

import { withoutDownSections } from './sections.ts'
import type { Platform } from '../types/native-type.ts'

export interface SqlToken {
  /**
   * `word`: as written, in lower case in PostgreSQL; `name`, `text`: without quotes; `sign`: one character; `placeholder`: `{{ schema }}` or
   * `${schema}`, as written.
   */
  kind: 'word' | 'name' | 'text' | 'number' | 'sign' | 'placeholder'
  text: string
  /** Offsets in UTF-16 code units. */
  start: number
  end: number
}

export interface SqlStatement {
  tokens: SqlToken[]
  /** The offset of an opening quote without a closing one. */
  openQuote?: number
  /** The statement ends a batch of SQL Server: a line `GO` follows it. */
  endsBatch?: true
  /** A function, procedure or trigger whose end was not found, with all statements behind it. */
  isOpen?: true
  /** The schema of CREATE SCHEMA whose element this is. */
  schema?: string
}

// Separate sticky patterns, because one pattern with groups would allocate a list of groups for each token.
const SPACE = /(?:[\s\uFEFF]|--[^\n]*)+/y
const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_$]*/uy
const NUMBER = /\d[\d.]*(?:[eE][-+]?\d+)?/y
// Signs that begin nothing longer, so that no pattern is tried for them.
const SINGLE_SIGNS: ReadonlySet<string | undefined> = new Set('(),.;=<>'.split(''))
const DOLLAR = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy

// Jinja and dbt, Flyway and shells, sqlcmd. A placeholder ends on its line and is short.
const PLACEHOLDER = /\{\{[^{}\n]{0,200}\}\}|\$\{[^{}\n]{0,200}\}|\$\([\w.]{1,200}\)/y

// MySQL and MariaDB execute what these comments contain: /*!50001 CREATE VIEW … */.
const EXECUTED_COMMENT = /\/\*M?!\d*/y

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['[', ']'],
])

const BACKSLASH_PLATFORMS: ReadonlySet<Platform | undefined> = new Set<Platform | undefined>([
  'mysql',
  'snowflake',
  'bigquery',
  'databricks',
  'hive',
])

const HASH_COMMENTS: ReadonlySet<Platform | undefined> = new Set<Platform | undefined>([
  'mysql',
  'bigquery',
  undefined,
])

/**
 * Splits a SQL script into statements, each with its tokens, in linear time. Comments, statements of Jinja
 * (`{% if … %}`) and the sections of a migration that undo it are left out.
 */
export function scanSql(text: string, platform: Platform | undefined): SqlStatement[] {
  return new Scanner(text, platform).statements()
}

class Scanner {
  readonly #text: string
  readonly #platform: Platform | undefined
  readonly #hasBackslashes: boolean
  readonly #statements: SqlStatement[] = []
  /**
   * The next position of each closing sign, so that a script of opening signs is not searched for each of
   * them.
   */
  readonly #closings = new Map<string, number>()
  #tokens: SqlToken[] = []
  #at = 0

  constructor(text: string, platform: Platform | undefined) {
    this.#text = withoutDownSections(text)
    this.#platform = platform
    this.#hasBackslashes =
      BACKSLASH_PLATFORMS.has(platform) || (platform === undefined && text.includes('`'))
  }

  statements(): SqlStatement[] {
    while (this.#at < this.#text.length) {
      const unit = this.#text[this.#at] ?? ''
      if (SINGLE_SIGNS.has(unit)) this.#sign(unit)
      else {
        const word = this.#match(WORD)
        if (word !== '') this.#word(word)
        else this.#other()
      }
    }
    this.#finish()
    return this.#statements
  }

  #other(): void {
    const space = this.#match(SPACE)
    if (space !== '') {
      this.#at += space.length
      return
    }
    const number = this.#match(NUMBER)
    if (number !== '') {
      this.#push('number', number, this.#at + number.length)
      return
    }
    if (this.#template()) return
    const dollar = this.#match(DOLLAR)
    if (dollar !== '') this.#dollars(dollar)
    else if (this.#text.startsWith('/*', this.#at)) this.#comment()
    else this.#sign(this.#text[this.#at] ?? '')
  }

  #template(): boolean {
    const first = this.#text[this.#at]
    if (first !== '{' && first !== '$') return false
    const placeholder = this.#match(PLACEHOLDER)
    if (placeholder !== '') {
      this.#push('placeholder', placeholder, this.#at + placeholder.length)
      return true
    }
    const second = this.#text[this.#at + 1]
    if (first !== '{' || (second !== '%' && second !== '#')) return false
    const end = this.#closing(`${second}}`) + 2
    if (end < 2) return false
    this.#at = end
    return true
  }

  /** Returns where a closing sign is next; -1 if it is not in the rest of the text. */
  #closing(sign: string): number {
    const previous = this.#closings.get(sign)
    if (previous !== undefined && (previous === -1 || previous > this.#at)) return previous
    const next = this.#text.indexOf(sign, this.#at + 2)
    this.#closings.set(sign, next)
    return next
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    return pattern.test(this.#text) ? this.#text.slice(this.#at, pattern.lastIndex) : ''
  }

  #comment(): void {
    const executed = this.#platform === 'mysql' ? this.#match(EXECUTED_COMMENT) : ''
    this.#at = executed === '' ? this.#after('*/', this.#at + 2) : this.#at + executed.length
  }

  #after(closing: string, from: number): number {
    const end = this.#text.indexOf(closing, from)
    return end === -1 ? this.#text.length : end + closing.length
  }

  #word(word: string): void {
    const end = this.#at + word.length
    // A line `GO` ends a batch of SQL Server.
    if (word.toLowerCase() === 'go' && this.#isAloneOnLine(end)) {
      this.#at = end
      this.#finish()
      const last = this.#statements.at(-1)
      if (last !== undefined) last.endsBatch = true
      return
    }
    const isEscaping = /^e$/i.test(word) && this.#text[end] === "'"
    // PostgreSQL: E'…' has backslashes, and N'…' is a text as well.
    if (isEscaping || (/^[nrb]$/i.test(word) && this.#text[end] === "'")) {
      this.#at = end
      this.#quoted("'", isEscaping || this.#hasBackslashes)
      return
    }
    this.#push('word', this.#fold(word), end)
  }

  // Names outside of quotes, as the platform stores them. Products that compare names without case keep them as written.
  #fold(word: string): string {
    if (this.#platform !== 'postgresql' || !/[A-Z]/.test(word)) return word
    return word.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  }

  #isAloneOnLine(end: number): boolean {
    const last = this.#tokens.at(-1)?.end ?? 0
    const isFirst = this.#text.slice(Math.max(last, this.#at - 200), this.#at).includes('\n')
    return isFirst && /^[ \t\r]*(?:\n|$)/.test(this.#text.slice(end, end + 200))
  }

  #dollars(tag: string): void {
    if (this.#platform !== 'postgresql' && this.#platform !== 'snowflake' && this.#platform) {
      this.#push('sign', '$', this.#at + 1)
      return
    }
    const start = this.#at + tag.length
    const closing = this.#text.indexOf(tag, start)
    if (closing === -1) this.#unclosed()
    else this.#push('text', this.#text.slice(start, closing), closing + tag.length)
  }

  #sign(sign: string): void {
    const isHashComment = sign === '#' && HASH_COMMENTS.has(this.#platform)
    const isSlashComment = this.#platform === 'snowflake' && this.#text.startsWith('//', this.#at)
    if (isHashComment || isSlashComment) this.#at = this.#after('\n', this.#at)
    else if (this.#platform === 'mysql' && this.#text.startsWith('*/', this.#at)) this.#at += 2
    else if (sign === ';') {
      this.#at += 1
      this.#finish()
    } else if (sign === '[' && !this.#isBracketName()) this.#push('sign', sign, this.#at + 1)
    else if (CLOSING.has(sign)) this.#quoted(sign, this.#hasBackslashes && this.#escapes(sign))
    else this.#push('sign', sign, this.#at + sign.length)
  }

  // A name has no backslashes, except in BigQuery.
  #escapes(opening: string): boolean {
    if (opening === '`') return this.#platform === 'bigquery'
    return this.#getKind(opening) === 'text'
  }

  // `[Order Date]` is a name of SQL Server, `integer[3]` and `[('a', 'b')]` are not.
  #isBracketName(): boolean {
    if (this.#platform !== undefined) return this.#platform === 'sqlserver'
    const before = this.#tokens.at(-1)
    const isBehindType = before?.end === this.#at && before.text !== '.' && before.text !== '('
    return !isBehindType && /[\p{L}_]/u.test(this.#text[this.#at + 1] ?? '')
  }

  #quoted(opening: string, hasBackslashes: boolean): void {
    const closing = CLOSING.get(opening) ?? opening
    const triple = this.#platform === 'bigquery' ? closing.repeat(3) : ''
    if (triple !== '' && this.#text.startsWith(triple, this.#at)) {
      const end = this.#text.indexOf(triple, this.#at + 3)
      if (end === -1) this.#unclosed()
      else this.#push('text', this.#text.slice(this.#at + 3, end), end + 3)
      return
    }
    const parts: string[] = []
    let from = this.#at + 1
    for (let at = from; at < this.#text.length; at += 1) {
      const unit = this.#text[at]
      if (unit === '\\' && hasBackslashes) {
        parts.push(this.#text.slice(from, at), escaped(this.#text[at + 1] ?? ''))
        at += 1
        from = at + 1
      } else if (unit === closing) {
        if (this.#text[at + 1] !== closing) {
          parts.push(this.#text.slice(from, at))
          this.#push(this.#getKind(opening), parts.join(''), at + 1)
          return
        }
        parts.push(this.#text.slice(from, at + 1))
        at += 1
        from = at + 1
      }
    }
    this.#unclosed()
  }

  // In MySQL, BigQuery and Spark, double quotes may enclose texts, and backticks names.
  #getKind(opening: string): 'text' | 'name' {
    if (opening === "'") return 'text'
    const isText =
      opening === '"' && ['mysql', 'bigquery', 'databricks', 'hive'].includes(this.#platform ?? '')
    return isText ? 'text' : 'name'
  }

  #push(kind: SqlToken['kind'], text: string, end: number): void {
    this.#tokens.push({ kind, text, start: this.#at, end })
    this.#at = end
  }

  #unclosed(): void {
    this.#statements.push({ tokens: this.#tokens, openQuote: this.#at })
    this.#tokens = []
    this.#at = this.#text.length
  }

  #finish(): void {
    const [first] = this.#tokens
    if (first !== undefined) this.#statements.push({ tokens: this.#tokens })
    // A dump's rows follow their COPY statement, up to a line with `\.`.
    if (
      first?.text.toLowerCase() === 'copy' &&
      this.#tokens.at(-1)?.text.toLowerCase() === 'stdin'
    ) {
      this.#at = this.#after('\n\\.', this.#at)
    }
    this.#tokens = []
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
])

function escaped(unit: string): string {
  return ESCAPES.get(unit) ?? unit
}
