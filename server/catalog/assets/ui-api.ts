import { readConditions } from '../../requests/http/conditional.ts'
import { anyDocument, documentAnswer, readDocument } from '../../requests/http/document.ts'
import { inThreads, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody } from '../../requests/http/form.ts'
import { commonError, describeError } from '../../requests/http/openapi.ts'
import { annotateAsset, requireEditableAsset } from './annotation-service.ts'
import { annotation } from './annotation.ts'
import { assetAnswered } from './api.ts'
import { createContractDraft } from './read-service.ts'

const ANNOTATION_BYTES_MAX = 256 * 1024

/** `PUT /ui/assets/{id}/annotation`: replaces the annotation of an ingested asset. */
export const putAnnotation: Endpoint<'id'> = {
  operation: 'putAssetAnnotation',
  summary: 'Replace the annotation of an ingested asset',
  permission: {
    needs: ['ASSET_EDIT'],
    on: 'the owning team, old and new; without one, the organization',
  },
  requires: ({ services, caller, params }) => requireEditableAsset(services.db, caller, params.id),
  body: formBody(
    annotation,
    'Description, owner and tags; absent fields are removed',
    ANNOTATION_BYTES_MAX,
  ),
  answers: {
    200: { ...assetAnswered, description: 'The asset with its annotation' },
    412: commonError(412),
  },
  async handle({ services, caller, params: { id }, headers, body, requestId }) {
    const { value } = readDocument(body)
    const conditions = readConditions(headers)
    const merged = await annotateAsset(services, caller, { id, value, conditions, requestId })
    return await documentAnswer(inThreads(services, caller), merged, { headers })
  },
}

/** `POST /ui/assets/{id}/contract`: drafts a contract for an asset. */
export const draftContract: Endpoint<'id'> = {
  operation: 'draftAssetContract',
  summary: 'Draft a data contract for an asset, or for the tables in it',
  description: 'Nothing is stored: the draft is an ODCS v3.2.0 document to be completed and PUT.',
  permission: 'any key',
  answers: {
    200: { description: 'The draft', schema: anyDocument },
    409: describeError('It contains more than 1000 tables'),
    422: describeError('It contains no tables'),
  },
  async handle({ services, caller, params: { id } }) {
    const draft = await createContractDraft(services.db, caller.organizationId, id)
    return { status: 200, mediaType: 'application/json', body: JSON.stringify(draft) }
  },
}
