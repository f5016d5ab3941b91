import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { assetNodes, assetPage, assetRoot, NODES_MAX, NODES_USUAL } from './tree.ts'
import { describeAsset, listNodes, listRoots } from './tree-service.ts'

const roots = z.array(assetRoot)

/** `GET /ui/assets/roots`: lists the roots of the asset trees. */
export const listAssetRoots: Endpoint = {
  operation: 'listAssetRoots',
  summary: 'List the roots of the asset trees',
  permission: 'a session',
  answers: { 200: { description: 'The integrations that have assets', schema: roots } },
  async handle({ services, caller }) {
    return jsonAnswer(200, roots, await listRoots(services.db, caller))
  },
}

const childrenQuery = z.object({
  integration: z.string().min(1).max(256).optional().openapi({
    description: 'External id, for the top of its tree; absent = assets that clients PUT',
  }),
  parent: z.string().min(1).max(256).optional().openapi({ description: 'absent = the top' }),
  after: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .openapi({ description: '`next` of the previous page' }),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .default(String(NODES_USUAL))
    .transform((digits) => Math.min(Number(digits), NODES_MAX))
    .openapi({ type: 'integer', minimum: 1, maximum: NODES_MAX, default: NODES_USUAL }),
})

/** `GET /ui/assets/children`: lists the assets directly below another. */
export const listAssetChildren: Endpoint<never, z.infer<typeof childrenQuery>> = {
  operation: 'listAssetChildren',
  summary: 'List the assets directly below another, or at the top of a tree',
  lane: 'scan',
  permission: 'a session',
  query: childrenQuery,
  answers: {
    200: { description: 'The nodes by name', schema: assetNodes },
    404: describeError('Unknown integration or parent'),
  },
  async handle({ services, caller, query }) {
    const { integration, parent, after, limit } = query
    const request = { integration, parent, after, limit }
    return jsonAnswer(200, assetNodes, await listNodes(services.db, caller.organizationId, request))
  },
}

/** `GET /ui/assets/{id}`: returns an asset with the data of its page. */
export const getAssetPage: Endpoint<'id'> = {
  operation: 'getAssetPage',
  summary: 'Read an asset with its source document, its annotation and its surroundings',
  lane: 'scan',
  permission: 'a session',
  answers: { 200: { description: 'The asset', schema: assetPage } },
  async handle({ services, caller, params: { id } }) {
    return jsonAnswer(200, assetPage, await describeAsset(services.db, caller, id))
  },
}
