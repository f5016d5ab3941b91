import { z } from '@hono/zod-openapi'
import { createPageHeader, jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { assignTag, listAssignedTags, removeTag } from './service.ts'

const assignedTags = z.array(z.string()).openapi('AssignedTags')

/** `GET /api/assets/{id}/assigned-tags`: the ids of the tags that are assigned to an asset. */
export const getAssignedTags: Endpoint<'id'> = {
  operation: 'listAssignedTags',
  summary: 'List the tags that are assigned to an asset',
  permission: 'any key',
  answers: { 200: { description: 'The ids of the tags', schema: assignedTags } },
  async handle({ services, caller, params: { id } }) {
    const tags = await listAssignedTags(services.db, caller.organizationId, id)
    return jsonAnswer(200, assignedTags, tags)
  },
}

/** `PUT /api/assets/{id}/assigned-tags/{tagId}`: assigns a tag. */
export const putAssignedTag: Endpoint<'id' | 'tagId'> = {
  operation: 'assignTag',
  summary: 'Assign a tag to an asset',
  description: 'The request has no body. The tag must exist. A tag that is assigned already stays.',
  permission: { needs: ['ASSET_EDIT'], on: 'the owning team; without one, the organization' },
  answers: {
    200: {
      description: 'The tag is assigned',
      headers: { 'location-html': "The address of the asset's page" },
    },
    409: describeError('The asset has too many assigned tags'),
    422: describeError('The tag does not exist'),
  },
  async handle({ services, caller, params: { id, tagId }, requestId }) {
    await assignTag(services, caller, { assetId: id, tagId, requestId })
    return { status: 200, headers: createPageHeader(services, 'assets', id) }
  },
}

/** `DELETE /api/assets/{id}/assigned-tags/{tagId}`: removes a tag. */
export const deleteAssignedTag: Endpoint<'id' | 'tagId'> = {
  operation: 'removeTag',
  summary: 'Remove a tag from an asset',
  description: 'A tag that is not assigned is not an error.',
  permission: { needs: ['ASSET_EDIT'], on: 'the owning team; without one, the organization' },
  answers: {
    200: { description: 'The tag is not assigned' },
    422: describeError('The tag does not exist'),
  },
  async handle({ services, caller, params: { id, tagId }, requestId }) {
    await removeTag(services, caller, { assetId: id, tagId, requestId })
    return { status: 200 }
  },
}
