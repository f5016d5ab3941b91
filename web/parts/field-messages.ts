import { createContext } from 'react'

/** The error messages of a form's controls, by control id. */
export const FieldMessages = createContext<ReadonlyMap<string, string>>(new Map())
