import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { changeAddress, listIntegrationAddresses } from './address-service.ts'
import { requireIntegrationEdit } from './service.ts'

const ADDRESS_CHARACTERS_MAX = 300

const addresses = z
  .array(
    z.object({
      address: z.string().openapi({ description: 'As a contract gives it: `db.example:5432`' }),
      origin: z.enum(['configuration', 'hand']),
      addedAt: z.string().openapi({ format: 'date-time' }),
    }),
  )
  .openapi('IntegrationAddresses')

const text = z.string().trim().min(1, 'must not be empty').max(ADDRESS_CHARACTERS_MAX)
const addressForm = z.strictObject({ address: text }).openapi('NewIntegrationAddress')
const addressQuery = z.object({ address: text })

const ANSWERS = { 200: { description: 'All addresses of the integration', schema: addresses } }
const MAY_EDIT = {
  needs: ['INGESTION_EDIT'] as const,
  on: 'the owning team; without one, the organization',
}

/** `GET /api/integrations/{externalId}/addresses`: the addresses of its source. */
export const getAddresses: Endpoint<'externalId'> = {
  operation: 'getIntegrationAddresses',
  summary: 'List the addresses under which contracts name the source of an integration',
  permission: 'any key',
  answers: ANSWERS,
  async handle({ services, caller, params: { externalId } }) {
    const list = await listIntegrationAddresses(services.db, caller, externalId)
    return jsonAnswer(200, addresses, list)
  },
}

/** `POST /api/integrations/{externalId}/addresses`: adds an address. */
export const postAddress: Endpoint<'externalId'> = {
  operation: 'addIntegrationAddress',
  summary: 'Add an address of the source of an integration',
  description:
    'A server with this address is the same source: the models of all contracts there are linked at once.',
  permission: MAY_EDIT,
  requires: requireIntegrationEdit,
  body: formBody(addressForm, 'The address'),
  answers: ANSWERS,
  async handle({ services, caller, params: { externalId }, body, requestId }) {
    const { address } = readForm(body, addressForm)
    const change = { externalId, address: address.toLowerCase(), requestId }
    const list = await changeAddress(services, caller, change, 'address-added')
    return jsonAnswer(200, addresses, list)
  },
}

/** `DELETE /api/integrations/{externalId}/addresses`: removes an address that a person added. */
export const deleteAddress: Endpoint<'externalId', z.infer<typeof addressQuery>> = {
  operation: 'removeIntegrationAddress',
  summary: 'Remove an address of the source of an integration',
  description: 'Those of its configuration stay.',
  permission: MAY_EDIT,
  requires: requireIntegrationEdit,
  query: addressQuery,
  answers: ANSWERS,
  async handle({ services, caller, params: { externalId }, query, requestId }) {
    const change = { externalId, address: query.address.toLowerCase(), requestId }
    const list = await changeAddress(services, caller, change, 'address-removed')
    return jsonAnswer(200, addresses, list)
  },
}
