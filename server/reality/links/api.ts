import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { reasonText } from '../acceptance.ts'
import { chooseAsset, endChoice, requireLinkEdit } from './choice-service.ts'
import { assetLink } from './link.ts'

const ID_CHARACTERS_MAX = 256

const choiceForm = z
  .strictObject({
    assetId: z
      .string()
      .min(1, 'must not be empty')
      .max(ID_CHARACTERS_MAX)
      .nullable()
      .openapi({ description: 'null = the model has no asset in this catalog' }),
    reason: reasonText,
  })
  .openapi('AssetChoice')

type Parameter = 'id' | 'server' | 'model'

const LINK_EDIT = { needs: ['DATACONTRACT_EDIT'], on: 'the team of the data contract' } as const

const toKey = ({ id, server, model }: Readonly<Record<Parameter, string>>) => ({
  contractId: id,
  server,
  model,
})

/** `PUT /api/datacontracts/{id}/links/{server}/{model}`: chooses the asset of a model on a server. */
export const putLink: Endpoint<Parameter> = {
  operation: 'putAssetLink',
  summary: 'Choose the asset of a model on a server',
  description:
    'A choice decides before every rule, and stays until it is deleted. Without an asset the model is excluded from the comparison.',
  permission: LINK_EDIT,
  requires: ({ services, caller, params }) => requireLinkEdit(services, caller, toKey(params)),
  body: formBody(choiceForm, 'The asset, and why it is the right one'),
  answers: {
    200: { description: 'The link', schema: assetLink },
    409: describeError('The asset contains others'),
  },
  async handle({ services, caller, params, body, requestId }) {
    const choice = readForm(body, choiceForm)
    const link = await chooseAsset(services, caller, toKey(params), choice, requestId)
    return jsonAnswer(200, assetLink, link)
  },
}

/** `DELETE /api/datacontracts/{id}/links/{server}/{model}`: ends a choice. */
export const deleteLink: Endpoint<Parameter> = {
  operation: 'deleteAssetLink',
  summary: 'End the choice of the asset of a model on a server',
  description: 'The link is decided by the rules again.',
  permission: LINK_EDIT,
  requires: ({ services, caller, params }) => requireLinkEdit(services, caller, toKey(params)),
  answers: { 200: { description: 'The link', schema: assetLink } },
  async handle({ services, caller, params, requestId }) {
    const link = await endChoice(services, caller, toKey(params), requestId)
    return jsonAnswer(200, assetLink, link)
  },
}
