import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { namedPrincipal, PRINCIPALS_MAX } from '../principals/principal.ts'
import { nameVisiblePrincipals } from './service.ts'

const principalQuery = z.object({
  id: z
    .union([z.string().transform((text) => [text]), z.array(z.string())])
    .default([])
    .refine((ids) => ids.length <= PRINCIPALS_MAX, `must be given at most ${PRINCIPALS_MAX} times`)
    .openapi({
      type: 'array',
      items: { type: 'string' },
      description: 'A principal such as `user:<uuid>`; may repeat',
    }),
})

const answer = z.array(namedPrincipal)

/** `GET /ui/principals`: returns the names of principals. */
export const listPrincipals: Endpoint<never, z.infer<typeof principalQuery>> = {
  operation: 'listPrincipals',
  summary: 'Get the names of principals',
  permission: 'a session',
  query: principalQuery,
  answers: {
    200: { description: 'Each principal once, in the order of the request', schema: answer },
  },
  async handle({ services, caller, query }) {
    const named = await nameVisiblePrincipals(services, caller, query.id)
    return jsonAnswer(200, answer, named)
  },
}
