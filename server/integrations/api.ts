import { z } from '@hono/zod-openapi'
import { jsonAnswer, pageOf, type Endpoint } from '../http/endpoint.ts'
import { nextPageLink, pageParameter } from '../http/paging.ts'
import { integrationDetails, integrationSummary, SOURCES, WIRE_SOURCES } from './integration.ts'
import { describeIntegration, listVisibleIntegrations } from './service.ts'

// The same endpoints exist under /api/integrations and /api/integrations/ingest: newer clients know
// the second alone. Each is made twice, with a name of its own.

const listQuery = z.object({
  p: pageParameter,
  owningTeamExternalId: z.string().optional(),
  source: z.enum(SOURCES, `must be one of ${SOURCES.join(', ')}`).optional(),
  enabled: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .optional()
    .openapi({ type: 'boolean', description: 'Whether the schedule is on' }),
})

type ListQuery = z.infer<typeof listQuery>

/**
 * `GET /api/integrations`, or below `ingest`: the integrations that the caller may see. Strict
 * clients of the first know eleven sources; it shows another only when it is asked for.
 */
export function listIntegrationsOf(
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
    params: [],
    query: listQuery,
    answers: {
      200: {
        description: 'At most 1000 integrations',
        schema: z.array(integrationSummary),
        headers: { link: 'The next page, when there is one' },
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

/** `GET …/{externalId}`: an integration with its configuration, never with secrets. */
export function getIntegrationOf(operation: string): Endpoint<'externalId', object> {
  return {
    operation,
    summary: 'Read an integration, with its configuration and its last run',
    permission: 'any key',
    params: ['externalId'],
    query: z.object({}),
    answers: {
      200: {
        description: 'The integration',
        schema: integrationDetails,
        headers: { 'location-html': "The address of the integration's page" },
      },
    },
    async handle({ services, caller, params: { externalId } }) {
      const details = await describeIntegration(services.db, caller, externalId)
      return jsonAnswer(
        200,
        integrationDetails,
        details,
        pageOf(services, 'integrations', externalId),
      )
    },
  }
}
