import type { findVariables } from '../../formats/text/variables.ts'

/** A variable in a text of a document. */
export type Variable = ReturnType<typeof findVariables>[number]

/** Returns a variable in words: `Variable DB_PORT, default 5432`. */
export function describeVariable({ name, default: value }: Variable): string {
  if (value === undefined) return `Variable ${name}`
  return `Variable ${name}, default ${value === '' ? 'empty' : value}`
}
