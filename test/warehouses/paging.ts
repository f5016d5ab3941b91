/** Cuts the listings of a peer into smaller pages. */

import type { PeerAnswer, ProxiedRequest } from './fault-proxy.ts'

/** The paging of an API. */
export interface Paging {
  /** The names of lists in answers, such as `tables`. */
  lists: readonly string[]
  /** The name of the token in answers. */
  nextToken: string
  /** Returns the token of a request; empty for the first page. */
  getToken(request: ProxiedRequest): string
  /** Returns the request with another token; without one if it is empty. */
  withToken(request: ProxiedRequest, token: string): ProxiedRequest
}

/** Creates the paging of an API that has its token in the query. */
export function pagingByQuery(
  lists: readonly string[],
  parameter: string,
  nextToken: string,
): Paging {
  return {
    lists,
    nextToken,
    getToken: ({ target }) => new URL(target, 'http://x').searchParams.get(parameter) ?? '',
    withToken(request, token) {
      const url = new URL(request.target, 'http://x')
      if (token === '') url.searchParams.delete(parameter)
      else url.searchParams.set(parameter, token)
      return { ...request, target: `${url.pathname}${url.search}` }
    },
  }
}

/** Creates the paging of an API that has its token in the JSON body. */
export function pagingByBody(lists: readonly string[], parameter: string): Paging {
  return {
    lists,
    nextToken: parameter,
    getToken({ body }) {
      const token = parseBody(body)?.[parameter]
      return typeof token === 'string' ? token : ''
    },
    withToken(request, token) {
      const fields = parseBody(request.body)
      if (fields === undefined) return request
      const { [parameter]: _, ...rest } = fields
      return {
        ...request,
        body: JSON.stringify(token === '' ? rest : { ...rest, [parameter]: token }),
      }
    },
  }
}

// A form, such as a request for a token, has no pages.
function parseBody(body: string): Record<string, unknown> | undefined {
  if (body === '') return {}
  return body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : undefined
}

/** The size of pages. */
export interface Cut {
  pageSize: number
  addsEmptyPages: boolean
}

/**
 * Answers a request with a smaller page. A token of such a page is `cut~<offset>~<isEmpty>~<token of the peer>`.
 */
export async function toPage(
  paging: Paging,
  request: ProxiedRequest,
  { pageSize, addsEmptyPages }: Cut,
  ask: (request: ProxiedRequest) => Promise<PeerAnswer>,
): Promise<PeerAnswer> {
  const { lists, nextToken } = paging
  const own = /^cut~(\d+)~([01])~(.*)$/s.exec(paging.getToken(request))
  const [
    ,
    offsetText = '0',
    isEmpty = '0',
    peerToken = own === null ? paging.getToken(request) : '',
  ] = own ?? []
  const got = await ask(paging.withToken(request, peerToken))
  if (got.status !== 200) return got
  const json = JSON.parse(got.text) as Record<string, unknown>
  const list = lists.find((name) => Array.isArray(json[name]))
  if (list === undefined) return got
  const entries = json[list] as unknown[]
  const offset = Number(offsetText)
  const reply = (page: unknown[], token: string | undefined): PeerAnswer => {
    const { [nextToken]: _, ...rest } = json
    const body = { ...rest, [list]: page, ...(token === undefined ? {} : { [nextToken]: token }) }
    return { ...got, text: JSON.stringify(body) }
  }
  if (isEmpty === '1') return reply([], `cut~${offset}~0~${peerToken}`)
  const end = offset + pageSize
  const empty = addsEmptyPages ? 1 : 0
  if (end < entries.length)
    return reply(entries.slice(offset, end), `cut~${end}~${empty}~${peerToken}`)
  const following = json[nextToken]
  const hasMore = typeof following === 'string' && following !== ''
  return reply(entries.slice(offset), hasMore ? `cut~0~${empty}~${following}` : undefined)
}
