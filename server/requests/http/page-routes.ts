import { RESERVED_ADDRESSES } from '../../../formats/name/reserved-addresses.ts'
import { notFound } from '../../platform/errors.ts'
import type { Route, UnreadCall } from './endpoint.ts'
import { getPageSegment, isOrganization } from './page-redirect.ts'
import { matchRoute } from './path.ts'

/**
 * Documents at the addresses of their pages. People copy these addresses into documents, and programs fetch them:
 * `/definitions/<id>`, `/<organization>/dataproducts/<id>`. A program gets what the API answers, a browser the page.
 */
interface PageRoutes {
  /** Finds the route that returns the document of a page; undefined if a path is not that of a document. */
  find(path: string): Route | undefined
  /** Returns whether a path belongs to the pages of documents, where programs get no HTML. */
  isDocumentPage(path: string): boolean
}

// `/api/dataproducts/{id}`: the route of one document, not of a part of it.
const ONE_DOCUMENT = /^\/api\/([^/{}]+)\/(\{\w+\})$/

/**
 * Creates the routes of pages from those of the API. They have the same parameters, checks and answers. `others` are
 * routes at the addresses of pages that no document of the API has.
 */
export function createPageRoutes(
  routes: readonly Route[],
  others: readonly Route[] = [],
): PageRoutes {
  const own = new Map<string, Route>()
  const byPath = new Map(others.map((route) => [route.path, route]))
  const ofOrganizations = new Map<string, Route>()
  for (const route of routes) {
    const [, collection, parameter] = ONE_DOCUMENT.exec(route.path) ?? []
    if (route.method !== 'GET' || collection === undefined) continue
    const segment = getPageSegment(collection)
    if (!RESERVED_ADDRESSES.has(segment)) continue
    for (const first of [collection, segment]) {
      own.set(first, { ...route, path: `/${first}/${parameter}` })
    }
    ofOrganizations.set(collection, inOrganization(route, `/${collection}/${parameter}`))
  }
  const getCandidate = (path: string): Route | undefined => {
    const [, first = '', second = '', ...ids] = path.split('/')
    return (
      byPath.get(path) ??
      own.get(first) ??
      (isOrganization(first, ids) ? ofOrganizations.get(second) : undefined)
    )
  }
  return {
    find(path) {
      const route = getCandidate(path)
      return route !== undefined && matchRoute(route, path) !== undefined ? route : undefined
    },
    isDocumentPage: (path) => getCandidate(path) !== undefined,
  }
}

/** Adds the name of the organization to a route; that of another organization names nothing that the caller may see. */
function inOrganization(route: Route, path: string): Route {
  return {
    ...route,
    path: `/{organization}${path}`,
    async answer(call: UnreadCall, readQuery) {
      if (call.params['organization']?.toLowerCase() !== call.caller?.vanityUrl) throw notFound()
      return await route.answer(call, readQuery)
    },
  }
}
