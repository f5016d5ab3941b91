import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addAgreement, addContract, addProvider } from '../../test/agreements.ts'
import { readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, type World } from '../../test/world.ts'
import type { Plan } from '../ledger/history/plan.ts'
import { endAccessOfPerson } from './occasion-service.ts'
import { removeMember } from '../people/organizations/member-service.ts'
import type { Lineage } from '../ledger/ports/lineage.ts'
import type { AgreementDetails } from './ui-schema.ts'

const listAffected = ({ affected }: Plan): string[] =>
  affected.map(({ resourceType, id, access = [] }) => `${resourceType} ${id} ${access.length}`)
const idAt = (path: string): string => path.split('/').at(-1) ?? ''
const withPort = (product: string, port: object): object =>
  odps(product, { outputPorts: [{ name: 'out', version: '1', ...port }] })

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const planPut = (path: string, body: object): Promise<Plan> =>
    readJson<Plan>(world.as('O', 'PUT', `${path}?dryRun=true`, { body }))
  const getLineage = (id: string): Promise<Lineage> =>
    readJson<Lineage>(world.as('Um', 'GET', `/api/dataproducts/${id}/lineage`))

  describe('the plan of a change', () => {
    test('lists products, teams and people with access to a port that changes', async () => {
      const product = await addProvider(world, 'a')
      const reader = await addProvider(world, 'b')
      const consumers = [{ teamId: 'b' }, { dataProductId: reader }, { userId: world.userIds.Um }]
      for (const consumer of consumers) {
        await addAgreement(world, { product, consumer, isApproved: true })
      }
      await addAgreement(world, { product, consumer: { teamId: 'a' } })
      const plan = await planPut(
        `/api/dataproducts/${product}`,
        withPort(product, { version: '2' }),
      )
      assert.deepEqual(
        listAffected(plan).toSorted(),
        [`DATA_PRODUCT ${reader} 1`, 'TEAM b 1', `USER ${world.userIds.Um} 1`].toSorted(),
      )
    })

    test('lists no person who left, whose agreement has no name any more', async () => {
      const own = await newWorld(newProduct(store()))
      const product = await addProvider(own, 'a')
      const path = await addAgreement(own, {
        product,
        consumer: { userId: own.userIds.Um },
        isApproved: true,
      })
      await removeMember(
        store().db,
        { organizationId: own.organizationId, userId: own.userIds.Um },
        endAccessOfPerson,
      )
      const body = withPort(product, { version: '2' })
      const answer = own.as('O', 'PUT', `/api/dataproducts/${product}?dryRun=true`, { body })
      assert.deepEqual(listAffected(await readJson<Plan>(answer)), [])
      const details = own.asPerson('Uo', 'GET', `/ui/access/${idAt(path)}`)
      assert.equal((await readJson<AgreementDetails>(details)).consumerName, null)
    })

    test('lists no consumer with access to a port that stays the same', async () => {
      const product = await addProvider(world, 'a')
      await addAgreement(world, { product, isApproved: true })
      const body = { ...withPort(product, {}), name: 'Another name' }
      assert.deepEqual(listAffected(await planPut(`/api/dataproducts/${product}`, body)), [])
    })

    test('lists those with access under a contract that changes or is deleted', async () => {
      const contractId = await addContract(world, 'a')
      const product = await addProvider(world, 'a', { contractId })
      const path = await addAgreement(world, { product, isApproved: true })
      const body = odcs(contractId, { team: { name: 'a' }, name: 'Another name' })
      const plan = await planPut(`/api/datacontracts/${contractId}`, body)
      const team = plan.affected.find(({ id }) => id === 'b')
      assert.deepEqual(team?.access, [{ id: idAt(path), outputPortId: 'out' }])
      await expectOk(
        world.as('O', 'PUT', `/api/dataproducts/${product}`, { body: withPort(product, {}) }),
      )
      const deletion = await readJson<Plan>(
        world.as('O', 'DELETE', `/api/datacontracts/${contractId}?dryRun=true`),
      )
      assert.deepEqual(listAffected(deletion), ['TEAM b 1'])
    })
  })

  describe('lineage', () => {
    test('an active agreement of a data product is an edge', async () => {
      const contractId = await addContract(world, 'a')
      const product = await addProvider(world, 'a', { contractId })
      const reader = await addProvider(world, 'b')
      const path = await addAgreement(world, { product, consumer: { dataProductId: reader } })
      assert.deepEqual((await getLineage(product)).edges, [])
      await expectOk(world.as('O', 'POST', `${path}/approve`))
      for (const id of [product, reader]) {
        const { edges } = await getLineage(id)
        assert.deepEqual(
          edges.map(({ from, to, ports, accessIds }) => ({ from, to, ports, accessIds })),
          [
            {
              from: `product:${product}`,
              to: `product:${reader}`,
              ports: ['out'],
              accessIds: [idAt(path)],
            },
          ],
        )
      }
      await expectOk(world.as('O', 'POST', `${path}/cancel`))
      assert.deepEqual((await getLineage(product)).edges, [])
    })

    test('a consumer that also names the contract has one edge', async () => {
      const contractId = await addContract(world, 'a')
      const product = await addProvider(world, 'a', { contractId })
      const reader = await addProvider(world, 'b')
      const body = odps(reader, {
        team: { name: 'b' },
        inputPorts: [{ name: 'in', version: '1', contractId }],
      })
      await expectOk(world.as('O', 'PUT', `/api/dataproducts/${reader}`, { body }))
      const consumer = { dataProductId: reader }
      const path = await addAgreement(world, { product, consumer, isApproved: true })
      const { edges } = await getLineage(product)
      assert.equal(edges.length, 1)
      assert.deepEqual(edges[0]?.accessIds, [idAt(path)])
    })
  })
})
