// Locates the values of a text by their paths. The index of positions is built on first use: a document without
// problems needs none.

import { LineIndex, type Locator, type Position } from './problem.ts'
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

/** A text value in its text. */
interface Characters {
  /** The offset at which the value begins. */
  start: number
  /** Returns the offset of each of its characters, and of its end. */
  locate: () => Uint32Array
}

/** Locates the values of a text, and the characters of its text values. */
export class PlaceLocator<Content> implements Required<Locator> {
  readonly #text: string
  readonly #index: () => Place<Content>
  readonly #findCharacters: (content: Content) => Characters | undefined
  // Offsets of the characters of text values, by the offset at which the value begins.
  readonly #insides = new Map<number, Uint32Array>()
  #places: Place<Content> | undefined
  #lines: LineIndex | undefined

  /** `findCharacters` returns undefined for a value that is not text. */
  constructor(
    text: string,
    index: () => Place<Content>,
    findCharacters: (content: Content) => Characters | undefined,
  ) {
    this.#text = text
    this.#index = index
    this.#findCharacters = findCharacters
  }

  locate(path: Path): Position {
    return this.#toPosition(this.#nearest(path).place.offset)
  }

  locateInside(path: Path, offset: number): Position {
    const { place, isExact } = this.#nearest(path)
    const characters = isExact ? this.#findCharacters(place.content) : undefined
    if (characters === undefined) return this.#toPosition(place.offset)
    const { start, locate } = characters
    const offsets = this.#insides.get(start) ?? locate()
    this.#insides.set(start, offsets)
    return this.#toPosition(offsets[Math.max(0, Math.min(offset, offsets.length - 1))] ?? start)
  }

  #toPosition(offset: number): Position {
    this.#lines ??= new LineIndex(this.#text)
    return this.#lines.toPosition(offset)
  }

  // The position of a path, or of its nearest existing parent.
  #nearest(path: Path): { place: Place<Content>; isExact: boolean } {
    let place = (this.#places ??= this.#index())
    for (const step of path) {
      const next = place.inside.get(step)
      if (next === undefined) return { place, isExact: false }
      place = next
    }
    return { place, isExact: true }
  }
}
