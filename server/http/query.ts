import type { z } from '@hono/zod-openapi'
import { ApiError, toViolations, type Violation } from '../errors.ts'

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

function invalidQuery(field: string, message: string, more: readonly Violation[] = []): ApiError {
  return new ApiError('query_invalid', `The query parameter ${field} ${message}.`, {
    violations: [{ field, message }, ...more],
  })
}
