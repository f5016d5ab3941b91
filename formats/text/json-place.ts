// Locates all values of a JSON text. Only for texts that the scan has accepted: nothing is validated again.

import type { Path } from './value.ts'

/**
 * The position of a value: the offset of its name (for a field) or of itself (in a list), and the positions inside
 * it.
 */
export interface Place<Content = unknown> {
  offset: number
  /** In JSON the offset of the value itself, in YAML its node. */
  content: Content
  inside: Map<string | number, Place<Content>>
}

/** Returns the positions of all values of a scanned JSON text. */
export function locateValues(text: string): Place<number> {
  return new Walk(text).document()
}

/** Returns the position of a path, or of its nearest existing parent. */
export function nearestPlace<Content>(
  places: Place<Content>,
  path: Path,
): { place: Place<Content>; isExact: boolean } {
  let place = places
  for (const step of path) {
    const next = place.inside.get(step)
    if (next === undefined) return { place, isExact: false }
    place = next
  }
  return { place, isExact: true }
}

const NOTHING_INSIDE: Map<string | number, Place<number>> = new Map()
const SPACE_AND_COMMAS = /[\s,:]*/y
const SCALAR = /[^\s,:[\]{}"]+/y

class Walk {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): Place<number> {
    this.#skip(SPACE_AND_COMMAS)
    return { offset: this.#at, content: this.#at, inside: this.#value() }
  }

  #value(): Map<string | number, Place<number>> {
    const first = this.#text[this.#at]
    if (first === '{') return this.#members('}')
    if (first === '[') return this.#members(']')
    if (first === '"') this.#skipString()
    else this.#skip(SCALAR)
    return NOTHING_INSIDE
  }

  #members(end: '}' | ']'): Map<string | number, Place<number>> {
    const inside = new Map<string | number, Place<number>>()
    this.#at += 1
    for (;;) {
      this.#skip(SPACE_AND_COMMAS)
      const offset = this.#at
      if (this.#text[offset] === end) break
      const step = end === '}' ? this.#name() : inside.size
      inside.set(step, { offset, content: this.#at, inside: this.#value() })
    }
    this.#at += 1
    return inside
  }

  #name(): string {
    const start = this.#at
    this.#skipString()
    const name = String(JSON.parse(this.#text.slice(start, this.#at)))
    this.#skip(SPACE_AND_COMMAS)
    return name
  }

  #skipString(): void {
    let end = this.#text.indexOf('"', this.#at + 1)
    while (isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1)
    this.#at = end + 1
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at
    pattern.exec(this.#text)
    this.#at = Math.max(this.#at, pattern.lastIndex)
  }
}

// A quote is escaped if an odd number of backslashes precedes it.
function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text[quote - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}
