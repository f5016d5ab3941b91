import type { Member, Spot } from './spot.ts'

const BLANKS = /[\s,:]*/y
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y
const SCALAR = /[^\s,:[\]{}"]+/y

/** Finds the offsets of the values of a valid JSON text. */
export function findJsonSpots(text: string): Spot {
  return new Walk(text).value()
}

class Walk {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(): Spot {
    this.#pass(BLANKS)
    const start = this.#at
    const first = this.#text[start]
    if (first === '{' || first === '[') return this.#collection(start, first === '[')
    this.#pass(first === '"' ? STRING : SCALAR)
    return { style: 'scalar', isList: false, start, end: this.#at, members: [] }
  }

  #collection(start: number, isList: boolean): Spot {
    const members: Member[] = []
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

  #item(name: number): Member {
    const value = this.value()
    return { name, start: value.start, nameEnd: value.start, value }
  }

  #field(): Member {
    const start = this.#at
    this.#pass(STRING)
    const nameEnd = this.#at
    const name = String(JSON.parse(this.#text.slice(start, nameEnd)))
    return { name, start, nameEnd, value: this.value() }
  }

  #pass(pattern: RegExp): void {
    pattern.lastIndex = this.#at
    // Prevents an infinite loop if the text is not JSON.
    if (pattern.exec(this.#text) !== null) this.#at = pattern.lastIndex
    else this.#at += 1
  }
}
