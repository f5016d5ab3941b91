// Finds the positions of all values in a YAML text, and the targets of aliases.

import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import { nearestPlace, type Place } from './json-place.ts'
import { LineIndex, type Locator, type Position } from './problem.ts'
import type { Path } from './value.ts'
import { offsetsOf } from './yaml-inside.ts'
import type { YamlDocument } from './yaml-parse.ts'

/** Gives the offset of a node; where it has none, the other one. */
export function offsetOf(node: unknown, otherwise: number): number {
  const isPlaced = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node)
  return isPlaced ? (node.range?.[0] ?? otherwise) : otherwise
}

/** Returns the name of a key: `1` and `true` are taken as their text. */
export function nameOf(key: unknown): string {
  if (!isScalar(key)) return ''
  return typeof key.value === 'string' ? key.value : (key.source ?? '')
}

/** Returns whether a node may have an anchor. */
export function hasAnchor(node: unknown): node is { anchor?: string } {
  return isMap(node) || isSeq(node) || isScalar(node)
}

/** Finds the places of a YAML document. Its index is built when the first place is asked for. */
export class YamlLocator implements Required<Locator> {
  readonly #text: string
  readonly #document: YamlDocument
  // The offsets of characters in string values, by the offset of the value.
  readonly #insides = new Map<number, Uint32Array>()
  #places: Place | undefined
  #lines: LineIndex | undefined

  constructor(text: string, document: YamlDocument) {
    this.#text = text
    this.#document = document
  }

  locate(path: Path): Position {
    return this.#positionOf(nearestPlace(this.#index(), path).place.offset)
  }

  locateInside(path: Path, offset: number): Position {
    const { place, isExact } = nearestPlace(this.#index(), path)
    const { content } = place
    if (!isExact || !isScalar(content) || typeof content.value !== 'string' || !content.range) {
      return this.#positionOf(place.offset)
    }
    const { value } = content
    const [start, end] = content.range
    const offsets = this.#insides.get(start) ?? offsetsOf(this.#text, { start, end, value })
    this.#insides.set(start, offsets)
    return this.#positionOf(offsets[Math.max(0, Math.min(offset, value.length))] ?? start)
  }

  #positionOf(offset: number): Position {
    this.#lines ??= new LineIndex(this.#text)
    return this.#lines.positionOf(offset)
  }

  #index(): Place {
    const { contents } = this.#document
    this.#places ??= { offset: offsetOf(contents, 0), ...new Places().of(contents) }
    return this.#places
  }
}

type Contents = Pick<Place, 'content' | 'inside'>

// Walks the tree in the order of the text, like the reader, so that an alias leads to the same value.
class Places {
  readonly #anchors = new Map<string, Contents>()

  of(node: unknown): Contents {
    if (isAlias(node)) return this.#anchors.get(node.source) ?? { content: node, inside: new Map() }
    const inside: Place['inside'] = new Map()
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const offset = offsetOf(key, offsetOf(node, 0))
        this.of(key)
        inside.set(nameOf(key), { offset, ...this.of(value) })
      }
    } else if (isSeq(node)) {
      for (const item of node.items) {
        const offset = offsetOf(item, offsetOf(node, 0))
        inside.set(inside.size, { offset, ...this.of(item) })
      }
    }
    const contents = { content: node, inside }
    if (hasAnchor(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, contents)
    return contents
  }
}
