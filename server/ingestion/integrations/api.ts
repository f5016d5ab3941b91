import { z } from '@hono/zod-openapi'
import { unknownAddress } from '../../platform/errors.ts'
import { jsonAnswer, createPageHeader, type Endpoint } from '../../requests/http/endpoint.ts'
import { nextPageLink, pageParameter } from '../../requests/http/paging.ts'
import { integrationDetails, integrationSummary, SOURCES, WIRE_SOURCES } from './integration.ts'
import { describeIntegration, listVisibleIntegrations } from './service.ts'

// The same endpoints exist under /api/integrations and /api/integrations/ingest: newer clients use
// only the second. Each is created twice, with different operation names.

const listQuery = z.object({
  p: pageParameter,
  owningTeamExternalId: z.string().optional(),
  source: z.enum(SOURCES, `must be one of ${SOURCES.join(', ')}`).optional(),
  enabled: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .optional()
    .openapi({ type: 'boolean', description: 'Whether the schedule is enabled' }),
})

type ListQuery = z.infer<typeof listQuery>

/**
 * Creates `GET /api/integrations`, or the same below `ingest`, which lists the integrations that
 * the caller may see. Strict clients of the first support eleven sources; others are listed only on
 * request.
 */
export function createListIntegrations(
  operation: string,
  shown: 'sources that strict clients know' | 'all sources',
): Endpoint<never, ListQuery> {
  const usual = shown === 'all sources' ? [] : WIRE_SOURCES
  return {
    operation,
    summary: 'List integrations, each with its last run',
    description:
      shown === 'all sources'
        ? 'Those that the caller may see.'
        : `Those that the caller may see. Without \`source\`: those of ${WIRE_SOURCES.join(', ')}.`,
    permission: 'any key',
    query: listQuery,
    answers: {
      200: {
        description: 'At most 1000 integrations',
        schema: z.array(integrationSummary),
        headers: { link: 'The next page, if any' },
      },
    },
    async handle({ services, caller, query, path, search }) {
      const { p: page, owningTeamExternalId: ownerTeam, source, enabled } = query
      const sources = source === undefined ? usual : [source]
      const filter = { page, ownerTeam, sources, enabled }
      const { integrations, hasMore } = await listVisibleIntegrations(services.db, caller, filter)
      const headers = hasMore ? { link: nextPageLink(path, search, page) } : {}
      return jsonAnswer(200, z.array(integrationSummary), integrations, headers)
    },
  }
}

// Clients of this family list integrations that write to a platform below this address. There are none, which differs from
// an integration that does not exist.
const METADATA_WRITERS = 'unity-catalog-metadata'

/**
 * Creates `GET …/{externalId}`, which returns an integration with its configuration, without
 * secrets.
 */
export function createGetIntegration(operation: string): Endpoint<'externalId'> {
  return {
    operation,
    summary: 'Read an integration, with its configuration and its last run',
    permission: 'any key',
    answers: {
      200: {
        description: 'The integration',
        schema: integrationDetails,
        headers: { 'location-html': "The address of the integration's page" },
      },
    },
    async handle({ services, caller, params: { externalId } }) {
      if (externalId === METADATA_WRITERS) throw unknownAddress()
      const details = await describeIntegration(services.db, caller, externalId)
      return jsonAnswer(
        200,
        integrationDetails,
        details,
        createPageHeader(services, 'integrations', externalId),
      )
    },
  }
}
