import type { Place } from './place.ts'
import type { CstMember, CstNode } from './spot.ts'

const BLANKS = /[\s,:]*/y
const SCALAR = /[^\s,:[\]{}"]+/y

/** Finds the offsets of the values of a valid JSON text; nothing is validated. */
export function findJsonSpots(text: string): CstNode {
  return new Walk(text).value()
}

/** Returns the positions of all values of a valid JSON text, by their paths. */
export function locateJsonValues(text: string): Place<number> {
  const top = findJsonSpots(text)
  return toPlace(top.start, top)
}

const NOTHING_INSIDE: Place<number>['inside'] = new Map()

function toPlace(offset: number, { start, members }: CstNode): Place<number> {
  const inside =
    members.length === 0
      ? NOTHING_INSIDE
      : new Map(members.map((one) => [one.name, toPlace(one.start, one.value)]))
  return { offset, content: start, inside }
}

class Walk {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(): CstNode {
    this.#pass(BLANKS)
    const start = this.#at
    const first = this.#text[start]
    if (first === '{' || first === '[') return this.#collection(start, first === '[')
    if (first === '"') this.#passString()
    else this.#pass(SCALAR)
    return { style: 'scalar', isList: false, start, end: this.#at, members: [] }
  }

  #collection(start: number, isList: boolean): CstNode {
    const members: CstMember[] = []
    this.#at += 1
    for (;;) {
      this.#pass(BLANKS)
      const at = this.#text[this.#at]
      if (at === undefined || at === ']' || at === '}') break
      members.push(isList ? this.#item(members.length) : this.#field())
    }
    this.#at += 1
    return { style: 'flow', isList, start, end: this.#at, members }
  }

  #item(name: number): CstMember {
    const value = this.value()
    return { name, start: value.start, nameEnd: value.start, value }
  }

  #field(): CstMember {
    const start = this.#at
    this.#passString()
    const nameEnd = this.#at
    const name = String(JSON.parse(this.#text.slice(start, nameEnd)))
    return { name, start, nameEnd, value: this.value() }
  }

  #passString(): void {
    let end = this.#text.indexOf('"', this.#at + 1)
    while (isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1)
    this.#at = end === -1 ? this.#text.length : end + 1
  }

  #pass(pattern: RegExp): void {
    pattern.lastIndex = this.#at
    // Prevents an infinite loop if the text is not JSON.
    if (pattern.exec(this.#text) !== null) this.#at = pattern.lastIndex
    else this.#at += 1
  }
}

// A quote is escaped if an odd number of backslashes precedes it.
function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text[quote - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}
