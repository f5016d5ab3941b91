// Scans a JSON text once before it is parsed. `JSON.parse` accepts texts that a catalog must reject (repeated fields,
// lone surrogates, infinite numbers, unlimited nesting), and does not report positions.

import { NUMBER_CHARS_MAX, parseNumber } from './number.ts'
import { Stop } from './problem.ts'
import { clip, ExactNumber } from './value.ts'

/** The maximum nesting of objects and lists. */
export const DEPTH_MAX = 64

/** The default maximum number of values in a text: objects, lists, texts, numbers, true, false and null. */
export const NODES_MAX = 100_000

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const LEFT_BRACKET = 0x5b
const BACKSLASH = 0x5c
const RIGHT_BRACKET = 0x5d
const LETTER_U = 0x75
const LEFT_BRACE = 0x7b
const RIGHT_BRACE = 0x7d

const KEYWORDS = ['true', 'false', 'null']
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y
const FOUR_HEX_DIGITS = /[0-9a-fA-F]{4}/y

/** The message about a NUL character, which databases cannot store. */
export const NUL_MESSAGE = 'NUL characters cannot be stored; remove this one.'

/** The message about a number beyond the range of a double, and about YAML's `.inf` and `.nan`. */
export const INFINITE_MESSAGE =
  'This number is infinite or not a number; use a smaller one, or put it in quotes.'

/** The result of a scan. */
interface JsonScan {
  /** Whether a number has digits that a double would lose. */
  hasExactNumbers: boolean
  /** The total number of fields in all objects. */
  nameCount: number
}

/** Validates a JSON text against the grammar and the limits; throws a `Stop` at the first violation. */
export function scanJson(text: string, nodesMax = NODES_MAX): JsonScan {
  return new Scanner(text, nodesMax, false).document()
}

/**
 * Throws a `Stop` at the first repeated field. Comparing names is slow, so this is only called if the parsed values
 * have fewer names than the text.
 */
export function rejectRepeatedNames(text: string): void {
  new Scanner(text, Number.POSITIVE_INFINITY, true).document()
}

class Scanner {
  readonly #text: string
  readonly #nodesMax: number
  readonly #comparesNames: boolean
  #at = 0
  #nodes = 0
  #names = 0
  #hasExactNumbers = false

  constructor(text: string, nodesMax: number, comparesNames: boolean) {
    this.#text = text
    this.#nodesMax = nodesMax
    this.#comparesNames = comparesNames
  }

  document(): JsonScan {
    this.#skipSpace()
    this.#value(0)
    this.#skipSpace()
    if (this.#at < this.#text.length) {
      throw this.#malformed('Unexpected text after the end of the document; remove it.')
    }
    return { hasExactNumbers: this.#hasExactNumbers, nameCount: this.#names }
  }

  // The recursion is as deep as the document, which is at most DEPTH_MAX.
  #value(depth: number): void {
    this.#nodes += 1
    if (this.#nodes > this.#nodesMax) {
      throw this.#unacceptable(`The document has more than ${this.#nodesMax} values; split it.`)
    }
    const code = this.#text.charCodeAt(this.#at)
    if (code === QUOTE) this.#string()
    else if (code === LEFT_BRACE) this.#object(depth + 1)
    else if (code === LEFT_BRACKET) this.#list(depth + 1)
    else if (code === MINUS || (code >= ZERO && code <= NINE)) this.#number()
    else this.#keyword()
  }

  #object(depth: number): void {
    if (this.#opensEmpty(depth, RIGHT_BRACE)) return
    const names = this.#comparesNames ? new Set<string>() : undefined
    for (;;) {
      this.#name(names)
      this.#value(depth)
      if (this.#closes(RIGHT_BRACE)) return
      if (this.#text.charCodeAt(this.#at) === RIGHT_BRACE) {
        throw this.#malformed('Trailing comma before "}"; remove it.')
      }
    }
  }

  #list(depth: number): void {
    if (this.#opensEmpty(depth, RIGHT_BRACKET)) return
    for (;;) {
      this.#value(depth)
      if (this.#closes(RIGHT_BRACKET)) return
      if (this.#text.charCodeAt(this.#at) === RIGHT_BRACKET) {
        throw this.#malformed('Trailing comma before "]"; remove it.')
      }
    }
  }

  // Skips an opening bracket; returns true if the closing one follows immediately.
  #opensEmpty(depth: number, end: number): boolean {
    if (depth > DEPTH_MAX) {
      throw this.#unacceptable(
        `Objects and lists are nested more than ${DEPTH_MAX} levels deep here; flatten them.`,
      )
    }
    this.#at += 1
    this.#skipSpace()
    if (this.#text.charCodeAt(this.#at) !== end) return false
    this.#at += 1
    return true
  }

  // Skips the separator after a member: true for the closing bracket, false for a comma.
  #closes(end: number): boolean {
    this.#skipSpace()
    const code = this.#text.charCodeAt(this.#at)
    if (code !== end && code !== COMMA) throw this.#expected(`"," or "${String.fromCharCode(end)}"`)
    this.#at += 1
    if (code === end) return true
    this.#skipSpace()
    return false
  }

  #name(names: Set<string> | undefined): void {
    const start = this.#at
    if (this.#text.charCodeAt(start) !== QUOTE)
      throw this.#expected('a field name in double quotes')
    this.#string()
    this.#names += 1
    if (names !== undefined) this.#refuseRepeated(names, start)
    this.#skipSpace()
    if (this.#text.charCodeAt(this.#at) !== COLON) throw this.#expected('":"')
    this.#at += 1
    this.#skipSpace()
  }

  #refuseRepeated(names: Set<string>, start: number): void {
    const name = String(JSON.parse(this.#text.slice(start, this.#at)))
    if (names.size < names.add(name).size) return
    const message = `The field "${clip(name)}" appears twice; keep one of them.`
    throw this.#malformed(message, start)
  }

  #string(): void {
    const text = this.#text
    let at = this.#at + 1
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) break
      if (code === BACKSLASH) at = this.#escape(at)
      else if (code >= 0x20) at += 1
      else throw this.#notInString(at, code)
    }
    this.#at = at + 1
  }

  // Returns the offset after an escape that begins at the given offset.
  #escape(at: number): number {
    const code = this.#text.charCodeAt(at + 1)
    if (code !== LETTER_U) {
      if (code >= 0x20 && '"\\/bfnrt'.includes(String.fromCharCode(code))) return at + 2
      throw this.#malformed('Invalid escape; write "\\\\" for a backslash.', at)
    }
    const unit = this.#escapedUnit(at)
    if (unit === 0) throw this.#unacceptable(NUL_MESSAGE, at)
    if (unit < 0xd800 || unit > 0xdfff) return at + 6
    const low =
      unit < 0xdc00 && this.#text.startsWith('\\u', at + 6) ? this.#escapedUnit(at + 6) : 0
    if (low >= 0xdc00 && low <= 0xdfff) return at + 12
    throw this.#malformed(
      'Half a character (a lone surrogate) is not valid; write both halves.',
      at,
    )
  }

  #escapedUnit(at: number): number {
    FOUR_HEX_DIGITS.lastIndex = at + 2
    const digits = FOUR_HEX_DIGITS.exec(this.#text)
    if (digits === null) throw this.#malformed('"\\u" needs four hexadecimal digits.', at)
    return Number.parseInt(digits[0], 16)
  }

  #number(): void {
    const start = this.#at
    NUMBER.lastIndex = start
    const spelling = NUMBER.exec(this.#text)?.[0]
    if (spelling === undefined) throw this.#expected('a digit')
    this.#at += spelling.length
    if (/[\w.+-]/.test(this.#text.charAt(this.#at))) {
      throw this.#malformed('This is not a JSON number; put it in quotes if it is text.', start)
    }
    if (spelling.length > NUMBER_CHARS_MAX) {
      throw this.#unacceptable(`This number has more than ${NUMBER_CHARS_MAX} characters.`, start)
    }
    const number = parseNumber(spelling)
    if (number === undefined) throw this.#unacceptable(INFINITE_MESSAGE, start)
    if (number instanceof ExactNumber) this.#hasExactNumbers = true
  }

  #keyword(): void {
    const keyword = KEYWORDS.find((word) => this.#text.startsWith(word, this.#at))
    if (keyword === undefined) throw this.#expected('a value')
    this.#at += keyword.length
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at += 1
    }
  }

  #notInString(at: number, code: number): Stop {
    if (Number.isNaN(code))
      return this.#malformed('The text ends inside a string; """ is missing.', at)
    if (code === 0) return this.#unacceptable(NUL_MESSAGE, at)
    return this.#malformed(
      'This string contains a line break, tab or control character; escape it ("\\n").',
      at,
    )
  }

  #expected(what: string): Stop {
    const found = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0)
    if (this.#at >= this.#text.length) {
      return this.#malformed(`The text ends too early; ${what} is missing.`)
    }
    return this.#malformed(`Expected ${what} here, found "${found}".`)
  }

  #malformed(message: string, offset = this.#at): Stop {
    return new Stop('malformed', offset, message)
  }

  #unacceptable(message: string, offset = this.#at): Stop {
    return new Stop('unacceptable', offset, message)
  }
}
