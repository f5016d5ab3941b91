import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { assetPromises } from './promised-by.ts'
import { listAssetPromises } from './service.ts'

/** `GET /ui/assets/{id}/promises`: the models of contracts that an asset keeps. */
export const getAssetPromises: Endpoint<'id'> = {
  operation: 'getAssetPromises',
  summary: 'List the promises that an asset keeps',
  permission: 'a session',
  answers: { 200: { description: 'The promises, by contract', schema: assetPromises } },
  async handle({ services, caller, params: { id } }) {
    return jsonAnswer(200, assetPromises, await listAssetPromises(services, caller, id))
  },
}
