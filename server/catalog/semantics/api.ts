import { z } from '@hono/zod-openapi'
import type { Endpoint } from '../../requests/http/endpoint.ts'

const semanticNamespace = z
  .looseObject({
    namespace: z.string().optional(),
    name: z.string(),
    description: z.string().optional(),
    kind: z.string().optional(),
    read_only: z.boolean().optional(),
    team: z.string().optional(),
  })
  .openapi('SemanticNamespace')

/**
 * `GET /api/semantics/experimental/namespaces`: always empty. Clients that copy a whole catalog read this list, and fail
 * as a whole without it.
 */
export const listSemanticNamespaces: Endpoint = {
  operation: 'listSemanticNamespaces',
  summary: 'List the semantic namespaces (always empty)',
  description:
    'Portbook has no semantic namespaces. The list exists for clients that copy whole catalogs; all addresses below it are unknown.',
  permission: 'any key',
  answers: {
    200: { description: 'An empty list', schema: z.array(semanticNamespace).max(0) },
  },
  handle: async () => ({ status: 200, mediaType: 'application/json', body: '[]' }),
}
