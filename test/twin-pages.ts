/** The addresses of the pages, for resources that depend on each other. */

import { readJson } from './answers.ts'
import { addAgreement, addContract } from './agreements.ts'
import { addIntegration, ingest, markGone, sourceTable } from './ingested-assets.ts'
import { dps, expectOk, odps, uniqueId, type World } from './world.ts'

/**
 * Creates a tree of teams, a data product with ports, a contract, ingested assets with tags and annotations, an
 * agreement, test results and follows. Returns the addresses that show them, for the owner of the organization.
 */
export async function addShownResources(world: World): Promise<string[]> {
  const put = async (path: string, body: object): Promise<void> => {
    await expectOk(world.as('O', 'PUT', path, { body }))
  }
  const team = uniqueId()
  await put(`/api/teams/${team}`, { name: 'Below', parent: 'a' })
  const { tables, externalId, runId } = await addIngestedTables(world, team)
  const [asset = '', gone = ''] = tables
  const contract = await addContract(world, team)
  const product = uniqueId()
  const outputPorts = [{ name: 'out', version: '1', contractId: contract }]
  await put(`/api/dataproducts/${product}`, odps(product, { team: { name: team }, outputPorts }))
  const consumer = uniqueId()
  const inputPorts = [{ name: 'in', version: '1', contractId: contract }]
  await put(`/api/dataproducts/${consumer}`, odps(consumer, { inputPorts }))
  const user = uniqueId()
  await put(`/api/dataproducts/${user}`, dps(user, { assets: [asset] }))
  const result = { id: uniqueId(), dataContractId: contract, result: 'failed' }
  await expectOk(world.as('O', 'POST', '/api/test-results', { body: result }))
  const agreement = await addAgreement(world, {
    product,
    consumer: { dataProductId: consumer },
    isApproved: true,
  })
  await addAgreement(world, { product, consumer: { teamId: 'b' } })
  for (const [kind, id] of [
    ['data-product', product],
    ['data-contract', contract],
    ['team', team],
  ]) {
    const body = { kind, id }
    await expectOk(world.asPerson('Uo', 'PUT', '/ui/follow', { body }))
  }
  const { groups } = await readJson<{ groups: { actor: string; minute: string }[] }>(
    world.asPerson('Uo', 'GET', '/ui/activity'),
  )
  const [group = { actor: '', minute: '' }] = groups
  const integration = `/ui/integrations/${externalId}`
  return [
    ...['inbox', 'mine'].map((list) => `/ui/access?list=${list}`),
    `/ui/access?list=product&product=${product}`,
    ...['a', 'b', team].map((id) => `/ui/access?list=consumer&team=${id}&view=active`),
    `/ui/access/${agreement.slice(agreement.lastIndexOf('/') + 1)}`,
    `/ui/access/summaries?productId=${product}`,
    `/ui/access/port?productId=${product}&port=out`,
    `/ui/activity/changes?actor=${group.actor}&minute=${group.minute}`,
    '/ui/activity/export?format=jsonl',
    `/ui/activity?team=${team}`,
    `/ui/assets/${asset}`,
    `/ui/assets/${gone}`,
    `/ui/assets/children?integration=${externalId}`,
    `/ui/assets/children?parent=${asset}`,
    `/ui/datacontracts/${contract}/test-results`,
    `/ui/dataproducts/${product}/test-results`,
    `/ui/domains/products?domain=${team}`,
    `/ui/example-data?dataProductId=${product}`,
    ...[`kind=data-product&id=${product}`, `kind=team&id=${team}`].map(
      (query) => `/ui/follow?${query}`,
    ),
    integration,
    `${integration}/runs/${runId}/changes`,
    `${integration}/runs/${runId}/log`,
    '/ui/tagged-assets?tag=pii',
    `/ui/teams/${team}/channel-deliveries`,
    `/api/assets?owner=${team}`,
    '/api/assets?q=orders',
    `/api/dataproducts?owner=${team}`,
    `/api/dataproducts/${product}/lineage`,
    `/api/dataproducts/${product}/contracts`,
    `/api/datacontracts/${contract}/ports`,
    `/api/datacontracts?owner=${team}`,
    '/api/search?query=orders',
    `/api/integrations/ingest/${externalId}`,
    `/api/events?include=document`,
    `/api/teams/${team}`,
    `/api/activity?team=${team}`,
  ]
}

/** Creates an integration of a team with a schema, a table in it that is described, and one that is gone. */
async function addIngestedTables(
  world: World,
  team: string,
): Promise<{ tables: string[]; externalId: string; runId: string }> {
  const integration = await addIntegration(world, { owner: team })
  const database = uniqueId()
  const [, orders = '', gone = ''] = await ingest(world, integration, [
    { kind: 'schema', path: [database, 'public'], scope: [database, 'public'], columns: [] },
    sourceTable([database, 'public', 'orders'], { statistic: { rowCount: 7 } }),
    sourceTable([database, 'public', 'gone']),
  ])
  const body = { description: 'Orders of the shop', owner: team, tags: ['pii'] }
  await expectOk(world.asPerson('Uo', 'PUT', `/ui/assets/${orders}/annotation`, { body }))
  await markGone(world, gone)
  return { tables: [orders, gone], externalId: integration.externalId, runId: integration.runId }
}
