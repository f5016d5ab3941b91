import { z } from '@hono/zod-openapi'
import { RDF_MEDIA_TYPES, type RdfMediaType } from '../../../formats/rdf/syntax.ts'
import { isNotModified, readConditions } from '../../requests/http/conditional.ts'
import type { Answer, Call, DescribedAnswer, Endpoint } from '../../requests/http/endpoint.ts'
import { negotiate } from '../../requests/http/negotiation.ts'
import { nextPageLink, PAGE_ELEMENTS_MAX, pageParameter } from '../../requests/http/paging.ts'
import { streamTexts } from '../../requests/http/pieces.ts'
import { DRAFT_HEADERS, RDF_SCHEMAS } from './rdf.ts'
import { findCatalogPage, getCatalogState } from './service.ts'

const catalogQuery = z.object({ p: pageParameter })

type CatalogQuery = z.infer<typeof catalogQuery>

/** `GET /api/catalog.ttl`, `GET /api/catalog.jsonld`: the catalog as RDF, in one form. */
export function createCatalogRoute(
  mediaType: RdfMediaType,
  operation: string,
): Endpoint<never, CatalogQuery> {
  const form = mediaType === 'text/turtle' ? 'Turtle' : 'JSON-LD'
  return describeCatalogRoute({
    operation,
    summary: `Read the catalog as DCAT and DPROD, in ${form}`,
    mediaTypes: [mediaType],
    getMediaType: () => mediaType,
  })
}

/** `GET /catalog`: the same at the address that is the IRI of the catalog, in the form that the client likes best. */
export const getCatalog: Endpoint<never, CatalogQuery> = describeCatalogRoute({
  operation: 'getCatalog',
  summary: 'Read the catalog as DCAT and DPROD',
  mediaTypes: RDF_MEDIA_TYPES,
  getMediaType: (headers) => negotiate(headers.get('accept'), RDF_MEDIA_TYPES),
})

function describeCatalogRoute({
  operation,
  summary,
  mediaTypes,
  getMediaType,
}: {
  operation: string
  summary: string
  mediaTypes: readonly RdfMediaType[]
  getMediaType: (headers: Headers) => RdfMediaType
}): Endpoint<never, CatalogQuery> {
  return {
    operation,
    summary,
    description:
      'Data products with their ports and contracts, in pages that are valid by themselves. DPROD is a draft: names may change with it.',
    stability: 'draft',
    lane: 'scan',
    permission: 'any key',
    query: catalogQuery,
    isFiltered: true,
    answers: {
      200: describeCatalogAnswer(mediaTypes),
      304: { description: 'Nothing has changed in the organization' },
    },
    handle: async (call) => await answerCatalog(call, getMediaType(call.headers)),
  }
}

function describeCatalogAnswer(mediaTypes: readonly RdfMediaType[]): DescribedAnswer {
  return {
    description: `At most ${PAGE_ELEMENTS_MAX} data products`,
    otherSchemas: Object.fromEntries(mediaTypes.map((type) => [type, RDF_SCHEMAS[type]])),
    headers: {
      etag: 'Weak; equal until something changes in the organization',
      link: 'The next page, when there is one',
      'portbook-draft': 'The draft of a standard that the answer follows',
    },
  }
}

async function answerCatalog(
  { services, caller, headers, query, path, search }: Call<never, CatalogQuery>,
  mediaType: RdfMediaType,
): Promise<Answer> {
  const request = { organizationId: caller.organizationId, mediaType }
  const state = await getCatalogState(services, request)
  const own = { etag: `W/"${state.tag}"`, ...DRAFT_HEADERS }
  if (isNotModified(readConditions(headers), `"${state.tag}"`)) return { status: 304, headers: own }
  const page = await findCatalogPage(services, request, state, query.p)
  const all = { ...own, ...(page.hasMore && { link: nextPageLink(path, search, query.p) }) }
  return { status: 200, headers: all, mediaType, body: streamTexts(page.write()) }
}
