// Locates all values of a YAML text, including those of aliases.

import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import { nearestPlace, type Place } from './json-place.ts'
import { LineIndex, type Locator, type Position } from './problem.ts'
import type { Path } from './value.ts'
import { locateCharacters } from './yaml-inside.ts'
import type { YamlDocument } from './yaml-parse.ts'

/** Returns the offset of a node; `otherwise` if it has none. */
export function getOffset(node: unknown, otherwise: number): number {
  const isPlaced = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node)
  return isPlaced ? (node.range?.[0] ?? otherwise) : otherwise
}

/** Returns the name of a key of an object: for `1` and `true` their text. */
export function getKeyName(key: unknown): string {
  if (!isScalar(key)) return ''
  return typeof key.value === 'string' ? key.value : (key.source ?? '')
}

/** Returns whether a node may have an anchor. */
export function hasAnchor(node: unknown): node is { anchor?: string } {
  return isMap(node) || isSeq(node) || isScalar(node)
}

/** Locates the values of a YAML document. Its index is built on first use. */
export class YamlLocator implements Required<Locator> {
  readonly #text: string
  readonly #document: YamlDocument
  // Offsets of the characters of text values, by the offset at which the value begins.
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
    const offsets = this.#insides.get(start) ?? locateCharacters(this.#text, { start, end, value })
    this.#insides.set(start, offsets)
    return this.#positionOf(offsets[Math.max(0, Math.min(offset, value.length))] ?? start)
  }

  #positionOf(offset: number): Position {
    this.#lines ??= new LineIndex(this.#text)
    return this.#lines.positionOf(offset)
  }

  #index(): Place {
    const { contents } = this.#document
    this.#places ??= { offset: getOffset(contents, 0), ...new PlaceIndex().of(contents) }
    return this.#places
  }
}

type Contents = Pick<Place, 'content' | 'inside'>

// Traverses the tree in the order of the text, like the reader, so that aliases refer to the same values.
class PlaceIndex {
  readonly #anchors = new Map<string, Contents>()

  of(node: unknown): Contents {
    if (isAlias(node)) return this.#anchors.get(node.source) ?? { content: node, inside: new Map() }
    const inside: Place['inside'] = new Map()
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const offset = getOffset(key, getOffset(node, 0))
        this.of(key)
        inside.set(getKeyName(key), { offset, ...this.of(value) })
      }
    } else if (isSeq(node)) {
      for (const item of node.items) {
        const offset = getOffset(item, getOffset(node, 0))
        inside.set(inside.size, { offset, ...this.of(item) })
      }
    }
    const contents = { content: node, inside }
    if (hasAnchor(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, contents)
    return contents
  }
}
