import type { Path } from '../value.ts'

/** The extent of a value in its text, and its style, for edits. Offsets count UTF-16 code units. */
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
  /** The start of the name, or of the item. */
  start: number
  /** The end of the name; for an item, its start. */
  nameEnd: number
  /** Its value; one that is left out (`name:`) begins and ends behind the name's colon. */
  value: Spot
}

/** Gives the spot at a path; undefined when the text has none there. */
export function spotAt(top: Spot, path: Path): Spot | undefined {
  let here: Spot | undefined = top
  for (const step of path) here = here?.members.find(({ name }) => name === step)?.value
  return here
}
