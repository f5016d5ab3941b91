import { createContext } from 'react'

/** What is wrong with the controls of a form that was not sent, by the id of each control. */
export const FieldMessages = createContext<ReadonlyMap<string, string>>(new Map())
