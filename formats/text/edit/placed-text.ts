import type { MediaType } from '../text.ts'
import type { Value } from '../value.ts'
import type { CstNode } from '../spot.ts'

/** The change of an edit: the text between `from` and `to` becomes `insert`. */
export interface Splice {
  from: number
  to: number
  insert: string
}

/** A text with the offsets of its values. */
export interface PlacedText {
  text: string
  mediaType: MediaType
  top: CstNode
}

/** A field to add to an object, or an item to add to a list. */
export interface NewMember {
  /** The field's name; undefined for an item. */
  name: string | undefined
  value: Value
  /** The customary order of fields. */
  order: readonly string[]
}
