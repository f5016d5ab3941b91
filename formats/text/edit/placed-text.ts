import type { MediaType } from '../text.ts'
import type { Value } from '../value.ts'
import type { Spot } from './spot.ts'

/** The one place of a text that an edit changes: the text between `from` and `to` becomes `insert`. */
export interface Splice {
  from: number
  to: number
  insert: string
}

/** A text, and where its values begin and end. */
export interface PlacedText {
  text: string
  mediaType: MediaType
  top: Spot
}

/** A field to add to an object, or an item to add to a list. */
export interface NewMember {
  /** The field's name; an item has none. */
  name: string | undefined
  value: Value
  /** Fields in their customary order. */
  order: readonly string[]
}
