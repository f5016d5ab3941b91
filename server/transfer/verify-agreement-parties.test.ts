import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { addAgreement, addProvider } from '../../test/agreements.ts'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld, odps, type World } from '../../test/world.ts'
import { moveMisplacedAgreements } from '../agreements/occasion-service.ts'
import { verifyStore } from './verify.ts'

const OWNERS = 'access agreements belong to the teams that own their data products'
const PORTS = 'access that is active or begins later is on an output port of its data product'
const PARTIES = 'the teams and people of requests and of access in force exist'

const toId = (path: string): string => path.split('/').at(-1) ?? ''

onStore((store) => {
  let world: World
  let other: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    other = await newWorld(newProduct(store()))
  })

  async function listFindings(): Promise<Record<string, string[]>> {
    const results = await verifyStore(store().db)
    const named = results.filter(({ rule }) => [OWNERS, PORTS, PARTIES].includes(rule))
    assert.equal(named.length, 3)
    return Object.fromEntries(
      named
        .filter(({ count }) => count > 0)
        .map(({ rule, findings }) => [
          rule,
          findings.map((one) => one.replace(/ \(organization .*?\)/, '')),
        ]),
    )
  }

  const setColumns = (path: string, columns: Record<string, string>): Promise<unknown> =>
    store()
      .db.updateTable('access_agreement')
      .set(columns)
      .where('organization_id', '=', world.organizationId)
      .where('external_id', '=', toId(path))
      .execute()

  describe('the parties of access agreements', () => {
    test('are correct after requests, approvals and cancellations of all kinds of consumers', async () => {
      for (const isApproved of [true, false]) {
        for (const consumer of [
          { teamId: 'b' },
          { userId: world.userIds.Um },
          { dataProductId: await addProvider(world, 'b') },
        ]) {
          await addAgreement(world, { consumer, isApproved })
        }
      }
      assert.deepEqual(await listFindings(), {})
    })

    test('reports access to a port that the data product does not have', async () => {
      const product = await addProvider(world, 'a')
      const path = await addAgreement(world, { product, isApproved: true })
      const requested = await addAgreement(world, { product })
      for (const one of [path, requested]) await setColumns(one, { output_port: 'gone' })
      const text = `data product "${product}": a consumer has access to the output port "gone", which it does not have`
      assert.deepEqual(await listFindings(), { [PORTS]: [text] })
      for (const one of [path, requested]) await setColumns(one, { output_port: 'out' })
    })

    test('reports agreements of other teams than the owners; the upkeep moves them, without a version or an event', async () => {
      const [product, reader] = [await addProvider(world, 'a'), await addProvider(world, 'a')]
      const consumer = { dataProductId: reader }
      const path = await addAgreement(world, { product, consumer, isApproved: true })
      await setColumns(path, { provider_team: 'b', consumer_team: 'b' })
      // The same data products in another organization belong to another team.
      for (const id of [product, reader]) {
        const body = odps(id, { team: { name: 'b' } })
        await other.as('O', 'PUT', `/api/dataproducts/${id}`, { body })
      }
      const findings = [product, reader].map(
        (id) =>
          `agreement "${toId(path)}" belongs to team "b", and data product "${id}" to team "a"`,
      )
      assert.deepEqual(await listFindings(), { [OWNERS]: findings.toSorted() })
      const count = sql<{ count: string }>`select count(*) from event`
      const before = await count.execute(store().db)
      assert.equal(await moveMisplacedAgreements(store().db), 2)
      assert.equal(await moveMisplacedAgreements(store().db), 0)
      assert.deepEqual(await listFindings(), {})
      assert.deepEqual((await count.execute(store().db)).rows, before.rows)
    })

    test('reports teams and people that do not exist, while the agreement is open', async () => {
      const team = await addAgreement(world, { isApproved: true })
      await setColumns(team, { consumer_team: 'gone' })
      const person = await addAgreement(world, { consumer: { userId: world.userIds.Um } })
      await setColumns(person, { consumer_user: '01a21c69-7e8e-7be4-a555-a4f8320d1cb0' })
      assert.deepEqual(await listFindings(), {
        [PARTIES]: [
          `agreement "${toId(person)}" is with a person who is not a member`,
          `agreement "${toId(team)}" is with team "gone", which does not exist`,
        ].toSorted(),
      })
      for (const path of [team, person]) await world.as('O', 'POST', `${path}/cancel`)
      assert.deepEqual(await listFindings(), {})
    })
  })
})
