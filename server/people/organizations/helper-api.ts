import { z } from '@hono/zod-openapi'
import { findHelpers } from '../../requests/access/error-details-service.ts'
import { PERMISSIONS } from '../../requests/access/permission.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'

const TEAM_CHARACTERS_MAX = 256

const helpersQuery = z.object({
  permission: z
    .enum(PERMISSIONS)
    .optional()
    .openapi({ description: 'Absent = what only owners of the organization may do' }),
  team: z
    .string()
    .min(1)
    .max(TEAM_CHARACTERS_MAX)
    .optional()
    .openapi({ description: 'The team on which it is needed; absent = any team' }),
})

const helpers = z
  .object({ people: z.array(z.object({ name: z.string() })) })
  .openapi('Helpers', { description: 'People who can help, the nearest first' })

/** `GET /ui/helpers`: lists people who have a permission, or who can give it to the person. */
export const getHelpers: Endpoint<never, z.infer<typeof helpersQuery>> = {
  operation: 'getHelpers',
  summary: 'List people who have a permission that the person lacks, or who can give it to them',
  description:
    'With a team, those who have the permission there. Without one, owners of a team of the person, who can give them a role. If there are none, owners of the organization. At most 3.',
  lane: 'point',
  permission: 'a session',
  query: helpersQuery,
  answers: { 200: { description: 'The people', schema: helpers } },
  async handle({ services, caller, query }) {
    const people = await findHelpers(services.db, caller, query)
    return jsonAnswer(200, helpers, { people: people.map((name) => ({ name })) })
  },
}
