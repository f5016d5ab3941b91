import { createContext } from 'react'

/** The state of a control before the form is submitted. */
export interface ControlState {
  /** The text of its label. */
  label: string
  value: string
  type: string
  required: boolean
  /** The fewest characters; 0 or less = any number. */
  minLength: number
  /** The browser rejects the text, for example an incomplete date. */
  isMalformed: boolean
}

/** Returns what is wrong with a control, as a sentence below it; undefined = it can be sent. */
export function describeInvalid(control: ControlState): string | undefined {
  const { label, value, type, required, minLength, isMalformed } = control
  // A date that is not complete has an empty value, too.
  if (isMalformed) return describeMalformed(type)
  if (value.trim() === '') return required ? `${label} is required.` : undefined
  if (type === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value.trim())) return describeMalformed(type)
  const length = Array.from(value).length
  if (length < minLength) return `Use at least ${minLength} characters; this has ${length}.`
  return undefined
}

function describeMalformed(type: string): string {
  if (type === 'email') return 'Enter an e-mail address, like name@example.com.'
  if (type === 'date') return 'Enter a valid date that is not in the past.'
  if (type === 'url') return 'Enter a complete address, like https://example.com.'
  return 'Enter a valid value.'
}

/** The messages of a form that its fields show. */
interface FieldMessages {
  /** The errors found before the form was sent, by the id of a control. */
  invalid: ReadonlyMap<string, string>
  /** Why the server rejected the form. */
  violations: readonly { field: string; message: string }[]
}

/** The messages without any error. */
export const NO_MESSAGES: FieldMessages = { invalid: new Map(), violations: [] }

/** The messages of the form around a field. */
export const FieldMessagesContext = createContext(NO_MESSAGES)
