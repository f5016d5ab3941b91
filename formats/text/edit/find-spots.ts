import { isMap, isScalar, isSeq } from 'yaml'
import { NODES_MAX } from '../json-scan.ts'
import type { MediaType } from '../text.ts'
import { parseYaml } from '../yaml-parse.ts'
import { getKeyName, getOffset } from '../yaml-place.ts'
import { findJsonSpots } from '../json-spot.ts'
import type { CstMember, CstNode } from '../spot.ts'

/** Finds the offsets of the values of a valid text. Throws a `Stop` if the text is invalid. */
export function findSpots(text: string, mediaType: MediaType): CstNode {
  if (mediaType === 'application/json') return findJsonSpots(text)
  const { contents } = parseYaml(text, NODES_MAX)
  return yamlSpot(contents, text, 0)
}

function yamlSpot(node: unknown, text: string, missing: number): CstNode {
  const start = getOffset(node, missing)
  const style = isMap(node) || isSeq(node) ? (node.flow === true ? 'flow' : 'block') : 'scalar'
  const members = listMembers(node, text)
  const end = style === 'block' ? (members.at(-1)?.value.end ?? start) : getEnd(node, start)
  return { style, isList: isSeq(node), start, end, members }
}

function listMembers(node: unknown, text: string): CstMember[] {
  if (isMap(node)) {
    return node.items.map(({ key, value }) => {
      const start = getOffset(key, 0)
      const nameEnd = getEnd(key, start)
      // An absent value follows white space and comments; edits need the position after its colon.
      const isAbsent =
        !isPlaced(value) || (isScalar(value) && value.source === '' && value.type === 'PLAIN')
      const colon = text.indexOf(':', nameEnd) + 1
      return isAbsent
        ? { name: getKeyName(key), start, nameEnd, value: createEmptySpot(colon) }
        : { name: getKeyName(key), start, nameEnd, value: yamlSpot(value, text, colon) }
    })
  }
  if (!isSeq(node)) return []
  return node.items.map((item, name) => {
    const value = yamlSpot(item, text, node.range?.[0] ?? 0)
    return { name, start: value.start, nameEnd: value.start, value }
  })
}

function createEmptySpot(offset: number): CstNode {
  return { style: 'scalar', isList: false, start: offset, end: offset, members: [] }
}

function isPlaced(node: unknown): boolean {
  return getEnd(node, -1) !== -1
}

function getEnd(node: unknown, otherwise: number): number {
  if (typeof node !== 'object' || node === null || !('range' in node)) return otherwise
  const { range } = node
  return Array.isArray(range) && typeof range[1] === 'number' ? range[1] : otherwise
}
