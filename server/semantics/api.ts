import { z } from '@hono/zod-openapi'
import type { Endpoint } from '../http/endpoint.ts'

/**
 * `GET /api/semantics/experimental/namespaces`: always empty. Clients that copy a whole catalog read this list, and fail
 * as a whole without it.
 */
export const listSemanticNamespaces: Endpoint = {
  operation: 'listSemanticNamespaces',
  summary: 'List the semantic namespaces, of which there are none',
  description:
    'Portbook has no semantic namespaces. The list exists for clients that copy whole catalogs; all addresses below it are unknown.',
  permission: 'any key',
  answers: {
    200: { description: 'An empty list', schema: z.array(z.looseObject({})).max(0) },
  },
  handle: async () => ({ status: 200, mediaType: 'application/json', body: '[]' }),
}
