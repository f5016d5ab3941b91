/** The plans of records list the documents that use them. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dps, expectOk, newProduct, newWorld, odcs, odps, type World } from '../../../test/world.ts'
import type { Plan, RecordUses } from '../../ledger/history/plan.ts'

onStore((store) => {
  let world: World
  let other: World
  beforeEach(async () => {
    const product = newProduct(store())
    world = await newWorld(product)
    other = await newWorld(product)
  })

  const put = async (path: string, body: object): Promise<void> => {
    // Another organization has the same, which is never counted.
    for (const one of [world, other]) await expectOk(one.as('O', 'PUT', `/api/${path}`, { body }))
  }
  const getDeletionUses = async (path: string): Promise<RecordUses | undefined> =>
    (await readJson<Plan>(world.as('O', 'DELETE', `/api/${path}?dryRun=true`))).usedBy

  test('a definition › the contracts that name it, also in the plan of a change', async () => {
    const definition = { id: 'sales/net', owner: 'a', title: 'Net', type: 'number' }
    await put('definitions/sales/net', definition)
    const authoritativeDefinitions = [
      { type: 'definition', url: 'https://p.example/x/definitions/sales/net' },
    ]
    const schema = [{ name: 'orders', properties: [{ name: 'net', authoritativeDefinitions }] }]
    await put('datacontracts/orders', odcs('orders', { schema }))
    await put('datacontracts/other', odcs('other'))
    const document = { resourceType: 'DATA_CONTRACT', id: 'orders', ownerId: 'a' }
    const uses = await getDeletionUses('definitions/sales/net')
    assert.equal(uses?.total, 1)
    assert.partialDeepStrictEqual(uses.documents, [document])
    const body = { ...definition, title: 'Net weight' }
    const path = '/api/definitions/sales/net?dryRun=true'
    const { usedBy } = await readJson<Plan>(world.as('O', 'PUT', path, { body }))
    assert.deepEqual(usedBy, uses)
    const same = await readJson<Plan>(world.as('O', 'PUT', path, { body: definition }))
    assert.equal(same.usedBy, undefined)
  })

  test('a source system › the data products with an input port from it', async () => {
    await put('sourcesystems/erp', { id: 'erp', name: 'ERP', owner: 'a' })
    const customProperties = [{ property: 'sourceSystemId', value: 'erp' }]
    const port = { name: 'in', version: '1', contractId: 'c', customProperties }
    await put('dataproducts/new', odps('new', { inputPorts: [port] }))
    const inputPorts = [{ id: 'in', name: 'in', sourceSystemId: 'erp' }]
    await put('dataproducts/old', dps('old', { inputPorts }))
    await put('dataproducts/other', odps('other', { tags: ['erp'] }))
    assert.deepEqual(listIds(await getDeletionUses('sourcesystems/erp')), ['new', 'old'])
  })

  test('a certification › the data products with its tag', async () => {
    const id = randomUUID()
    await put(`certifications/${id}`, { id, name: 'Gold', tag: 'trust/gold' })
    await put('dataproducts/certified', odps('certified', { tags: ['trust/gold'] }))
    await put('dataproducts/other', odps('other', { tags: ['gold'] }))
    await put('datacontracts/certified', odcs('certified', { tags: ['trust/gold'] }))
    assert.deepEqual(listIds(await getDeletionUses(`certifications/${id}`)), ['certified'])
  })

  test('a classification scheme › the documents with fields of its tiers, by name or id in any letter case', async () => {
    const classifications = [
      { externalId: 'pii', name: 'Personal data', level: 2 },
      { externalId: 'open', name: 'Open' },
    ]
    await put('classification-schemes/privacy', { name: 'Privacy', classifications })
    await put('datacontracts/by-id', odcs('by-id', withField('PII')))
    await put('datacontracts/by-name', odcs('by-name', withField('personal data')))
    await put('datacontracts/other', odcs('other', withField('secret')))
    const columns = [{ name: 'f', type: 'text', classification: 'open' }]
    await put('assets/people', { info: { name: 'people', type: 't' }, columns })
    const uses = await getDeletionUses('classification-schemes/privacy')
    assert.deepEqual(listIds(uses), ['people', 'by-id', 'by-name'])
  })

  test('a definition › counts all contracts and lists the first 50', async () => {
    await put('definitions/net', { id: 'net', owner: 'a', title: 'Net', type: 'number' })
    const authoritativeDefinitions = [{ type: 'definition', url: '/definitions/net' }]
    const properties = [{ name: 'net', authoritativeDefinitions }]
    for (let at = 0; at < 51; at += 1) {
      const id = `c${at}`
      const body = odcs(id, { schema: [{ name: 'orders', properties }] })
      await expectOk(world.as('O', 'PUT', `/api/datacontracts/${id}`, { body }))
    }
    const uses = await getDeletionUses('definitions/net')
    assert.deepEqual([uses?.total, uses?.documents.length], [51, 50])
  })

  test('a policy › has no uses, because no document names it', async () => {
    await put('policies/p', { id: 'p', name: 'Retention' })
    assert.equal(await getDeletionUses('policies/p'), undefined)
  })
})

function listIds(uses: RecordUses | undefined): string[] | undefined {
  return uses?.documents.map(({ id }) => id)
}

function withField(classification: string): object {
  return { schema: [{ name: 'm', properties: [{ name: 'f', classification }] }] }
}
