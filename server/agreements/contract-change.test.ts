import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { addAgreement, addContract, addProvider } from '../../test/agreements.ts'
import { untilSettled } from '../../test/feed.ts'
import { onStore } from '../../test/stores.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  type Product,
  type World,
} from '../../test/world.ts'
import { startFollowers, type Followers } from '../ledger/events/follow-service.ts'
import { storeClock } from '../platform/kit/clock.ts'
import { CONTRACT_CHANGES } from './occasion-service.ts'
import { findAgreement } from './read-store.ts'
import { updateAgreements } from './write-store.ts'

const schema = (...columns: string[]) => [
  {
    name: 'orders',
    properties: columns.map((name) => ({ name, logicalType: 'string' })),
  },
]

onStore((store) => {
  let product: Product
  let world: World
  let followers: Followers
  before(async () => {
    product = newProduct(store())
    world = await newWorld(product)
    const { db, log } = product.services
    followers = startFollowers({ db, log, isPaused: () => false }, [CONTRACT_CHANGES], 3_600_000)
    await untilSettled(product.services.db)
    await followers.follow()
  })
  after(async () => {
    await followers.stop()
  })

  const putContract = async (id: string, ...columns: string[]): Promise<void> => {
    const body = odcs(id, { team: { name: 'a' }, schema: schema(...columns) })
    await expectOk(world.as('O', 'PUT', `/api/datacontracts/${id}`, { body }))
  }
  const findMark = async (path: string): Promise<string | null | undefined> => {
    await untilSettled(product.services.db)
    await followers.follow()
    const id = path.split('/').at(-1) ?? ''
    const { organizationId } = world
    const found = await findAgreement(product.services.db, storeClock, { organizationId, id })
    return found?.contractChangedLevel
  }
  async function addApproved(): Promise<{ path: string; contractId: string; productId: string }> {
    const contractId = await addContract(world, 'a', { schema: schema('id', 'amount') })
    const productId = await addProvider(world, 'a', { contractId })
    const path = await addAgreement(world, { product: productId, isApproved: true })
    return { path, contractId, productId }
  }

  test('a breaking change of the contract marks an agreement that was approved before', async () => {
    const { path, contractId } = await addApproved()
    await putContract(contractId, 'id')
    assert.equal(await findMark(path), 'breaking')
  })

  test('an additive change marks nothing', async () => {
    const { path, contractId } = await addApproved()
    await putContract(contractId, 'id', 'amount', 'note')
    assert.equal(await findMark(path), null)
  })

  test('a change before the approval marks nothing', async () => {
    const { path, contractId, productId } = await addApproved()
    await putContract(contractId, 'id')
    const later = await addAgreement(world, { product: productId, isApproved: true })
    assert.equal(await findMark(path), 'breaking')
    assert.equal(await findMark(later), null)
  })

  test('an additive change after a breaking one before the approval marks nothing', async () => {
    const { contractId, productId } = await addApproved()
    await putContract(contractId, 'id')
    const path = await addAgreement(world, { product: productId, isApproved: true })
    await putContract(contractId, 'id', 'note')
    assert.equal(await findMark(path), null)
  })

  test('an agreement that was requested while its data products got another owner is moved to it', async () => {
    const [provider, consumer] = [await addProvider(world, 'a'), await addProvider(world, 'a')]
    const path = await addAgreement(world, {
      product: provider,
      consumer: { dataProductId: consumer },
    })
    const other = await addAgreement(world, { product: provider })
    for (const id of [provider, consumer]) {
      const body = odps(id, { team: { name: 'b' }, outputPorts: [{ name: 'out', version: '1' }] })
      await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
    }
    // As the statement of a request leaves it that read the owner before.
    await sql`
      update access_agreement
      set provider_team = 'a', consumer_team = 'a'
      where organization_id = ${world.organizationId}
    `.execute(store().db)
    await untilSettled(product.services.db)
    await followers.follow()
    const listTeams = async (agreement: string): Promise<unknown> => {
      const { rows } = await sql`
        select provider_team as provider, consumer_team as consumer
        from access_agreement
        where organization_id = ${world.organizationId}
          and external_id = ${agreement.split('/').at(-1)}
      `.execute(store().db)
      return rows[0]
    }
    assert.deepEqual(await listTeams(path), { provider: 'b', consumer: 'b' })
    assert.deepEqual(await listTeams(other), { provider: 'b', consumer: 'a' })
  })

  test('a change of the agreement that was begun before keeps the mark', async () => {
    const { path, contractId } = await addApproved()
    const { db } = product.services
    const { organizationId } = world
    const key = { organizationId, id: path.split('/').at(-1) ?? '' }
    const found = await findAgreement(db, storeClock, key)
    assert.ok(found !== undefined)
    await putContract(contractId, 'id')
    assert.equal(await findMark(path), 'breaking')
    const write = { agreement: found, presented: '{}', events: [] }
    await updateAgreements(db, storeClock, [write], { principal: 'system', requestId: '' })
    assert.equal(await findMark(path), 'breaking')
  })

  test('another approval removes the mark', async () => {
    const { path, contractId } = await addApproved()
    await putContract(contractId, 'id')
    assert.equal(await findMark(path), 'breaking')
    await expectOk(world.as('O', 'POST', `${path}/reject`))
    await expectOk(world.as('O', 'POST', `${path}/approve`))
    assert.equal(await findMark(path), null)
  })

  test('a port that names another contract marks its agreements', async () => {
    const { path, productId } = await addApproved()
    const contractId = await addContract(world, 'a')
    const outputPorts = [{ name: 'out', version: '1', contractId }]
    const body = odps(productId, { team: { name: 'a' }, outputPorts })
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${productId}`, { body }))
    assert.equal(await findMark(path), 'breaking')
  })
})
