import { createContext } from 'react'

/** The messages of a form that its fields show. */
export interface FieldMessages {
  /** The errors found before the form was sent, by the id of a control. */
  invalid: ReadonlyMap<string, string>
  /** Why the server rejected the form. */
  violations: readonly { field: string; message: string }[]
}

/** The messages without any error. */
export const NO_MESSAGES: FieldMessages = { invalid: new Map(), violations: [] }

/** The messages of the form around a field. */
export const FieldMessagesContext = createContext(NO_MESSAGES)
