import { z } from '@hono/zod-openapi'
import { sessionHeaders } from '../../requests/access/session.ts'
import { jsonAnswer, type Endpoint, type OpenEndpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { mailInvitation } from './account-mail-service.ts'
import * as service from './invitation-service.ts'
import {
  acceptForm,
  createdInvitation,
  invitation,
  invitationForm,
  lookForm,
  openInvitation,
} from './invitation.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import { toSignInOrigin } from '../users/session.ts'
import { showSession } from './session-service.ts'
import { session } from './signed-in.ts'

/** `GET /ui/invitations`: lists the invitations. */
export const getInvitations: Endpoint = {
  operation: 'listInvitations',
  summary: 'List the invitations of the organization',
  permission: 'an owner of the organization',
  answers: { 200: { description: 'The invitations, newest first', schema: z.array(invitation) } },
  async handle({ services, caller }) {
    requireOwner(caller)
    const { db, clock } = services
    const invitations = await service.listInvitations(db, clock, caller.organizationId)
    return jsonAnswer(200, z.array(invitation), invitations)
  },
}

/** `POST /ui/invitations`: invites a person. */
export const createInvitation: Endpoint = {
  operation: 'createInvitation',
  summary: 'Invite a person to the organization',
  description:
    'Only this answer has the link. It replaces an earlier one. If a mail server is configured, the person also gets it by e-mail.',
  permission: 'an owner of the organization',
  body: formBody(invitationForm, 'The address and the role of the person'),
  answers: {
    201: { description: 'The invitation, with its link', schema: createdInvitation },
    409: describeError('The person is already a member, or there are too many invitations'),
  },
  async handle({ services, caller, body, requestId }) {
    requireOwner(caller)
    const invitedBy = caller.userId ?? ''
    const input = { ...readForm(body, invitationForm), invitedBy, requestId }
    const created = await service.invite(services, caller.organizationId, input)
    const mailed = await mailInvitation(services, caller.organizationId, created)
    return jsonAnswer(201, createdInvitation, { ...created, mailed })
  },
}

/** `DELETE /ui/invitations/{id}`: withdraws an invitation. */
export const deleteInvitation: Endpoint<'id'> = {
  operation: 'deleteInvitation',
  summary: 'Withdraw an invitation',
  permission: 'an owner of the organization',
  answers: { 204: { description: 'The invitation is withdrawn; its link no longer works' } },
  async handle({ services, caller, params: { id }, requestId }) {
    requireOwner(caller)
    const { organizationId, principal } = caller
    await service.withdraw(services.db, organizationId, id, { principal, requestId })
    return { status: 204 }
  },
}

/** `POST /ui/invitations/look`: returns the invitation of a link. The token is in the body to keep it out of logs. */
export const lookAtInvitation: OpenEndpoint = {
  operation: 'lookAtInvitation',
  summary: 'Show the invitation of a link',
  permission: 'public',
  body: formBody(lookForm, "The link's token"),
  answers: {
    200: { description: 'The invitation', schema: openInvitation },
    404: describeError('The invitation is used, withdrawn, expired or unknown'),
  },
  async handle({ services, body }) {
    const { token } = readForm(body, lookForm)
    return jsonAnswer(200, openInvitation, await service.getOpenInvitation(services, token))
  },
}

/** `POST /ui/invitations/accept`: makes the person a member and signs them in. */
export const acceptInvitation: OpenEndpoint = {
  operation: 'acceptInvitation',
  summary: 'Accept an invitation',
  description:
    'With a name, creates an account that is visible only to this organization. Without one, the password is that of an existing account with the address, in any organization.',
  permission: 'public',
  body: formBody(acceptForm, "The link's token and the person's credentials"),
  answers: {
    200: {
      description: 'The session',
      schema: session,
      headers: { 'set-cookie': 'The session' },
    },
    401: describeError('No account has the address and the password'),
    404: describeError('The invitation is used, withdrawn, expired or unknown'),
    409: describeError('The organization already has a member with this address'),
  },
  async handle(call) {
    const { services, sessionToken: formerToken, body } = call
    const { token, name, password } = readForm(body, acceptForm)
    const acceptance = { token, name, password, formerToken, ...toSignInOrigin(call) }
    const accepted = await service.acceptInvitation(services, acceptance)
    const reach = { userId: accepted.userId, limitedTo: undefined }
    const signedIn = await showSession(services.db, reach, accepted.organizationId)
    return jsonAnswer(200, session, signedIn, sessionHeaders(accepted.token))
  },
}
