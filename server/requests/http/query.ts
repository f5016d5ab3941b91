import type { z } from '@hono/zod-openapi'
import { clip } from '../../../formats/text/value.ts'
import { ApiError, toViolations, type Violation } from '../../platform/errors.ts'

/** Reads a query by its schema: a parameter that may repeat is a list. Errors: query_invalid. */
export function readSearch<Q>(schema: z.ZodType<Q>, search: URLSearchParams): Q {
  const values = new Map<string, string | string[]>()
  for (const name of new Set(search.keys())) {
    const all = search.getAll(name)
    // PostgreSQL can neither store nor search for a NUL.
    if (all.some((value) => value.includes('\0'))) throw invalidQuery(name, 'holds a NUL character')
    values.set(name, all.length === 1 ? (all[0] ?? '') : all)
  }
  const read = schema.safeParse(Object.fromEntries(values))
  if (read.success) return read.data
  const [first, ...more] = toViolations(read.error.issues)
  throw invalidQuery(first?.field ?? '', first?.message ?? 'is wrong', more)
}

/** Parameters that select no elements; clients send them to lists without pages too. */
export const PAGE_PARAMETERS: readonly string[] = ['p', 'pageSize']

/** Rejects the parameters that an endpoint does not have, except ignored ones. Errors: query_invalid. */
export function rejectUnknownParameters(
  search: URLSearchParams,
  names: readonly string[],
  ignored: readonly string[],
): void {
  for (const name of search.keys()) {
    if (names.includes(name) || ignored.includes(name)) continue
    const advice = names.length === 0 ? 'there are none' : `use one of ${names.join(', ')}`
    throw invalidQuery(clip(name), `is unknown; ${advice}`)
  }
}

function invalidQuery(field: string, message: string, more: readonly Violation[] = []): ApiError {
  return new ApiError('query_invalid', `The query parameter ${field} ${message}.`, {
    violations: [{ field, message }, ...more],
  })
}
