import { noSessionHeaders } from '../../requests/access/session.ts'
import { jsonAnswer, type Endpoint, type OpenEndpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import {
  createdReset,
  finishedReset,
  openReset,
  resetForm,
  resetLookForm,
} from '../users/password-reset.ts'
import * as service from '../users/reset-service.ts'
import { mailReset } from './account-mail-service.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'

const CLOSED = describeError('The link is used, replaced, expired or unknown')

/** `POST /ui/members/{userId}/password-reset`: creates a reset link for a member. */
export const createPasswordReset: Endpoint<'userId'> = {
  operation: 'createPasswordReset',
  summary: 'Create a link with which a member sets a new password',
  description:
    'Only this answer has the link. It works once, for 24 hours, and replaces an earlier one. If the person also belongs to other organizations, an owner of each must agree by the same request within 7 days; the last one gets the link. When it is used, all sessions of the person end and their personal API keys are deleted. If a mail server is configured, the person also gets the link by e-mail.',
  permission: 'an owner of the organization',
  answers: {
    201: { description: 'The link', schema: createdReset },
    409: describeError(
      'The agreement is recorded; another organization of the person must also agree',
    ),
  },
  async handle({ services, caller, params: { userId }, requestId }) {
    requireOwner(caller)
    const { organizationId } = caller
    const input = { userId, createdBy: caller.userId ?? '' }
    const created = await service.createReset(services, organizationId, { ...input, requestId })
    services.log.info({ organizationId, ...input }, 'a password reset link was created')
    const mailed = await mailReset(services, organizationId, created)
    return jsonAnswer(201, createdReset, { ...created, mailed })
  },
}

/** `POST /ui/password-reset/look`: returns the person whose password a link sets. */
export const lookAtPasswordReset: OpenEndpoint = {
  operation: 'lookAtPasswordReset',
  summary: 'Show whose password a reset link sets',
  permission: 'public',
  body: formBody(resetLookForm, "The link's token"),
  answers: { 200: { description: 'The link', schema: openReset }, 404: CLOSED },
  async handle({ services, body }) {
    const { token } = readForm(body, resetLookForm)
    return jsonAnswer(200, openReset, await service.getOpenReset(services, token))
  },
}

/** `POST /ui/password-reset`: sets a new password with a reset link. */
export const resetPassword: OpenEndpoint = {
  operation: 'resetPassword',
  summary: 'Set a new password with a reset link',
  description:
    'All sessions of the person end, and their personal API keys are deleted. The person is not signed in.',
  permission: 'public',
  body: formBody(resetForm, "The link's token and the new password"),
  answers: {
    200: {
      description: 'The password is set',
      schema: finishedReset,
      headers: { 'set-cookie': 'Removes the session of this browser' },
    },
    404: CLOSED,
  },
  async handle({ services, body, requestId }) {
    const reset = { ...readForm(body, resetForm), requestId }
    const result = await service.resetPassword(services, reset)
    services.authenticator.forget()
    services.log.info({ userId: result.userId }, 'a password was reset with a link')
    return jsonAnswer(200, finishedReset, result, noSessionHeaders())
  },
}
