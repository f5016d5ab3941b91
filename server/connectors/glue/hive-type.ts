/** Parses the types of Hive, with which AWS Glue describes columns: `struct<a:int,b:array<string>>`. */

import type { SourceColumn } from '../connector.ts'

/** The maximum nesting of types. */
const DEPTH_MAX = 64

/** The longest type that AWS Glue stores; a longer text is not parsed. */
const CHARACTERS_MAX = 131_072

/** The inner columns of a type. */
type HiveNesting = Pick<SourceColumn, 'properties' | 'items'>

/**
 * Returns the fields of a struct, the element of an array, or key and value of a map whose types are
 * nested. Simple types have neither, and types that cannot be parsed or are nested too deep.
 */
export function parseHiveNesting(text: string): HiveNesting {
  if (!text.includes('<') || text.length > CHARACTERS_MAX) return {}
  const parser = new Parser(text)
  const type = parser.readType(0)
  if (type === undefined || !parser.isAtEnd()) return {}
  const { type: _, ...nesting } = type
  return nesting
}

type HiveType = HiveNesting & { type: string }

// One or several words, with parameters: `decimal(10,2)`, `timestamp with local time zone`.
const SIMPLE_TYPE = /[a-z_]\w*(?:\s+[a-z_]\w*)*(?:\s*\([\d\s,]*\))?(?:\s+[a-z_]\w*)*/iy
const SPACES = /\s*/y
const HOLDER = /(struct|array|map|uniontype)\s*</iy
const PLAIN_NAME = /[^:<>,`]+/y
const QUOTED_NAME = /`((?:[^`]|``)+)`/y

class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    this.#skipSpaces()
    return this.#at === this.#text.length
  }

  /** Undefined = the text cannot be parsed. */
  readType(depth: number): HiveType | undefined {
    if (depth > DEPTH_MAX) return undefined
    this.#skipSpaces()
    const start = this.#at
    const holder = this.#match(HOLDER)?.[1]?.toLowerCase()
    if (holder === undefined) {
      const simple = this.#match(SIMPLE_TYPE)?.[0]
      return simple === undefined ? undefined : { type: simple }
    }
    const inner = this.#readInner(holder === 'struct', depth)
    if (inner === undefined) return undefined
    const nesting = toNesting(holder, inner)
    return nesting && { type: this.#text.slice(start, this.#at), ...nesting }
  }

  #readInner(isNamed: boolean, depth: number): SourceColumn[] | undefined {
    const inner: SourceColumn[] = []
    if (this.#accept('>')) return inner
    do {
      const name = isNamed ? this.#readName() : ''
      const type = name === undefined ? undefined : this.readType(depth + 1)
      if (name === undefined || type === undefined) return undefined
      inner.push({ name, ...type })
    } while (this.#accept(','))
    return this.#accept('>') ? inner : undefined
  }

  #readName(): string | undefined {
    this.#skipSpaces()
    const quoted = this.#match(QUOTED_NAME)?.[1]?.replaceAll('``', '`')
    const name = quoted ?? this.#match(PLAIN_NAME)?.[0].trim()
    return this.#accept(':') && name !== '' ? name : undefined
  }

  #accept(sign: string): boolean {
    this.#skipSpaces()
    if (this.#text[this.#at] !== sign) return false
    this.#at += 1
    return true
  }

  #skipSpaces(): void {
    this.#match(SPACES)
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match === null) return undefined
    this.#at += match[0].length
    return match
  }
}

function toNesting(holder: string, inner: readonly SourceColumn[]): HiveNesting | undefined {
  const [first, second] = inner
  if (holder === 'struct') return { properties: inner }
  if (holder === 'array') {
    return inner.length === 1 && first ? { items: { ...first, name: 'element' } } : undefined
  }
  // A value is of one of these types, which are not columns.
  if (holder === 'uniontype') return inner.length > 0 ? {} : undefined
  if (inner.length !== 2 || !first || !second) return undefined
  const isNested = inner.some(({ properties, items }) => properties ?? items)
  return isNested
    ? {
        properties: [
          { ...first, name: 'key' },
          { ...second, name: 'value' },
        ],
      }
    : {}
}
