import type { Path } from '../value.ts'

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

/** Gives the spot at a path; undefined when the text has none there. */
export function spotAt(top: Spot, path: Path): Spot | undefined {
  let here: Spot | undefined = top
  for (const step of path) here = here?.members.find(({ name }) => name === step)?.value
  return here
}
