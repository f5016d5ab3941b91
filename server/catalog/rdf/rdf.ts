import { z } from '@hono/zod-openapi'
import { DPROD_DRAFT } from '../../../formats/rdf/graph.ts'
import { RDF_MEDIA_TYPES, type RdfMediaType } from '../../../formats/rdf/syntax.ts'
import type { AlternativeForm } from '../../documents/alternative-form.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import type { Services } from '../../requests/http/endpoint.ts'

/**
 * The catalog as RDF (DCAT, DPROD), which other catalogs and knowledge graphs read: in pages, and one document at the
 * address of its page. `formats/rdf/` turns documents into nodes and writes them.
 */

/** The organization of a reader, and the form of the answer. */
export interface RdfRequest {
  organizationId: string
  mediaType: RdfMediaType
}

/** A data product with what RDF needs from its row. */
export interface ProductRow {
  id: string
  /** In JSON. */
  document: string
  modifiedAt: Instant
  ownerId: string
  ownerName: string
  status: string | null
  domain: string | null
  /** The contracts that its ports name, whether or not they exist. */
  contracts: string[]
}

const graph = z
  .looseObject({
    '@context': z.record(z.string(), z.string()),
    '@graph': z.array(z.looseObject({ '@id': z.string() })),
  })
  .openapi('Graph', { description: 'RDF as JSON-LD: nodes with types and properties' })

/** The schemas of the media types of RDF. */
export const RDF_SCHEMAS: Readonly<Record<RdfMediaType, z.ZodType>> = {
  'application/ld+json': graph,
  'text/turtle': z.string(),
}

/** The header of answers that follow a draft. */
export const DRAFT_HEADERS = { 'portbook-draft': DPROD_DRAFT }

/** Creates the forms of a document as RDF, which its address and that of its page return by media type. */
export function createRdfForms(
  write: (services: Services, request: RdfRequest, id: string) => Promise<string>,
): AlternativeForm[] {
  return RDF_MEDIA_TYPES.map((mediaType) => ({
    mediaType,
    schema: RDF_SCHEMAS[mediaType],
    headers: DRAFT_HEADERS,
    stability: 'draft',
    write: async (services, organizationId, _stored, id) =>
      await write(services, { organizationId, mediaType }, id),
  }))
}
