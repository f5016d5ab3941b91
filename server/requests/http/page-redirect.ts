import { findIdProblem } from '../../../formats/name/document-id.ts'
import { FORMER_ADDRESSES, RESERVED_ADDRESSES } from '../../../formats/name/reserved-addresses.ts'
import { RECORDS } from '../../../formats/record/kinds.ts'
import { KINDS } from '../../platform/kinds.ts'

/**
 * Clients print addresses of pages as other catalogs have them: `/dataproducts/<id>`, or with the name of an
 * organization `/acme/dataproducts/<id>`. They are redirected to the pages here.
 */

/** The pages of a kind, with the type in search for the address of its list. */
interface KindPages {
  pages: string
  resourceType: string
}

// By the segment that clients know from the API: `dataproducts`.
const PAGES: ReadonlyMap<string, KindPages> = new Map<string, KindPages>([
  ['dataproducts', KINDS['data-product']],
  ['datacontracts', KINDS['data-contract']],
  ['teams', KINDS.team],
  ['assets', KINDS.asset],
  ...RECORDS.map((kind) => [kind.collection.slice('/api/'.length), kind] as const),
])

// The IRI of the catalog in RDF. People find there what programs read.
const CATALOG = '/catalog'

/** Returns the first segment of the pages of a list of the API: `data-products` for `dataproducts`. */
export function getPageSegment(collection: string): string {
  return PAGES.get(collection)?.pages ?? collection
}

// Their ids contain slashes, which clients do not encode.
const WITH_SLASHES = new Set(['definitions', 'tags'])

// The addresses that the pages add to that of a document.
const OWN_ENDINGS = new Set(['new', 'edit', 'versions'])

/**
 * Returns the address of the page that a client means by another one, always a path of this site; undefined if it
 * means none. `isOwnPage`: the path begins like the pages here.
 */
export function findPageRedirect(path: string, isOwnPage: boolean): string | undefined {
  if (path === CATALOG) return '/search'
  const [, first = '', ...rest] = path.split('/')
  const [second = '', ...ids] = rest
  const isOfOrganization = isOrganization(first, ids) && PAGES.has(second)
  if (isOwnPage && !isOfOrganization) {
    return WITH_SLASHES.has(first) ? redirectSlashes(first, rest) : undefined
  }
  if (PAGES.has(first)) return toTarget(first, rest)
  return isOfOrganization ? toTarget(second, ids) : undefined
}

function redirectSlashes(name: string, ids: readonly string[]): string | undefined {
  const isOwn = ids.length < 2 || OWN_ENDINGS.has(ids.at(-1) ?? '')
  return isOwn ? undefined : toTarget(name, ids)
}

function toTarget(name: string, segments: readonly string[]): string | undefined {
  const kind = PAGES.get(name)
  if (kind === undefined) return undefined
  const { pages, resourceType } = kind
  const [first] = segments
  if (first === undefined || (first === '' && segments.length === 1)) {
    return `/search?resourceType=${resourceType}`
  }
  // What follows an id is a tab or a part of the document: `/dataproducts/<id>/outputports/<port>`.
  const parts = (WITH_SLASHES.has(name) ? segments : [first]).map(decodeSegment)
  const id = parts.every((part) => part !== undefined) ? parts.join('/') : ''
  return isUsable(id) ? `/${pages}/${encodeURIComponent(id)}` : undefined
}

function isUsable(id: string): boolean {
  return id.split('/').every((part) => findIdProblem(part) === undefined)
}

/**
 * Returns whether the first segment of a path can be the name of an organization; `ids` are those from the third on. `/API/teams`
 * is a wrong address of the API, not a page of an organization.
 */
export function isOrganization(segment: string, ids: readonly string[]): boolean {
  const name = decodeSegment(segment)?.toLowerCase()
  if (name === undefined || findIdProblem(name) !== undefined) return false
  return !RESERVED_ADDRESSES.has(name) || (ids.length > 0 && FORMER_ADDRESSES.has(name))
}

function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
