import { DIRECTORY_PATH } from '../../requests/access/directory-caller.ts'
import type { Route } from '../../requests/http/endpoint.ts'
import { route } from '../../requests/http/route.ts'
import type { EndOfMembership } from '../organizations/member-service.ts'
import * as discovery from './discovery-api.ts'
import * as groups from './group-api.ts'
import * as users from './user-api.ts'

const searchUsers = discovery.newMissingEndpoint('searchScimUsers', 'Search users by POST')
const searchGroups = discovery.newMissingEndpoint('searchScimGroups', 'Search groups by POST')
const search = discovery.newMissingEndpoint('searchScim', 'Search by POST')
const bulk = discovery.newMissingEndpoint('bulkScim', 'Send several SCIM requests as one')

/** Returns the addresses of SCIM. `end` ends what other modules keep for a member who leaves. */
export function newDirectoryRoutes(end: EndOfMembership): Route[] {
  return [
    // Before the resources, because `.search` is not the id of one.
    route('POST', `${DIRECTORY_PATH}/Users/.search`, searchUsers),
    route('POST', `${DIRECTORY_PATH}/Groups/.search`, searchGroups),
    route('POST', `${DIRECTORY_PATH}/.search`, search),
    route('POST', `${DIRECTORY_PATH}/Bulk`, bulk),
    route('GET', `${DIRECTORY_PATH}/Users`, users.getUsers),
    route('POST', `${DIRECTORY_PATH}/Users`, users.postUser),
    route('GET', `${DIRECTORY_PATH}/Users/{id}`, users.getUser),
    route('PUT', `${DIRECTORY_PATH}/Users/{id}`, users.putUser),
    route('PATCH', `${DIRECTORY_PATH}/Users/{id}`, users.patchUser),
    route('DELETE', `${DIRECTORY_PATH}/Users/{id}`, users.newDeleteUser(end)),
    route('GET', `${DIRECTORY_PATH}/Groups`, groups.getGroups),
    route('POST', `${DIRECTORY_PATH}/Groups`, groups.postGroup),
    route('GET', `${DIRECTORY_PATH}/Groups/{id}`, groups.getGroup),
    route('PUT', `${DIRECTORY_PATH}/Groups/{id}`, groups.putGroup),
    route('PATCH', `${DIRECTORY_PATH}/Groups/{id}`, groups.patchGroup),
    route('DELETE', `${DIRECTORY_PATH}/Groups/{id}`, groups.deleteGroup),
    route('GET', `${DIRECTORY_PATH}/ServiceProviderConfig`, discovery.getServiceProviderConfig),
    route('GET', `${DIRECTORY_PATH}/ResourceTypes`, discovery.getResourceTypes),
    route('GET', `${DIRECTORY_PATH}/ResourceTypes/{id}`, discovery.getResourceType),
    route('GET', `${DIRECTORY_PATH}/Schemas`, discovery.getSchemas),
    route('GET', `${DIRECTORY_PATH}/Schemas/{id}`, discovery.getSchema),
  ]
}
