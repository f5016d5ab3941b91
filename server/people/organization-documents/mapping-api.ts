import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import { mappingUse } from './mapping-use.ts'
import { listMappedGroups, listUnmappedGroups } from './mapping-use-store.ts'

/** `GET /ui/mapped-groups`: the people and teams that the mapping of groups concerns, and the groups without one. */
export const getMappedGroups: Endpoint = {
  operation: 'getMappedGroups',
  summary:
    'Read the people and teams of the mapping of groups to roles, and the groups that it does not name',
  lane: 'scan',
  permission: 'an owner of the organization',
  answers: { 200: { description: 'The groups', schema: mappingUse } },
  async handle({ services, caller }) {
    requireOwner(caller)
    const { organizationId } = caller
    const mappings = await listMappedGroups(services.db, organizationId)
    const unmapped = await listUnmappedGroups(services.db, organizationId)
    return jsonAnswer(200, mappingUse, { mappings, ...unmapped })
  },
}
