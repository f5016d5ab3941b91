import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { listTrust } from './service.ts'
import { trust, TRUSTED_MAX } from './trust.ts'

const ID_CHARACTERS_MAX = 1024

const id = z.string().min(1, 'must not be empty').max(ID_CHARACTERS_MAX)

const ids = (description: string) =>
  z
    .union([id.transform((one) => [one]), z.array(id)])
    .default([])
    .openapi({ type: 'array', items: { type: 'string' }, description })

const trustQuery = z
  .object({
    dataProductId: ids('Data products'),
    outputPortId: ids(
      'Output ports, by id, name or key: of the one data product that is named, or each of the data product at the same position',
    ),
    dataContractId: ids('Data contracts'),
    assetId: ids('Assets'),
  })
  .refine(
    ({ dataProductId: { length: products }, outputPortId: { length: ports } }) =>
      ports === 0 || products === 1 || products === ports,
    { path: ['outputPortId'], message: 'needs one dataProductId, or one for each port' },
  )
  .refine(
    ({ dataProductId, outputPortId, dataContractId, assetId }) =>
      dataProductId.length + outputPortId.length + dataContractId.length + assetId.length <=
      TRUSTED_MAX,
    { path: ['dataProductId'], message: `must be at most ${TRUSTED_MAX} ids in all` },
  )

const trusts = z.array(trust)

/** `GET /api/trust`: the signals of data products, output ports, data contracts and assets. */
export const getTrust: Endpoint<never, z.infer<typeof trustQuery>> = {
  operation: 'getTrust',
  summary: 'Show whether data can be relied on: tests, freshness, differences and standing',
  description:
    'Tests: of a contract, the newest result for each production server (all servers if none is of production), the worst one decides; of an output port, those of its contract; of a data product, the worst of its first 100 output ports. A result is stale after 7 days, or after the custom property `testsValidFor` of the contract, and if it tested another major version. Freshness and drift: the worst table on the production servers of a contract; of an asset, those of the contracts that are linked with it. Standing: open incidents, deprecated, or certified by a tag. `state` is critical, caution, neutral or positive, the worst first; what is not known is neutral, so it is never positive.',
  permission: 'any key',
  query: trustQuery,
  answers: {
    200: {
      description:
        'The resources that exist, data products with their output ports first, then data contracts and assets, each in the order given',
      schema: trusts,
    },
  },
  async handle({ services, caller, query }) {
    const { dataProductId: products, outputPortId, dataContractId: contracts, assetId } = query
    const ports = outputPortId.map((id, at) => ({
      dataProductId: products[products.length === 1 ? 0 : at] ?? '',
      id,
    }))
    const requested = { products, contracts, assets: assetId, ports }
    const list = await listTrust(services, caller.organizationId, requested)
    return jsonAnswer(200, trusts, list)
  },
}
