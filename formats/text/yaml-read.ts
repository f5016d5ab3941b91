// Parses YAML documents to the same values as JSON. Features of YAML that JSON does not have (tags, several documents
// in one text, field names that are lists) are rejected, and values repeated by aliases count like written values.

import { type Alias, isAlias, isMap, isScalar, isSeq, type Scalar, type YAMLMap } from 'yaml'
import { rejectBrokenText, requireObject } from './json-read.ts'
import type { Bounds, ParsedText } from './json-read.ts'
import { DEPTH_MAX, INFINITE_MESSAGE, NUL_MESSAGE } from './json-scan.ts'
import { jsonNumberText, NUMBER_CHARS_MAX, parseNumber, parseSpelledNumber } from './number.ts'
import { type ParseFailure, toParseFailure, Stop } from './problem.ts'
import { clip, isObject, type Value } from './value.ts'
import { parseYaml, type YamlDocument } from './yaml-parse.ts'
import { hasAnchor, getKeyName, getOffset, createYamlLocator } from './yaml-place.ts'

/** The maximum total length of all texts that aliases repeat, in characters. */
const ALIAS_CHARS_MAX = 5 * 1024 * 1024

type ReadNumber = (jsonNumber: string) => Value | undefined

/** Parses a YAML text, or returns its problems. */
export function readYaml(text: string, bounds: Bounds): ParsedText | ParseFailure {
  try {
    rejectBrokenText(text, 'YAML')
    const nul = text.indexOf('\0')
    if (nul !== -1) throw new Stop('unacceptable', nul, NUL_MESSAGE)
    const document = parseYaml(text, bounds.nodesMax)
    const places = createYamlLocator(text, document)
    return {
      ok: true,
      value: new Reader(parseNumber, bounds).document(document),
      spelled: () => new Reader(parseSpelledNumber, bounds).document(document),
      locate: (path) => places.locate(path),
      locateInside: (path, offset) => places.locateInside(path, offset),
    }
  } catch (error) {
    if (error instanceof Stop) return toParseFailure(error, text)
    throw error
  }
}

class Reader {
  readonly #readNumber: ReadNumber
  readonly #bounds: Bounds
  // The values of the anchors at this point of the text; undefined while the value is being read.
  readonly #anchors = new Map<string, Value | undefined>()
  #nodes = 0
  #aliasChars = 0

  constructor(readNumber: ReadNumber, bounds: Bounds) {
    this.#readNumber = readNumber
    this.#bounds = bounds
  }

  document({ contents }: YamlDocument): Value {
    if (contents === null || (isScalar(contents) && contents.source === '' && isPlain(contents))) {
      throw new Stop('malformed', 0, 'The body is empty; send a YAML document.')
    }
    const value = this.#value(contents, 0, 0)
    if (this.#bounds.top === 'object') requireObject(value, getOffset(contents, 0))
    return value
  }

  // The recursion is as deep as the document, which is at most DEPTH_MAX.
  #value(node: unknown, depth: number, parentOffset: number): Value {
    const offset = getOffset(node, parentOffset)
    if (isAlias(node)) return this.#repeated(node, depth, offset)
    const anchor = hasAnchor(node) ? node.anchor : undefined
    if (anchor !== undefined) this.#anchors.set(anchor, undefined)
    const value = this.#written(node, depth, offset)
    if (anchor !== undefined) this.#anchors.set(anchor, value)
    return value
  }

  #written(node: unknown, depth: number, offset: number): Value {
    this.#countNode(offset)
    if (isMap(node)) return this.#object(node, depth + 1, offset)
    if (isSeq(node)) {
      checkDepth(depth + 1, offset)
      return node.items.map((item) => this.#value(item, depth + 1, offset))
    }
    return isScalar(node) ? this.#scalar(node, offset) : null
  }

  #object(map: YAMLMap, depth: number, offset: number): Value {
    checkDepth(depth, offset)
    const names = new Set<string>()
    const fields: [string, Value][] = []
    for (const { key, value } of map.items) {
      const nameOffset = getOffset(key, offset)
      const name = this.#name(key, nameOffset)
      if (names.size === names.add(name).size) {
        const message = `The field "${clip(name)}" appears twice; keep one of them.`
        throw new Stop('malformed', nameOffset, message)
      }
      fields.push([name, this.#value(value, depth, nameOffset)])
    }
    return Object.fromEntries(fields)
  }

  // A name such as `1` or `true` is its text.
  #name(key: unknown, offset: number): string {
    if (key !== null && !isScalar(key)) {
      throw new Stop('malformed', offset, 'A field name must be text; write "name: value".')
    }
    if (key?.anchor !== undefined) this.#anchors.set(key.anchor, this.#scalar(key, offset))
    return storable(getKeyName(key), offset)
  }

  #scalar(node: Scalar, offset: number): Value {
    const { value, source = '' } = node
    if (typeof value === 'string') return storable(value, offset)
    if (typeof value === 'number') return this.#number(value, source, offset)
    return typeof value === 'boolean' ? value : null
  }

  #number(double: number, source: string, offset: number): Value {
    if (source.length > NUMBER_CHARS_MAX) {
      const message = `This number has more than ${NUMBER_CHARS_MAX} characters.`
      throw new Stop('unacceptable', offset, message)
    }
    const isFinite = Number.isFinite(double) && Number.isFinite(Number(jsonNumberText(source)))
    const number = isFinite ? this.#readNumber(jsonNumberText(source)) : undefined
    if (number === undefined) throw new Stop('unacceptable', offset, INFINITE_MESSAGE)
    return number
  }

  // A value that an alias repeats counts as if it were written, so that a small text cannot expand to a huge
  // document.
  #repeated(alias: Alias, depth: number, offset: number): Value {
    const value = this.#anchors.get(alias.source)
    if (value === undefined) {
      const name = clip(alias.source)
      const message = this.#anchors.has(alias.source)
        ? `The alias "*${name}" is inside the value that it repeats; write out the value.`
        : `The alias "*${name}" has no anchor "&${name}" before it; put the text in quotes.`
      throw new Stop('malformed', offset, message)
    }
    this.#countRepeated(value, depth, offset)
    return value
  }

  #countRepeated(value: Value, depth: number, offset: number): void {
    this.#countNode(offset)
    if (typeof value === 'string') this.#countAliasChars(value.length, offset)
    if (Array.isArray(value)) {
      checkDepth(depth + 1, offset)
      for (const item of value) this.#countRepeated(item, depth + 1, offset)
    } else if (isObject(value)) {
      checkDepth(depth + 1, offset)
      for (const [name, member] of Object.entries(value)) {
        this.#countAliasChars(name.length, offset)
        this.#countRepeated(member, depth + 1, offset)
      }
    }
  }

  #countNode(offset: number): void {
    this.#nodes += 1
    if (this.#nodes > this.#bounds.nodesMax) {
      const message = `The document has more than ${this.#bounds.nodesMax} values; split it.`
      throw new Stop('unacceptable', offset, message)
    }
  }

  #countAliasChars(chars: number, offset: number): void {
    this.#aliasChars += chars
    if (this.#aliasChars > ALIAS_CHARS_MAX) {
      throw new Stop('unacceptable', offset, 'Aliases repeat too much text here; shorten it.')
    }
  }
}

function checkDepth(depth: number, offset: number): void {
  if (depth <= DEPTH_MAX) return
  const message = `Objects and lists are nested more than ${DEPTH_MAX} levels deep here; flatten them.`
  throw new Stop('unacceptable', offset, message)
}

function storable(text: string, offset: number): string {
  if (text.includes('\0')) throw new Stop('unacceptable', offset, NUL_MESSAGE)
  if (text.isWellFormed()) return text
  const message = 'This text contains half a character (a lone surrogate); write both halves.'
  throw new Stop('malformed', offset, message)
}

function isPlain(node: Scalar): boolean {
  return node.type === 'PLAIN'
}
