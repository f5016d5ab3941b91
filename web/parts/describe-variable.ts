import type { Variable } from '../../formats/text/variables.ts'

/** Returns a variable in words: `Variable DB_PORT, default 5432`. */
export function describeVariable({ name, default: value }: Variable): string {
  if (value === undefined) return `Variable ${name}`
  return `Variable ${name}, default ${value === '' ? 'empty' : value}`
}
