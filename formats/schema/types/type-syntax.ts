// The syntax of types, regardless of their meaning: a few words, parameters in parentheses, and other
// types inside.

/** A parsed type. */
export interface TypeSyntax {
  /** The words in lower case, separated by one space: `timestamp with time zone`. */
  words: string
  /** The parameters in its parentheses: numbers, words, and texts without their quotes. */
  parameters?: string[]
  /** The number of elements in brackets: `float[3]`. */
  size?: number
  inner?: InnerType[]
  /** The collation and character set behind the type, in lower case: `collate utf8mb4_bin`. */
  collation?: string
}

/** A type inside another one. */
export interface InnerType {
  name?: string
  type: TypeSyntax
  required: boolean
  description?: string
}

/** The maximum depth of nested types. */
export const TYPE_DEPTH_MAX = 32

const TOKEN =
  /\s+|([\p{L}_][\p{L}\p{M}\p{N}_$]*)|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|'((?:[^'\\]|''|\\.)*)'|([-+]?\d+)|[^\s]/suy

// Types whose parentheses contain types.
const HOLDERS = new Set(['array', 'list', 'map', 'row', 'struct', 'object', 'record', 'nullable'])

// Words that end a type if they follow a complete one: the text after them is about the column.
const ENDS = new Set(['not', 'null', 'comment', 'options', 'collate', 'default', 'charset'])

interface Token {
  kind: 'word' | 'name' | 'text' | 'number' | 'sign' | 'end'
  text: string
}

/**
 * Parses the text of a type; undefined if it does not have the syntax of a type or is nested too deep.
 */
export function parseTypeText(text: string): TypeSyntax | undefined {
  try {
    const parser = new Parser(getTokens(text))
    const type = parser.type(0)
    const { collation } = parser.aboutColumn()
    if (!parser.isAtEnd() || type.words === '') return undefined
    return collation === undefined ? type : { ...type, collation }
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

class Unreadable extends Error {}

function getTokens(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [all, word, doubled, ticked, single, number] = match
    const quoted = doubled?.replaceAll('""', '"') ?? ticked?.replaceAll('``', '`')
    if (word !== undefined) tokens.push({ kind: 'word', text: word })
    // `"char"` of PostgreSQL is one byte, `char` is not.
    else if (doubled === 'char') tokens.push({ kind: 'name', text: all })
    else if (quoted !== undefined) tokens.push({ kind: 'name', text: quoted })
    else if (single !== undefined) tokens.push({ kind: 'text', text: unescaped(single) })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    // A quote without a closing one ends the parsing: searching for one after each quote would take
    // long.
    else if (/["'`]/.test(all)) throw new Unreadable()
    else if (all.trim() !== '') tokens.push({ kind: 'sign', text: all })
  }
  return tokens
}

function unescaped(text: string): string {
  return text.replaceAll(/''|\\(.)/gs, (_all, escaped?: string) => escaped ?? "'")
}

const END: Token = { kind: 'end', text: '' }

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  type(depth: number): TypeSyntax {
    if (depth > TYPE_DEPTH_MAX) throw new Unreadable()
    const words: string[] = []
    let syntax: TypeSyntax = { words: '' }
    for (;;) {
      const { kind, text } = this.#token()
      if (this.#endsType(words)) break
      if (kind === 'word' || kind === 'name') this.#word(words)
      else if (text === '(' && !('inner' in syntax) && !('parameters' in syntax)) {
        syntax = HOLDERS.has(words.join(' '))
          ? { ...syntax, inner: this.#inner(')', depth) }
          : { ...syntax, parameters: this.#parameters() }
      } else if (text === '<' && !('inner' in syntax)) {
        syntax = { ...syntax, inner: this.#inner('>', depth) }
      } else if (text === '[') return this.#bracket(words, syntax, depth)
      else break
    }
    return { ...syntax, words: words.join(' ') }
  }

  /** Reads words that may follow a type. */
  aboutColumn(): { required: boolean; description?: string; collation?: string } {
    const collations: string[] = []
    let required = false
    let description: string | undefined
    for (;;) {
      const word = this.#isWord() ? this.#token().text.toLowerCase() : ''
      if (word === 'not' && this.#token(1).text.toLowerCase() === 'null') {
        required = true
        this.#at += 2
      } else if (word === 'null') this.#at += 1
      else if (word === 'comment' && this.#token(1).kind === 'text') {
        description = this.#token(1).text
        this.#at += 2
      } else if (/^(?:collate|charset|character)$/.test(word)) {
        const name = this.#token(word === 'character' ? 2 : 1).text
        collations.push(`${word === 'collate' ? word : 'charset'} ${name.toLowerCase()}`)
        this.#at += word === 'character' ? 3 : 2
      } else if (word === 'options' && this.#token(1).text === '(') {
        this.#at += 1
        description = optionalDescription(this.#parameters()) ?? description
      } else break
    }
    return {
      required,
      ...(description === undefined ? {} : { description }),
      ...(collations.length > 0 && { collation: collations.toSorted().join(' ') }),
    }
  }

  #token(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? END
  }

  #isWord(): boolean {
    return this.#token().kind === 'word'
  }

  #word(words: string[]): void {
    const { text } = this.#token()
    this.#at += 1
    // The part before a point is the schema of the type.
    if (this.#token().text === '.') {
      this.#at += 1
      return
    }
    words.push(text.toLowerCase())
  }

  #endsType(words: readonly string[]): boolean {
    if (!this.#isWord() || words.length === 0) return false
    const word = this.#token().text.toLowerCase()
    if (word === 'character') return this.#token(1).text.toLowerCase() === 'set'
    return ENDS.has(word)
  }

  // `integer[3]` contains integers; `[int]` is an int in the brackets of SQL Server.
  #bracket(words: readonly string[], syntax: TypeSyntax, depth: number): TypeSyntax {
    if (words.length === 0) {
      this.#at += 1
      const type = this.type(depth + 1)
      this.#expect(']')
      const parameters = this.#token().text === '(' ? { parameters: this.#parameters() } : {}
      return { ...type, ...parameters }
    }
    let type: TypeSyntax = { ...syntax, words: words.join(' ') }
    for (let arrays = 1; this.#token().text === '['; arrays += 1) {
      if (depth + arrays > TYPE_DEPTH_MAX) throw new Unreadable()
      this.#at += 1
      const size = this.#token().kind === 'number' ? Number(this.#token().text) : undefined
      if (size !== undefined) this.#at += 1
      this.#expect(']')
      type = { words: 'array', inner: [{ type, required: false }], ...(size && { size }) }
    }
    return type
  }

  #parameters(): string[] {
    this.#at += 1
    const parameters: string[] = []
    let part = ''
    for (let depth = 0; ; this.#at += 1) {
      const { kind, text } = this.#token()
      if (kind === 'end') throw new Unreadable()
      if (text === '(' && kind === 'sign') depth += 1
      if (text === ')' && kind === 'sign') {
        if (depth === 0) break
        depth -= 1
      }
      if (text === ',' && kind === 'sign' && depth === 0) {
        parameters.push(part)
        part = ''
      } else part += part !== '' && kind === 'word' ? ` ${text}` : text
    }
    this.#at += 1
    parameters.push(part)
    return parameters
  }

  #inner(end: '>' | ')', depth: number): InnerType[] {
    this.#at += 1
    const inner: InnerType[] = []
    while (this.#token().text !== end) {
      if (inner.length > 0) this.#expect(',')
      inner.push(this.#innerType(depth))
    }
    this.#at += 1
    return inner
  }

  #innerType(depth: number): InnerType {
    const { kind, text } = this.#token()
    const next = this.#token(1)
    const isNamed =
      (kind === 'word' || kind === 'name' || kind === 'number') &&
      (next.text === ':' || next.kind === 'word' || next.kind === 'name') &&
      !(kind === 'word' && isTwoWordType(text, next.text))
    if (isNamed) this.#at += next.text === ':' ? 2 : 1
    const type = this.type(depth + 1)
    if (type.words === '') throw new Unreadable()
    const { collation, ...about } = this.aboutColumn()
    if (collation !== undefined) type.collation = collation
    return { ...(isNamed ? { name: text } : {}), type, ...about }
  }

  #expect(sign: string): void {
    if (this.#token().text !== sign) throw new Unreadable()
    this.#at += 1
  }
}

// `ARRAY(INT NOT NULL)` and `MAP(VARCHAR, DOUBLE PRECISION)` contain types without names.
function isTwoWordType(first: string, second: string): boolean {
  const word = second.toLowerCase()
  if (word === 'not' || word === 'null') return true
  return first.toLowerCase() === 'double' && word === 'precision'
}

function optionalDescription(parameters: readonly string[]): string | undefined {
  const description = parameters.find((parameter) => /^description\s*=/i.test(parameter))
  return description?.replace(/^description\s*=\s*/i, '')
}
