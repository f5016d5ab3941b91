import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { definitionUses } from './use.ts'
import { listDefinitionUses } from './use-service.ts'

const ID_CHARACTERS_MAX = 1024

const usesQuery = z.object({
  id: z.string().min(1).max(ID_CHARACTERS_MAX).openapi({ description: 'The ID of the definition' }),
  after: z
    .string()
    .max(ID_CHARACTERS_MAX)
    .default('')
    .openapi({ description: 'Contracts after this ID; the `next` of the page before' }),
})

/** `GET /ui/definitions/uses`: lists the data contracts that name a definition. */
export const getDefinitionUses: Endpoint<never, z.infer<typeof usesQuery>> = {
  operation: 'getDefinitionUses',
  summary: 'List the data contracts that name a definition',
  lane: 'scan',
  permission: 'a session',
  query: usesQuery,
  answers: { 200: { description: 'A page of contracts, by id', schema: definitionUses } },
  async handle({ services, caller, query: { id, after } }) {
    const uses = await listDefinitionUses(services, caller.organizationId, id, after)
    return jsonAnswer(200, definitionUses, uses)
  },
}
