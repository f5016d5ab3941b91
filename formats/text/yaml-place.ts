// Locates all values of a YAML text, including those of aliases.

import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import { type Place, PlaceLocator } from './place.ts'
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

/** Locates the values of a YAML document. */
export function createYamlLocator(text: string, { contents }: YamlDocument): PlaceLocator<unknown> {
  return new PlaceLocator(
    text,
    () => ({ offset: getOffset(contents, 0), ...new PlaceIndex().of(contents) }),
    (node) => {
      if (!isScalar(node) || typeof node.value !== 'string' || !node.range) return undefined
      const { value } = node
      const [start, end] = node.range
      return { start, locate: () => locateCharacters(text, { start, end, value }) }
    },
  )
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
