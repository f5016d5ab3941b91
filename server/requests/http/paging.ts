import { z } from '@hono/zod-openapi'
import { sql, type RawBuilder } from 'kysely'

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

/** Creates the query parameter `size`. More than the maximum is an error: a client that gets less would take it for the end. */
export function createSizeParameter(usual: number, most = PAGE_ELEMENTS_MAX) {
  return z
    .string()
    .default(String(usual))
    .refine(
      (digits) => /^[1-9]\d{0,8}$/.test(digits) && Number(digits) <= most,
      `must be a whole number from 1 to ${most}`,
    )
    .transform(Number)
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: most,
      default: usual,
      description: 'The maximum number of elements in a page',
    })
}

/** The end of a statement that selects a page, counted from 0, and one element more if there is a next page. */
export function selectPage(page: number, elementsMax = PAGE_ELEMENTS_MAX): RawBuilder<unknown> {
  return sql`offset ${page * elementsMax}
    limit ${elementsMax + 1}`
}

/** The elements of a page. */
export interface Page<Element> {
  elements: Element[]
  hasMore: boolean
}

/** Returns the page of the rows that a statement with `selectPage` and the same size selected. */
export function toPage<Row>(rows: readonly Row[], size = PAGE_ELEMENTS_MAX): Page<Row> {
  return { elements: rows.slice(0, size), hasMore: rows.length > size }
}

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
