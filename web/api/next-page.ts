/** Loads the pages of an infinite query one after the other: each names the `next` one; null is the last. */
export const BY_NEXT = {
  pageParamName: 'after',
  initialPageParam: null,
  getNextPageParam: ({ next }: { next: string | null }) => next,
}

/** A page of a list, as the pages show it. */
interface ListPage<Row> {
  rows: readonly Row[]
  /** Whether the server has more rows. */
  hasNext: boolean
}

/** Returns a page of a list from its response, whose `Link` header names the next page if there is one. */
export function toListPage<Row>({
  data = [],
  response,
}: {
  data?: readonly Row[]
  response: Pick<Response, 'headers'>
}): ListPage<Row> {
  const hasNext = /rel="?next"?/.test(response.headers.get('link') ?? '')
  return { rows: data, hasNext }
}
