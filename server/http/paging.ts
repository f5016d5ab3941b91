import { z } from '@hono/zod-openapi'

/** How many elements one page of a list has at most. */
export const PAGE_ELEMENTS_MAX = 1000

// Far past the end of any list, and still a number that the store counts with.
const PAGE_LAST = 9_000_000_000

/** The query parameter `p`, counted from 0. */
export const pageParameter = z
  .string()
  .regex(/^\d+$/, 'must be a whole number, 0 or more')
  .default('0')
  .transform((digits) => (digits.length > 10 ? PAGE_LAST : Math.min(Number(digits), PAGE_LAST)))
  .openapi({ type: 'integer', minimum: 0, default: 0, description: 'Page, counted from 0' })

/** The `Link` header that says where the next page is: the same request with a higher `p`. */
export function nextPageLink(path: string, query: URLSearchParams, page: number): string {
  const next = new URLSearchParams(query)
  next.set('p', String(page + 1))
  // A path comes as the client wrote it; these characters would end the address early.
  const address = path.replaceAll(/[<>"]/g, encodeURIComponent)
  return `<${address}?${next.toString()}>; rel="next"`
}
