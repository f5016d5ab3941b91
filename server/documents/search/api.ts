import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { nextPageLink, pageParameter } from '../../requests/http/paging.ts'
import { customFilters, CUSTOM_FIELDS_MAX } from './custom-field.ts'
import { SEARCHABLE_TYPES, searchAnswer, SORTS } from './search.ts'
import { search } from './service.ts'

const LIMIT_MAX = 100
const COUNTED_TAGS_MAX = 100

const text = z.string().optional()

/** A repeatable parameter that matches any of its values. */
const anyOf = (description: string) =>
  z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .optional()
    .openapi({ type: 'array', items: { type: 'string' }, description })

const TYPE_PROBLEM = `must be one of ${SEARCHABLE_TYPES.join(', ')}`
const resourceType = z.enum(SEARCHABLE_TYPES, TYPE_PROBLEM)

const SORT_PROBLEM = `must be one of ${SORTS.join(', ')}`

const searchQuery = z.object({
  query: text.openapi({ description: 'What is searched for; nothing = everything' }),
  q: text.openapi({ description: 'The same, shorter; `query` goes first' }),
  resourceType: z
    .union([resourceType.transform((one) => [one]), z.array(resourceType)], TYPE_PROBLEM)
    .optional()
    .openapi({ type: 'array', items: { type: 'string', enum: [...SEARCHABLE_TYPES] } }),
  teamId: anyOf('Owned by one of these teams; an empty value = without an owner'),
  domain: anyOf('In one of these domains'),
  status: anyOf('With one of these statuses'),
  tag: anyOf('With one of these tags'),
  source: anyOf('Assets of one of these source platforms'),
  format: anyOf('Data products and data contracts in one of these formats, such as odps'),
  classification: anyOf('With a field of one of these classifications'),
  trust: anyOf('With one of these worst signals: critical, caution, neutral or positive'),
  drift: anyOf(
    'With one of these states: drift (differences that break the promise), accepted, none (as promised), unknown',
  ),
  custom: customFilters,
  customField: anyOf(
    'Custom fields of data products whose values are counted, such as those of the custom filters in the customization',
  ).refine(
    (fields) => (fields?.length ?? 0) <= CUSTOM_FIELDS_MAX,
    `must be at most ${CUSTOM_FIELDS_MAX} fields`,
  ),
  countTag: anyOf(
    'Tags that are counted in addition to the most frequent ones, such as those of certifications',
  ).refine(
    (tags) => (tags?.length ?? 0) <= COUNTED_TAGS_MAX,
    `must be at most ${COUNTED_TAGS_MAX} tags`,
  ),
  sort: z.enum(SORTS, SORT_PROBLEM).default('relevance').openapi({
    description:
      'The order of the results: `name`, `changed` (last changed first) or `readers` (most readers first). Without a query, `relevance` is by type and name.',
  }),
  p: pageParameter,
  limit: z
    .string()
    .regex(/^[0-9]{1,3}$/, `must be a whole number from 1 to ${LIMIT_MAX}`)
    .default('20')
    .transform(Number)
    .refine(
      (number) => number >= 1 && number <= LIMIT_MAX,
      `must be a whole number from 1 to ${LIMIT_MAX}`,
    )
    .openapi({ type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: 20 }),
  facets: z
    .enum(['true', 'false'], 'must be true or false')
    .default('true')
    .transform((flag) => flag === 'true')
    .openapi({ type: 'boolean', default: true, description: 'Whether facets are counted' }),
  searchMode: text.openapi({ description: 'Ignored; clients send it' }),
  diagnostics: text.openapi({ description: 'Ignored; clients send it' }),
})

/** `GET /api/search`: searches everything in an organization by name and content. */
export const searchDocuments: Endpoint<never, z.infer<typeof searchQuery>> = {
  operation: 'search',
  summary: 'Search data products, data contracts, teams and assets',
  description:
    'Ranks exact names and ids first, then beginnings and words of names, tags, ports and columns, and descriptions; of equally good matches, data products come before contracts and contracts before assets. Names of several words match with any separator; a word without matches is tried with one letter changed. Filters may repeat: the values of one filter are alternatives, and all filters must match. For a query, at most 1,000 documents of each type are counted, and some thousands in total can be paged. Another order than relevance sorts these.',
  lane: 'scan',
  permission: 'any key',
  query: searchQuery,
  isFiltered: true,
  answers: {
    200: {
      description: 'What was found',
      schema: searchAnswer,
      headers: { link: 'The next page, when there is one' },
    },
  },
  async handle({ services, caller, query, path, search: sent }) {
    const { p: page, limit, facets: withFacets } = query
    const { answer, hasNext } = await search(services, {
      organizationId: caller.organizationId,
      text: query.query ?? query.q ?? '',
      filters: {
        resourceType: query.resourceType,
        team: query.teamId,
        domain: query.domain,
        status: query.status,
        tag: query.tag,
        source: query.source,
        format: query.format,
        classification: query.classification,
        trust: query.trust,
        drift: query.drift,
      },
      custom: query.custom,
      customFields: query.customField ?? [],
      countedTags: query.countTag ?? [],
      sort: query.sort,
      page,
      limit,
      withFacets,
    })
    const link = hasNext ? { link: nextPageLink(path, sent, page) } : {}
    return jsonAnswer(200, searchAnswer, answer, link)
  },
}
