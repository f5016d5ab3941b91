import { parseMediaType } from '../../platform/kit/media-types.ts'
import { readConditions } from '../../requests/http/conditional.ts'
import type { Answer, Call, Endpoint } from '../../requests/http/endpoint.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { SCIM_MEDIA_TYPE } from '../../requests/http/scim-problem.ts'
import {
  DIRECTORY_PERMISSION,
  describeResource,
  getActor,
  isSelected,
  listAnswer,
  resourceAnswer,
} from './answer.ts'
import { newScimBody, readScimBody } from './body.ts'
import type { GroupChange } from './group-change.ts'
import * as groups from './group-service.ts'
import { digestGroup, toGroupResource } from './group.ts'
import {
  listQuery,
  scimGroup,
  scimList,
  selectionQuery,
  toLocation,
  type ScimListQuery,
  type SelectionQuery,
} from './scim.ts'
import { readGroupBody, readGroupPatchBody } from './task.ts'

const GROUP = describeResource('The group', scimGroup)
const TAKEN = describeError('Another group has the name or the external id')
const OUTRUN = describeError('If-Match does not hold')

/** `GET /api/scim/v2/Groups`: lists the groups of the directory. */
export const getGroups: Endpoint<never, ScimListQuery> = {
  ...DIRECTORY_PERMISSION,
  operation: 'listScimGroups',
  summary: 'List the groups of the directory',
  description: 'A page with very many members has fewer groups than `count`.',
  lane: 'scan',
  query: listQuery,
  answers: {
    200: {
      description: 'A page of groups',
      mediaTypes: [SCIM_MEDIA_TYPE],
      schema: scimList(scimGroup),
    },
  },
  async handle({ services: { db, baseUrl }, caller, query }) {
    const hasMembers = isSelected('members', query)
    const page = await groups.listGroups(db, caller.organizationId, query, { hasMembers })
    const resources = page.groups.map(({ row, members }) => toGroupResource(row, members, baseUrl))
    return listAnswer(query, page.total, resources)
  },
}

/** `POST /api/scim/v2/Groups`: creates a group. */
export const postGroup: Endpoint<never, SelectionQuery> = {
  ...DIRECTORY_PERMISSION,
  operation: 'createScimGroup',
  summary: 'Create a group of the directory',
  description: 'The mapping of the organization gives its members roles.',
  query: selectionQuery,
  body: newScimBody('A SCIM group'),
  answers: { 201: GROUP, 409: TAKEN },
  async handle(call) {
    const { services, caller, body } = call
    const change = await readScimBody(services, caller, readGroupBody, body)
    const id = await groups.createGroup(services.db, caller.organizationId, change, getActor(call))
    services.authenticator.forget()
    return await groupAnswer(call, 201, id)
  },
}

/** `GET /api/scim/v2/Groups/{id}`: returns a group. */
export const getGroup: Endpoint<'id', SelectionQuery> = {
  ...DIRECTORY_PERMISSION,
  operation: 'getScimGroup',
  summary: 'Get a group of the directory',
  query: selectionQuery,
  answers: { 200: GROUP, 304: { description: 'The version in If-None-Match is current' } },
  handle: (call) => groupAnswer(call, 200, call.params.id),
}

/** `PUT /api/scim/v2/Groups/{id}`: replaces a group and its members. */
export const putGroup: Endpoint<'id', SelectionQuery> = {
  ...DIRECTORY_PERMISSION,
  operation: 'replaceScimGroup',
  summary: 'Replace a group of the directory',
  description: 'Without `members`, the group has no members.',
  query: selectionQuery,
  body: newScimBody('A SCIM group'),
  answers: { 200: GROUP, 409: TAKEN, 412: OUTRUN },
  async handle(call) {
    const change = await readScimBody(call.services, call.caller, readGroupBody, call.body)
    await updateGroup(call, change)
    return await groupAnswer({ ...call, headers: new Headers() }, 200, call.params.id)
  },
}

/** `PATCH /api/scim/v2/Groups/{id}`: changes a group; its members join and leave. */
export const patchGroup: Endpoint<'id', SelectionQuery> = {
  ...DIRECTORY_PERMISSION,
  operation: 'updateScimGroup',
  summary: 'Change a group of the directory',
  description:
    'Clients that send `application/json`, or select attributes, get the group; others get no body, because a group may have thousands of members.',
  query: selectionQuery,
  body: newScimBody('A PatchOp'),
  answers: {
    200: GROUP,
    204: { description: 'The group is changed', headers: { etag: 'The version of the group' } },
    409: TAKEN,
    412: OUTRUN,
  },
  async handle(call) {
    const { services, caller, body, headers, query, params } = call
    const change = await readScimBody(services, caller, readGroupPatchBody, body)
    const digest = await updateGroup(call, change)
    const speaksScim = parseMediaType(headers.get('content-type') ?? '').type === SCIM_MEDIA_TYPE
    const selects = query.attributes !== undefined || query.excludedAttributes !== undefined
    if (speaksScim && !selects) return { status: 204, headers: { etag: `W/"${digest}"` } }
    return await groupAnswer({ ...call, headers: new Headers() }, 200, params.id)
  },
}

/** `DELETE /api/scim/v2/Groups/{id}`: deletes a group, whose members lose the roles that it gave. */
export const deleteGroup: Endpoint<'id'> = {
  ...DIRECTORY_PERMISSION,
  operation: 'deleteScimGroup',
  summary: 'Delete a group of the directory',
  answers: { 204: { description: 'The group is deleted' }, 412: OUTRUN },
  async handle(call) {
    const { services, caller, params, headers } = call
    const removal = { id: params.id, conditions: readConditions(headers) }
    await groups.deleteGroup(services.db, caller.organizationId, removal, getActor(call))
    services.authenticator.forget()
    return { status: 204 }
  },
}

async function updateGroup(call: Call<'id', SelectionQuery>, change: GroupChange): Promise<string> {
  const { services, caller, params, headers } = call
  const update = { id: params.id, change, conditions: readConditions(headers) }
  const digest = await groups.updateGroup(
    services.db,
    caller.organizationId,
    update,
    getActor(call),
  )
  services.authenticator.forget()
  return digest
}

async function groupAnswer(
  call: Pick<Call<never, SelectionQuery>, 'services' | 'caller' | 'headers' | 'query'>,
  status: 200 | 201,
  id: string,
): Promise<Answer> {
  const { services, caller, query } = call
  const { db, baseUrl } = services
  const hasMembers = isSelected('members', query)
  const { row, members } = await groups.getGroup(db, caller.organizationId, id, { hasMembers })
  const location = toLocation(baseUrl, 'Group', row.id)
  const resource = toGroupResource(row, members, baseUrl)
  return resourceAnswer(call, status, resource, { digest: digestGroup(row), location })
}
