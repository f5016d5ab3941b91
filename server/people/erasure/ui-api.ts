import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { eraseMember, previewErasure, type ErasureOccasions } from './erasure-service.ts'
import { erasureForm, erasurePreview, erasureResult } from './erasure.ts'

const ELSEWHERE = describeError('The person is or was also a member of another organization')

/** `GET /ui/members/{userId}/erasure`: returns what erasing a member deletes and leaves. */
export const getErasure: Endpoint<'userId'> = {
  operation: 'getErasure',
  summary: 'Show what erasing a member deletes, and which documents contain the address',
  lane: 'scan',
  permission: 'an owner of the organization',
  answers: {
    200: { description: 'What is deleted and left', schema: erasurePreview },
    409: ELSEWHERE,
  },
  async handle({ services, caller, params: { userId } }) {
    requireOwner(caller)
    const member = { organizationId: caller.organizationId, userId, ownerId: caller.userId ?? '' }
    return jsonAnswer(200, erasurePreview, await previewErasure(services.db, member))
  },
}

/** Creates `POST /ui/members/{userId}/erasure`: erases a member. */
export const newPostErasure = (occasions: ErasureOccasions): Endpoint<'userId'> => ({
  operation: 'eraseMember',
  summary: 'Erase a member: the account, and everything that is theirs',
  description:
    'The person leaves the organization. Sessions, personal API keys, follows and notifications are deleted; the name and the address of the account and in the activity are replaced. Documents are not changed; the answer lists those that contain the address. It cannot be undone.',
  lane: 'scan',
  permission: 'an owner of the organization',
  body: formBody(erasureForm, 'The address of the member, as a confirmation'),
  answers: {
    200: { description: 'The person is erased', schema: erasureResult },
    409: ELSEWHERE,
  },
  async handle({ services, caller, params: { userId }, body, requestId }) {
    requireOwner(caller)
    const { organizationId, principal } = caller
    const confirmation = readForm(body, erasureForm)
    const member = { organizationId, userId, ownerId: caller.userId ?? '' }
    const actor = { principal, requestId }
    const left = await eraseMember(services.db, member, confirmation, occasions, actor)
    services.authenticator.forget()
    services.log.info({ organizationId, userId, by: caller.userId }, 'a person was erased')
    return jsonAnswer(200, erasureResult, left)
  },
})
