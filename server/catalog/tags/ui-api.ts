import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { listTaggedAssets, renameTag } from './service.ts'

const taggedAssets = z
  .object({
    total: z.int(),
    assets: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
  })
  .openapi('TaggedAssets', { description: 'At most 100 assets, sorted by name' })

const tagQuery = z.object({ tag: z.string().min(1).max(256) })

/** `GET /ui/tagged-assets?tag=`: the assets to which a tag is assigned. */
export const getTaggedAssets: Endpoint<never, z.infer<typeof tagQuery>> = {
  operation: 'listTaggedAssets',
  summary: 'List the assets to which a tag is assigned',
  lane: 'scan',
  permission: 'a session',
  query: tagQuery,
  answers: { 200: { description: 'The assets', schema: taggedAssets } },
  async handle({ services, caller, query }) {
    const found = await listTaggedAssets(services.db, caller.organizationId, query.tag)
    return jsonAnswer(200, taggedAssets, found)
  },
}

const renaming = z
  .strictObject({ from: z.string().min(1), to: z.string().min(1) })
  .openapi('TagRenaming')

/** `POST /ui/tags/rename`: renames a tag and everything to which it is assigned. */
export const postTagRenaming: Endpoint = {
  operation: 'renameTag',
  summary: 'Rename a tag',
  description:
    'Assets to which the tag is assigned carry the new one. Documents that name the tag themselves do not change.',
  lane: 'bulk',
  permission: { needs: ['MANAGED_TAG_EDIT'], on: 'the owning team; without one, the organization' },
  body: formBody(renaming, 'The ids before and after'),
  answers: {
    204: { description: 'The tag has the new id' },
    404: describeError('Unknown tag'),
    422: describeError('The new id is taken or cannot be an id'),
  },
  async handle({ services, caller, body, requestId }) {
    await renameTag(services, caller, { ...readForm(body, renaming), requestId })
    return { status: 204 }
  },
}
