import { readConditions } from '../../requests/http/conditional.ts'
import type { Answer, Call, Endpoint, Services } from '../../requests/http/endpoint.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { SCIM_MEDIA_TYPE } from '../../requests/http/scim-problem.ts'
import type { EndOfMembership } from '../organizations/member-service.ts'
import {
  DIRECTORY_PERMISSION,
  describeResource,
  getActor,
  listAnswer,
  resourceAnswer,
} from './answer.ts'
import { newScimBody, readScimBody } from './body.ts'
import {
  listQuery,
  scimList,
  scimUser,
  selectionQuery,
  toLocation,
  type ScimListQuery,
  type SelectionQuery,
} from './scim.ts'
import { readUserBody, readUserPatchBody } from './task.ts'
import type { UserChange } from './user-change.ts'
import * as users from './user-service.ts'
import { digestUser, toUserResource, type UserRow } from './user.ts'

const USER = describeResource('The user', scimUser)
const TAKEN = describeError(
  'Another member has the user name, the address or the external id, or there is no address',
)
const PROTECTED = describeError(
  'The last owner and break-glass owners cannot be suspended or removed',
)

/** `GET /api/scim/v2/Users`: lists the members of the organization. */
export const getUsers: Endpoint<never, ScimListQuery> = {
  ...DIRECTORY_PERMISSION,
  operation: 'listScimUsers',
  summary: 'List the members as SCIM users',
  lane: 'scan',
  query: listQuery,
  answers: {
    200: {
      description: 'A page of users',
      mediaTypes: [SCIM_MEDIA_TYPE],
      schema: scimList(scimUser),
    },
  },
  async handle({ services: { db, baseUrl }, caller, query }) {
    const { rows, total } = await users.listUsers(db, caller.organizationId, query)
    return listAnswer(
      query,
      total,
      rows.map((row) => toUserResource(row, baseUrl)),
    )
  },
}

/** `POST /api/scim/v2/Users`: creates a managed account that is a member. */
export const postUser: Endpoint<never, SelectionQuery> = {
  ...DIRECTORY_PERMISSION,
  operation: 'createScimUser',
  summary: 'Create a member',
  description:
    'The address of the account is the primary or work address, else the user name. The account has no password.',
  query: selectionQuery,
  body: newScimBody('A SCIM user'),
  answers: { 201: USER, 409: TAKEN },
  async handle(call) {
    const { services, caller, body } = call
    const change = await readScimBody(services, caller, readUserBody, body)
    const user = await users.createUser(services.db, caller.organizationId, change, getActor(call))
    return userAnswer(call, 201, user)
  },
}

/** `GET /api/scim/v2/Users/{id}`: returns a member. */
export const getUser: Endpoint<'id', SelectionQuery> = {
  ...DIRECTORY_PERMISSION,
  operation: 'getScimUser',
  summary: 'Get a member as SCIM user',
  query: selectionQuery,
  answers: { 200: USER, 304: { description: 'The version in If-None-Match is current' } },
  async handle(call) {
    const { services, caller, params } = call
    return userAnswer(call, 200, await users.getUser(services.db, caller.organizationId, params.id))
  },
}

/** `PUT /api/scim/v2/Users/{id}`: replaces the attributes of a member. */
export const putUser: Endpoint<'id', SelectionQuery> = {
  ...DIRECTORY_PERMISSION,
  operation: 'replaceScimUser',
  summary: 'Replace the attributes of a member',
  description: 'Without `active`, a suspended member stays suspended.',
  query: selectionQuery,
  body: newScimBody('A SCIM user'),
  answers: { 200: USER, 403: PROTECTED, 409: TAKEN, 412: describeError('If-Match does not hold') },
  async handle(call) {
    const change = await readScimBody(call.services, call.caller, readUserBody, call.body)
    return await updateUser(call, change)
  },
}

/** `PATCH /api/scim/v2/Users/{id}`: changes attributes of a member; `active` suspends and restores. */
export const patchUser: Endpoint<'id', SelectionQuery> = {
  ...DIRECTORY_PERMISSION,
  operation: 'updateScimUser',
  summary: 'Change attributes of a member',
  description:
    '`active: false` suspends the member in this organization: sessions and personal keys stop working, and roles do not count. `active: true` restores the member.',
  query: selectionQuery,
  body: newScimBody('A PatchOp'),
  answers: { 200: USER, 403: PROTECTED, 409: TAKEN, 412: describeError('If-Match does not hold') },
  async handle(call) {
    const change = await readScimBody(call.services, call.caller, readUserPatchBody, call.body)
    return await updateUser(call, change)
  },
}

/** Creates `DELETE /api/scim/v2/Users/{id}`, which removes a member. */
export const newDeleteUser = (end: EndOfMembership): Endpoint<'id'> => ({
  ...DIRECTORY_PERMISSION,
  operation: 'deleteScimUser',
  summary: 'Remove a member',
  description: 'The account is kept, so that the activity has its name.',
  answers: {
    204: { description: 'The person is no longer a member' },
    403: PROTECTED,
    412: describeError('If-Match does not hold'),
  },
  async handle(call) {
    const { services, caller, params, headers } = call
    const removal = { id: params.id, conditions: readConditions(headers) }
    await users.deleteUser(services.db, caller.organizationId, removal, end, getActor(call))
    services.authenticator.forget()
    return { status: 204 }
  },
})

async function updateUser(call: Call<'id', SelectionQuery>, change: UserChange): Promise<Answer> {
  const { services, caller, params, headers } = call
  const update = { id: params.id, change, conditions: readConditions(headers) }
  const user = await users.updateUser(services.db, caller.organizationId, update, getActor(call))
  services.authenticator.forget()
  return userAnswer({ ...call, headers: new Headers() }, 200, user)
}

function userAnswer(
  call: Pick<Call<never, SelectionQuery>, 'headers' | 'query'> & {
    services: Pick<Services, 'baseUrl'>
  },
  status: 200 | 201,
  user: UserRow,
): Answer {
  const { baseUrl } = call.services
  const location = toLocation(baseUrl, 'User', user.id)
  return resourceAnswer(call, status, toUserResource(user, baseUrl), {
    digest: digestUser(user),
    location,
  })
}
