import { isMap, isScalar, isSeq } from 'yaml'
import { NODES_MAX } from '../json-scan.ts'
import type { MediaType } from '../text.ts'
import { parseYaml } from '../yaml-parse.ts'
import { nameOf, offsetOf } from '../yaml-place.ts'
import { findJsonSpots } from './json-spot.ts'
import type { Member, Spot } from './spot.ts'

/** Finds where the values of a valid text begin and end. Errors: Stop, for a text that was not read before. */
export function findSpots(text: string, mediaType: MediaType): Spot {
  if (mediaType === 'application/json') return findJsonSpots(text)
  const { contents } = parseYaml(text, NODES_MAX)
  return yamlSpot(contents, text, 0)
}

function yamlSpot(node: unknown, text: string, missing: number): Spot {
  const start = offsetOf(node, missing)
  const style = isMap(node) || isSeq(node) ? (node.flow === true ? 'flow' : 'block') : 'scalar'
  const members = membersOf(node, text)
  const end = style === 'block' ? (members.at(-1)?.value.end ?? start) : endOf(node, start)
  return { style, isList: isSeq(node), start, end, members }
}

function membersOf(node: unknown, text: string): Member[] {
  if (isMap(node)) {
    return node.items.map(({ key, value }) => {
      const start = offsetOf(key, 0)
      const nameEnd = endOf(key, start)
      // An absent value is located after blanks and comments; an edit needs the position after its colon.
      const isAbsent =
        !isPlaced(value) || (isScalar(value) && value.source === '' && value.type === 'PLAIN')
      const colon = text.indexOf(':', nameEnd) + 1
      return isAbsent
        ? { name: nameOf(key), start, nameEnd, value: nothingAt(colon) }
        : { name: nameOf(key), start, nameEnd, value: yamlSpot(value, text, colon) }
    })
  }
  if (!isSeq(node)) return []
  return node.items.map((item, name) => {
    const value = yamlSpot(item, text, node.range?.[0] ?? 0)
    return { name, start: value.start, nameEnd: value.start, value }
  })
}

function nothingAt(offset: number): Spot {
  return { style: 'scalar', isList: false, start: offset, end: offset, members: [] }
}

function isPlaced(node: unknown): boolean {
  return endOf(node, -1) !== -1
}

function endOf(node: unknown, otherwise: number): number {
  if (typeof node !== 'object' || node === null || !('range' in node)) return otherwise
  const { range } = node
  return Array.isArray(range) && typeof range[1] === 'number' ? range[1] : otherwise
}
