import { z } from '@hono/zod-openapi'
import { DEFAULT_ROLES, listGrants, PERMISSIONS } from '../../requests/access/permission.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { listRoleUses } from './store.ts'

const teamRoleUse = z
  .object({
    defaults: z.array(z.object({ name: z.string(), permissions: z.array(z.enum(PERMISSIONS)) })),
    uses: z
      .array(z.object({ role: z.string(), members: z.int() }))
      .openapi({ description: 'The members of all teams by their role, without inherited roles' }),
  })
  .openapi('TeamRoleUse')

/** `GET /ui/team-roles`: the default roles, and how many members have each role. */
export const getTeamRoleUse: Endpoint = {
  operation: 'getTeamRoleUse',
  summary: 'Read the default team roles, and how many members have each role',
  lane: 'scan',
  permission: 'a session',
  answers: { 200: { description: 'The roles', schema: teamRoleUse } },
  async handle({ services, caller }) {
    const defaults = DEFAULT_ROLES.map((name) => {
      const granted = listGrants(name)
      return { name, permissions: PERMISSIONS.filter((permission) => granted.has(permission)) }
    })
    const uses = await listRoleUses(services.db, caller.organizationId)
    return jsonAnswer(200, teamRoleUse, { defaults, uses })
  },
}
