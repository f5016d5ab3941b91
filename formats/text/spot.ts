import type { Path } from './value.ts'

/** The offsets and the style of a value in its text, as needed for edits. Offsets count UTF-16 code units. */
export interface CstNode {
  /** `block` = block-style YAML; `flow` = in brackets or braces, like all JSON; `scalar` = a single value. */
  style: 'block' | 'flow' | 'scalar'
  isList: boolean
  start: number
  end: number
  /** The fields or items, in the order of the text. */
  members: CstMember[]
}

/** A field of an object or an item of a list. */
export interface CstMember {
  /** The field's name, or the item's position. */
  name: string | number
  /** The start of the name, or of the item. */
  start: number
  /** The end of the name; for an item, its start. */
  nameEnd: number
  /** Its value; an omitted value (`name:`) starts and ends after the colon. */
  value: CstNode
}

/** Returns the spot at a path; undefined if the path does not exist. */
export function spotAt(top: CstNode, path: Path): CstNode | undefined {
  let here: CstNode | undefined = top
  for (const step of path) here = here?.members.find(({ name }) => name === step)?.value
  return here
}
