/** Access agreements for tests. */

import { expectOk, odcs, odps, uniqueId, type CallerName, type World } from './world.ts'

/** Returns the document of an agreement on the port `out` of a data product. */
export function buildAgreement(
  productId: string,
  consumer: object,
  more: { info?: object; provider?: object } & Record<string, unknown> = {},
): Record<string, unknown> {
  const { info, provider, ...others } = more
  return {
    info: { purpose: 'Reports', ...info },
    provider: { dataProductId: productId, outputPortId: 'out', ...provider },
    consumer,
    ...others,
  }
}

/** Creates a data product with the output port `out`; returns its id. */
export async function addProvider(world: World, owner: string, port: object = {}): Promise<string> {
  const id = uniqueId()
  const outputPorts = [{ name: 'out', version: '1', ...port }]
  const body = odps(id, { team: { name: owner }, outputPorts })
  await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
  return id
}

/** Creates a data contract; returns its id. */
export async function addContract(world: World, owner: string, more: object = {}): Promise<string> {
  const id = uniqueId()
  const body = odcs(id, { team: { name: owner }, ...more })
  await expectOk(world.as('O', 'PUT', `/api/datacontracts/${id}`, { body }))
  return id
}

/** Creates an agreement, by default on a new data product of team A for team B; returns its path. */
export async function addAgreement(
  world: World,
  options: {
    by?: CallerName
    owner?: string
    consumer?: object
    product?: string
    more?: Parameters<typeof buildAgreement>[2]
    isApproved?: boolean
  } = {},
): Promise<string> {
  const { by = 'O', owner = 'a', consumer = { teamId: 'b' }, more } = options
  const product = options.product ?? (await addProvider(world, owner))
  const path = `/api/access/${uniqueId()}`
  const body = buildAgreement(product, consumer, more)
  await expectOk(world.as(by, 'PUT', path, { body }))
  if (options.isApproved === true) await expectOk(world.as('O', 'POST', `${path}/approve`))
  return path
}
