import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { changeRole, listMembers, removeMember, type EndOfMembership } from './member-service.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import { requireOwnerOrSelf } from './member-service.ts'
import { member, memberForm } from './member.ts'

/** `GET /ui/members`: lists the members of the organization. */
export const getMembers: Endpoint = {
  operation: 'listMembers',
  summary: 'List the members of the organization',
  permission: 'a session',
  answers: { 200: { description: 'The members, sorted by name', schema: z.array(member) } },
  async handle({ services, caller }) {
    const members = await listMembers(services.db, caller.organizationId)
    return jsonAnswer(200, z.array(member), members)
  },
}

/** `PUT /ui/members/{userId}`: changes the role of a member. */
export const putMember: Endpoint<'userId'> = {
  operation: 'putMember',
  summary: 'Change the role of a member in the organization',
  permission: 'an owner of the organization',
  body: formBody(memberForm, 'The role'),
  answers: { 200: { description: 'The member', schema: member } },
  async handle({ services, caller, params: { userId }, body, requestId }) {
    requireOwner(caller)
    const { organizationId, principal } = caller
    const actor = { principal, requestId }
    const { role } = readForm(body, memberForm)
    const changed = await changeRole(services.db, organizationId, userId, role, actor)
    services.authenticator.forget()
    return jsonAnswer(200, member, changed)
  },
}

/** Creates `DELETE /ui/members/{userId}`: removes a person from the organization. */
export const newDeleteMember = (end: EndOfMembership): Endpoint<'userId'> => ({
  operation: 'deleteMember',
  summary: 'Remove a member, or leave the organization',
  description:
    'Owners can remove any member, members only themselves. Personal API keys are deleted, and the access agreements of the person end.',
  permission: 'a session',
  answers: { 204: { description: 'The person is no longer a member' } },
  async handle({ services, caller, params: { userId }, requestId }) {
    requireOwnerOrSelf(caller, userId)
    const { organizationId, principal } = caller
    await removeMember(services.db, { organizationId, userId }, end, { principal, requestId })
    services.authenticator.forget()
    return { status: 204 }
  },
})
