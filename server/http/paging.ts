import { z } from '@hono/zod-openapi'

/** The maximum number of elements in a page of a list. */
export const PAGE_ELEMENTS_MAX = 1000

// Far beyond the end of any list, and still a number that PostgreSQL accepts.
const PAGE_LAST = 9_000_000_000

/** The query parameter `p`, counted from 0. */
export const pageParameter = z
  .string()
  .regex(/^\d+$/, 'must be a whole number, 0 or more')
  .default('0')
  .transform((digits) => (digits.length > 10 ? PAGE_LAST : Math.min(Number(digits), PAGE_LAST)))
  .openapi({ type: 'integer', minimum: 0, default: 0, description: 'Page, counted from 0' })

/** Returns the `Link` header of the next page: the same request with a higher `p`. */
export function nextPageLink(path: string, query: URLSearchParams, page: number): string {
  return nextLink(path, query, 'p', String(page + 1))
}

/** Returns the `Link` header of the next page: the same request with another value of a parameter. */
export function nextLink(
  path: string,
  query: URLSearchParams,
  parameter: string,
  value: string,
): string {
  const next = new URLSearchParams(query)
  next.set(parameter, value)
  // A path comes as the client wrote it; these characters would end the address early.
  const address = path.replaceAll(/[<>"]/g, encodeURIComponent)
  return `<${address}?${next.toString()}>; rel="next"`
}
