import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { deprecations, DOCUMENTS_MAX, type DocumentRef } from './deprecation.ts'
import { listDeprecations } from './service.ts'

const NAME = /^(data-product|data-contract)\/(.{1,1024})$/s

const documentName = z
  .string()
  .regex(NAME, 'must be data-product/ or data-contract/ with the id of a document')

const query = z.object({
  of: z
    .union([documentName.transform((name) => [name]), z.array(documentName).max(DOCUMENTS_MAX)])
    .openapi({
      type: 'array',
      items: { type: 'string' },
      maxItems: DOCUMENTS_MAX,
      description: 'The documents, each as `data-product/<id>` or `data-contract/<id>`',
    }),
})

/** `GET /ui/deprecations`: lists the deprecated parts of documents, with what replaces them. */
export const getDeprecations: Endpoint<never, z.infer<typeof query>> = {
  operation: 'getDeprecations',
  summary: 'List the deprecated parts of documents',
  lane: 'scan',
  description: 'Documents that do not exist and those without deprecated parts are left out.',
  permission: 'a session',
  query,
  answers: { 200: { description: 'The documents in the order given', schema: deprecations } },
  async handle({ services, caller, query: { of } }) {
    const names = of.flatMap(toName)
    return jsonAnswer(
      200,
      deprecations,
      await listDeprecations(services, caller.organizationId, names),
    )
  },
}

function toName(text: string): DocumentRef[] {
  const [, kind, id] = NAME.exec(text) ?? []
  if (id === undefined) return []
  return kind === 'data-product' || kind === 'data-contract' ? [{ kind, id }] : []
}
