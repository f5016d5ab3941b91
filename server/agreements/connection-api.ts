import { z } from '@hono/zod-openapi'
import { createPageHeader, jsonAnswer, type Endpoint } from '../requests/http/endpoint.ts'
import { portConnection } from './connection.ts'
import { getAgreementConnection, getPortConnection } from './connection-service.ts'

const MODEL_CHARACTERS_MAX = 1000

const connectionQuery = z.object({
  model: z
    .string()
    .max(MODEL_CHARACTERS_MAX, `has more than ${MODEL_CHARACTERS_MAX} characters`)
    .optional()
    .openapi({ description: 'The name of a model of the contract; absent = the first' }),
})

type ConnectionQuery = z.infer<typeof connectionQuery>

const ANSWER = { description: 'The servers, and how to read them', schema: portConnection }

const CONTENTS =
  'A statement, and commands and addresses for common tools, with `<user>` and `<password>` instead of credentials. Values come from documents: each is quoted for its language. A value that cannot be quoted safely is a fact with a warning.'

/** `GET /api/access/{id}/connection`: how to read the data of an access agreement. */
export const getAccessConnection: Endpoint<'id', ConnectionQuery> = {
  operation: 'getAccessConnection',
  summary: 'Read how to connect to the data of an access agreement',
  description: `The servers of the contract that was agreed on. ${CONTENTS}`,
  permission: 'any key',
  query: connectionQuery,
  answers: {
    200: { ...ANSWER, headers: { 'location-html': "The address of the agreement's page" } },
  },
  async handle({ services, caller, params: { id }, query: { model } }) {
    const connection = await getAgreementConnection(services, caller, { id, model })
    return jsonAnswer(200, portConnection, connection, createPageHeader(services, 'access', id))
  },
}

/** `GET /api/dataproducts/{id}/outputports/{portId}/connection`: how to read the data of an output port. */
export const getOutputPortConnection: Endpoint<'id' | 'portId', ConnectionQuery> = {
  operation: 'getOutputPortConnection',
  summary: 'Read how to connect to the data of an output port',
  description: `\`portId\` is the id of the port, or \`name@version\` for one of several versions. The servers of its contract, or of the port itself, and the access of the caller: the agreement of the person, of a team of the person, or of one of its data products. The address is in documents that all members can read; it grants nothing. ${CONTENTS}`,
  permission: 'any key',
  query: connectionQuery,
  answers: { 200: ANSWER },
  async handle({ services, caller, params, query: { model } }) {
    const named = { productId: params.id, port: params.portId, model }
    return jsonAnswer(200, portConnection, await getPortConnection(services, caller, named))
  },
}
