import { z } from '@hono/zod-openapi'
import { trustSummary } from '../../ledger/trust/signal.ts'
import { ALL_KINDS } from '../../platform/kinds.ts'
import { newTable } from '../../../formats/name/table.ts'

/**
 * Search finds products, contracts, teams and assets by name, content and owner, explains each match, and
 * counts facets.
 */

/** A resource type. */
export type ResourceType = (typeof ALL_KINDS)[number]['resourceType']

/** The resource types on the wire. */
const RESOURCE_TYPES: readonly ResourceType[] = ALL_KINDS.map(({ resourceType }) => resourceType)

/** The resource types that a search accepts. Clients also request semantic concepts, which Portbook does not have. */
export const SEARCHABLE_TYPES: readonly string[] = [...RESOURCE_TYPES, 'SEMANTIC_CONCEPT']

/** The display names of formats. */
export const FORMAT_LABELS = newTable<string>({
  odps: 'ODPS',
  dps: 'DPS (deprecated)',
  odcs: 'ODCS',
  dcs: 'DCS (deprecated)',
})

/** The facets, in the order in which they are returned. */
export const FACETS = [
  'resourceType',
  'team',
  'domain',
  'status',
  'tag',
  'source',
  'format',
  'classification',
  'trust',
  'drift',
] as const

/** A facet. */
export type Facet = (typeof FACETS)[number]

/** The values of the facet `trust` with their display names, by the rank of the worst level of a document. */
export const TRUST_VALUES = [
  ['positive', 'Good'],
  ['neutral', 'Unknown'],
  ['caution', 'Caution'],
  ['critical', 'Critical'],
] as const

/** The values of the facet `drift` with their display names, by the rank of the level of a document. */
export const DRIFT_VALUES = [
  ['none', 'As promised'],
  ['unknown', 'Not compared'],
  ['accepted', 'Accepted differences'],
  ['drift', 'Differs'],
] as const

/** The value of the facet `team` for documents without an owner; no team has this id. */
export const NO_TEAM = ''

/** The display name of that value. */
export const NO_OWNER_LABEL = 'No owner'

/** The orders of results. */
export const SORTS = ['relevance', 'name', 'changed', 'readers'] as const

/** An order of results. */
export type Sort = (typeof SORTS)[number]

/** The filters of a search: any of the values of each facet; undefined for all. */
export type FacetFilters = Readonly<Partial<Record<Facet, readonly string[] | undefined>>>

/** The documents that match a text. */
export interface ListMatch {
  /** A `tsquery` on the terms of the index. */
  query: string
  /** The ids of data products that match by one of their contracts. */
  products: readonly string[]
}

const field = z.enum([
  'id',
  'name',
  'description',
  'owner',
  'tag',
  'domain',
  'synonym',
  'column',
  'port',
  'classification',
  'other',
])

/** The field of a match. */
export type Field = z.infer<typeof field>

const reason = z
  .object({
    field,
    how: z.enum(['exact', 'prefix', 'word', 'synonym', 'typo']),
    path: z.string().nullable().openapi({
      description:
        'Of a column: `orders.customer_id`; of a synonym of a part: the path of the part',
    }),
  })
  .openapi('SearchReason')

/** Why something was found. */
export type Reason = z.infer<typeof reason>

const highlight = z
  .object({
    field,
    text: z.string().openapi({ description: 'At most 240 characters around the first match' }),
    ranges: z
      .array(z.tuple([z.int(), z.int()]))
      .openapi({ description: 'Start and end of each match in the text, in UTF-16 units' }),
  })
  .openapi('SearchHighlight')

/** A text with the places at which it matches. */
export type Highlight = z.infer<typeof highlight>

const result = z
  .object({
    id: z.string(),
    url: z.string().openapi({ description: 'The address of its page' }),
    ownerId: z.string().nullable(),
    ownerName: z.string().nullable(),
    name: z.string(),
    resourceType: z.enum(RESOURCE_TYPES),
    description: z.string().nullable().openapi({ description: 'At most 4,000 characters of it' }),
    status: z.string().nullable(),
    domain: z.string().nullable(),
    tags: z.array(z.string()),
    source: z.string().nullable(),
    type: z.string().nullable(),
    updatedAt: z.string(),
    readers: z.int().nullable().openapi({
      description:
        'The distinct consumers of active access agreements, and of usage in the last 90 days, at most an hour old; null for what is neither a data product nor a data contract',
    }),
    trust: trustSummary.nullable().openapi({
      description:
        'The signals of a data product, a data contract or an asset; null for what has none',
    }),
    why: z.array(reason),
    highlights: z.array(highlight),
  })
  .openapi('SearchResult')

/** One thing that was found. */
export type SearchResult = z.infer<typeof result>

const facetValue = z
  .object({ value: z.string(), label: z.string(), count: z.int() })
  .openapi('SearchFacetValue')

/** A value of a facet with its count. */
export type FacetValue = z.infer<typeof facetValue>

const customFacet = z
  .object({ field: z.string(), values: z.array(facetValue) })
  .openapi('SearchCustomFacet')

const facets = z
  .object({
    resourceType: z.array(facetValue),
    team: z.array(facetValue),
    domain: z.array(facetValue),
    status: z.array(facetValue),
    tag: z.array(facetValue),
    source: z.array(facetValue),
    format: z.array(facetValue),
    classification: z.array(facetValue),
    trust: z.array(facetValue).openapi({ description: 'The worst signal, such as critical' }),
    drift: z.array(facetValue).openapi({
      description: 'drift, accepted, none (as promised) or unknown',
    }),
    custom: z.array(customFacet).openapi({
      description: 'The custom fields of data products that `customField` and `custom` name',
    }),
  })
  .openapi('SearchFacets', {
    description:
      'Each counted under the query and the filters of the other facets; minimums if the total is',
  })

/** The facets of a search. */
export type SearchFacets = z.infer<typeof facets>

/** The response of a search. */
export const searchAnswer = z
  .object({
    query: z.string(),
    answer: z.null().openapi({
      // Generators have no class for null.
      type: ['string', 'null'],
      description: 'Always null; clients expect the field',
    }),
    leftOut: z.array(z.string()).openapi({
      description:
        'Words of the query that were left out because nothing, or too little, has them all',
    }),
    total: z.int(),
    totalIsMinimum: z.boolean().openapi({
      description:
        'At most 1,000 documents of each type are counted for a query, so there may be more',
    }),
    results: z.array(result),
    facets: facets.nullable(),
  })
  .openapi('SearchAnswer')

/** The response of a search, parsed. */
export type SearchAnswer = z.infer<typeof searchAnswer>
