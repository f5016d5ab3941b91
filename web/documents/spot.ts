import { isMap, isScalar, isSeq } from 'yaml'
import { NODES_MAX } from '../../formats/json-scan.ts'
import type { MediaType } from '../../formats/text.ts'
import type { Path } from '../../formats/value.ts'
import { parseYaml } from '../../formats/yaml-parse.ts'
import { nameOf, offsetOf } from '../../formats/yaml-place.ts'
import { jsonSpots } from './json-spot.ts'

/**
 * Where a value begins and ends in its text, and how it is written: what an edit of the text has to
 * know. Offsets count UTF-16 code units.
 */
export interface Spot {
  /** `block` = YAML's lines; `flow` = in brackets or braces, as all of JSON; `scalar` = one value. */
  style: 'block' | 'flow' | 'scalar'
  isList: boolean
  start: number
  end: number
  /** The fields or items, in the order of the text. */
  members: Member[]
}

/** A field of an object or an item of a list. */
export interface Member {
  /** The field's name; an item has its number. */
  name: string | number
  /** Where the name begins, or the item itself. */
  start: number
  /** Where the name ends; of an item, where it begins. */
  nameEnd: number
  /** Its value; one that is left out (`name:`) begins and ends behind the name's colon. */
  value: Spot
}

/** Gives the spots of a text that was read before and found right. May throw a `Stop` on others. */
export function spotsOf(text: string, mediaType: MediaType): Spot {
  if (mediaType === 'application/json') return jsonSpots(text)
  const { contents } = parseYaml(text, NODES_MAX)
  return yamlSpot(contents, text, 0)
}

/** Gives the spot at a path; undefined when the text has none there. */
export function spotAt(top: Spot, path: Path): Spot | undefined {
  let here: Spot | undefined = top
  for (const step of path) here = here?.members.find(({ name }) => name === step)?.value
  return here
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
      // An absent value is placed behind blanks and comments; an edit wants the place of its colon.
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
