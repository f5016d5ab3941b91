import { z } from '@hono/zod-openapi'
import { ASSET } from '../../../formats/asset/asset-shape.ts'
import { contractModel } from '../data-contracts/model.ts'
import { answerDelete, answerPut, toPut } from '../../documents/answer-service.ts'
import { plan } from '../../ledger/history/plan.ts'
import { readConditions } from '../../requests/http/conditional.ts'
import { documentAnswer, documentAnswered } from '../../requests/http/document.ts'
import { DOCUMENT_MEDIA_TYPES, putQuery } from '../../requests/http/document.ts'
import { toDocumentSchema } from '../../requests/http/document-schema.ts'
import {
  inThreads,
  jsonAnswer,
  createPageHeader,
  type Endpoint,
} from '../../requests/http/endpoint.ts'
import { commonError, describeError } from '../../requests/http/openapi.ts'
import { pageParameter } from '../../requests/http/paging.ts'
import { ASSET_BYTES_MAX } from './asset.ts'
import { getAsset, listAssets as listAssetsAnswer, listModels } from './read-service.ts'
import { ASSETS } from './service.ts'

const text = (description?: string) =>
  z
    .string()
    .nullish()
    .openapi(description === undefined ? {} : { description })

const anything = z.record(z.string(), z.unknown()).nullish()

const COLUMN = {
  name: text(),
  type: text("The platform's text"),
  description: text(),
  required: z.boolean().nullish(),
  unique: z.boolean().nullish(),
  primaryKey: z.boolean().nullish(),
  qualifiedName: text(),
  tags: z.array(z.string()).nullish(),
  links: anything,
  custom: anything,
}

const nestedColumn = z
  .looseObject({
    ...COLUMN,
    properties: z.array(z.unknown()).nullish(),
    items: z.unknown(),
  })
  .openapi('NestedColumn', { description: 'Columns may be nested to any depth' })

const column = z.looseObject({
  ...COLUMN,
  properties: z.array(nestedColumn).nullish().openapi({ description: 'Columns of a struct' }),
  items: z
    .union([nestedColumn, z.array(nestedColumn)])
    .nullish()
    .openapi({ description: 'The elements of an array: a column, or a list with one' }),
})

/** An asset, as the OpenAPI document describes it; one that was PUT contains what its sender sent. */
export const assetDocument = z
  .looseObject({
    id: text('Absent in a PUT = that of the path'),
    info: z.looseObject({
      owner: text('External id of the owning team'),
      source: text('The source platform: `postgres`'),
      sourceId: text("The platform's id"),
      sourceUrl: text(),
      type: text(
        '`<platform>_<kind>`: `postgres_table`; the platform is the source or a product with its protocol',
      ),
      name: text('Either name or qualifiedName is required'),
      qualifiedName: text(),
      version: text(),
      status: text('deleted = gone from its source'),
      description: text(),
    }),
    columns: z.array(column).nullish(),
    relationships: z
      .array(z.looseObject({ relationshipType: text('parent'), assetId: text() }))
      .nullish(),
    tags: z.array(z.string()).nullish(),
    links: anything,
    properties: anything,
    custom: anything,
    ingestion: z
      .looseObject({
        integrationExternalId: text(),
        runId: text('The run that last changed it'),
      })
      .nullish()
      .openapi({ description: 'Of an ingested one' }),
    assignedTags: z.array(z.string()).nullish().openapi({
      description:
        'The ids of the tags that are assigned to it, if any. A PUT does not change them',
    }),
    statistic: z
      .looseObject({
        rowCount: z.int().nullish(),
        sizeBytes: z.int().nullish(),
        changedAt: z.string().nullish().openapi({ format: 'date-time' }),
      })
      .nullish()
      .openapi({ description: 'Of an ingested one, each member when known' }),
  })
  .openapi('Asset')

const assetInput = toDocumentSchema(ASSET).openapi('AssetInput')

/** The answer with an asset, for the documentation. */
export const assetAnswered = { ...documentAnswered('The asset'), schema: assetDocument }

/** `PUT /api/assets/{id}`: registers or replaces an asset. */
export const putAsset: Endpoint<'id', z.infer<typeof putQuery>> = {
  operation: 'putAsset',
  summary: 'Register or replace an asset',
  description:
    'As JSON or YAML. The document is returned byte for byte; one with the same meaning changes nothing. The fields `ingestion` and `assignedTags` are ignored. An asset that an integration maintains cannot be changed: 422 for any difference.',
  permission: {
    needs: ['ASSET_ADD', 'ASSET_EDIT'],
    on: 'the owning team, old and new; without one, the organization',
  },
  query: putQuery,
  body: {
    content: 'document',
    mediaTypes: DOCUMENT_MEDIA_TYPES,
    bytesMax: ASSET_BYTES_MAX,
    schema: assetInput,
    description: 'The complete asset: absent fields are removed',
  },
  answers: {
    200: {
      ...assetAnswered,
      description: 'The asset as stored, or the plan of a dry run',
      schema: z.union([assetDocument, plan]),
    },
    412: commonError(412),
  },
  handle: async (call) => await answerPut(call, ASSETS, toPut(call)),
}

const getQuery = z.object({
  layer: z
    .enum(['merged', 'source'], 'must be merged or source')
    .default('merged')
    .openapi({ description: 'source = only the source document of an ingested asset' }),
})

/** `GET /api/assets/{id}`: returns an asset. */
export const getAssetById: Endpoint<'id', z.infer<typeof getQuery>> = {
  operation: 'getAsset',
  summary: 'Read an asset',
  description:
    'An asset that was PUT is returned as it was sent. An ingested one is returned with its annotation, which overrides its source; once it is gone from the source its status is `deleted`, for 14 days.',
  permission: 'any key',
  query: getQuery,
  answers: { 200: assetAnswered, 304: { description: 'The client has it already' } },
  async handle({ services, caller, params: { id }, query, headers }) {
    const stored = await getAsset(services.db, caller.organizationId, id, query.layer)
    const request = { headers, conditions: readConditions(headers) }
    return await documentAnswer(
      inThreads(services, caller),
      stored,
      request,
      createPageHeader(services, 'assets', id),
    )
  },
}

const listQuery = z.object({
  q: z.string().optional().openapi({
    description: 'Only assets that search finds for this text',
  }),
  owner: z.string().optional().openapi({
    description: 'The name or external id of the owning team, in any letter case',
  }),
  source: z.string().optional().openapi({ description: 'The source platform: `postgres`' }),
  p: pageParameter,
})

/** `GET /api/assets`: lists the assets, sorted by creation. */
export const listAssets: Endpoint<never, z.infer<typeof listQuery>> = {
  operation: 'listAssets',
  summary: 'List assets',
  permission: 'any key',
  query: listQuery,
  answers: {
    200: {
      description: 'At most 1000 assets',
      schema: z.array(assetDocument),
      headers: { link: 'The next page, if any' },
    },
  },
  async handle({ services, caller, query, path, search }) {
    return await listAssetsAnswer(services.db, caller.organizationId, query, { path, search })
  },
}

/** `DELETE /api/assets/{id}`: deletes an asset; an ingested one until the next run that reads it. */
export const deleteAsset: Endpoint<'id'> = {
  operation: 'deleteAsset',
  summary: 'Delete an asset; its versions stay',
  description:
    'An asset that an integration maintains is hidden from all lists until a run reads it again, with its annotation. To remove it for good, exclude it in the filters of the integration.',
  permission: { needs: ['ASSET_DELETE'], on: 'the owning team; without one, the organization' },
  answers: {
    200: { description: 'The asset was deleted, or did not exist' },
    412: commonError(412),
    422: describeError('A data product refers to it'),
  },
  handle: async (call) => await answerDelete(call, ASSETS),
}

/**
 * `GET /api/assets/{id}/model`: returns the columns of an asset in the common shape of contracts.
 */
export const getAssetModel: Endpoint<'id'> = {
  operation: 'getAssetModel',
  summary: 'Read the model of an asset, or of the tables in it',
  permission: 'any key',
  answers: {
    200: { description: 'The models', schema: contractModel },
    409: describeError('It contains more than 1000 tables'),
  },
  async handle({ services, caller, params: { id } }) {
    const models = await listModels(services.db, caller.organizationId, id)
    return jsonAnswer(200, contractModel, { models, warnings: [] })
  },
}
