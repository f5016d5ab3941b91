import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import {
  addAccess,
  addGrants,
  addIdentity,
  addPorts,
  addReading,
  addTables,
  CLOCK,
  compare,
  hoursAgo,
  listFindings,
  listKinds,
  newAccessWorld,
  toTable,
} from '../../../test/access-rows.ts'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, odcs, putOne, uniqueId, type World } from '../../../test/world.ts'
import type { Incident } from '../incidents/read.ts'
import type { IntegrationKey } from './grants.ts'
import { compareDueGrants } from './upkeep-service.ts'

const TEAM = { kind: 'team', id: 'b' }
const GRANTED = ['granted_without_agreement']
const MISSING = ['agreement_without_grant']

/** A contract with a port, and the tables that its servers point to. */
interface Linked {
  key: IntegrationKey
  contract: string
  product: string
}

describe('output ports whose tables are those of their contract', () => {
  onStore((store) => {
    let world: World
    before(async () => {
      world = await newAccessWorld(store())
    })

    // Two models in a schema of their own, and a table of another server.
    const link = async ({ tables = ['one', 'two'], servers = ['prod'] } = {}): Promise<Linked> => {
      const key = await addReading(world)
      const contract = uniqueId()
      const schema = (server: string): string => `${server}_${contract}`
      for (const server of [...servers, 'test']) {
        await addTables(
          world,
          key,
          tables.map((name) => toTable(name, schema(server))),
        )
      }
      const body = odcs(contract, {
        servers: [...servers, 'test'].map((server) => ({
          server,
          type: 'postgres',
          environment: server === 'test' ? 'test' : 'prod',
          host: 'db.portbook.test',
          port: 5432,
          database: 'db',
          schema: schema(server),
        })),
        schema: ['one', 'two'].map((name) => ({ name, logicalType: 'object', properties: [] })),
      })
      await putOne(world, 'datacontracts', body)
      const product = await addPorts(world, [[]], { contracts: [contract] })
      await addIdentity(world, key, 'reader', TEAM)
      return { key, contract, product }
    }

    const grant = async (
      { key, contract }: Linked,
      table: string,
      server = 'prod',
    ): Promise<void> => {
      await addGrants(world, key, [
        { name: 'reader', path: toTable(table, `${server}_${contract}`) },
      ])
    }

    const listIncidents = async ({ contract }: Linked): Promise<Incident[]> => {
      const list = await readJson<Incident[]>(
        world.as('O', 'GET', `/api/incidents?dataContractId=${contract}`),
      )
      return list.filter(({ kind }) => kind === 'access')
    }

    test('a grant on a linked table is a finding, and an incident of the contract without names', async () => {
      const linked = await link()
      await grant(linked, 'one')
      await compare(world, linked.key)
      assert.deepEqual(await listKinds(world, linked.key), GRANTED)
      const [incident] = await listIncidents(linked)
      assert.equal(incident?.status, 'open')
      assert.equal(incident.severity, 'error')
      assert.ok(!JSON.stringify(incident).includes('reader'))
      await compare(world, linked.key)
      assert.equal((await listIncidents(linked)).length, 1)
    })

    test('a server that is not of production has no part in it', async () => {
      const linked = await link()
      await grant(linked, 'one', 'test')
      await compare(world, linked.key)
      assert.deepEqual(await listKinds(world, linked.key), [])
    })

    test('nothing is missing while a model is not linked, or with an asset that no integration has', async () => {
      for (const [tables, expected] of [
        [['one', 'two'], MISSING],
        [['one'], []],
      ] as const) {
        const linked = await link({ tables: [...tables] })
        await addAccess(world, { product: linked.product })
        await compare(world, linked.key)
        assert.deepEqual(await listKinds(world, linked.key), expected)
      }
      const linked = await link()
      await addAccess(world, { product: linked.product })
      await sql`
        update asset
        set integration_id = null
        where organization_id = ${world.organizationId}
          and path = ${JSON.stringify(toTable('two', `prod_${linked.contract}`))}
      `.execute(world.services.db)
      await compare(world, linked.key)
      assert.deepEqual(await listKinds(world, linked.key), [])
    })

    test('the choice of no table resolves the finding and the incident, and is compared by the upkeep', async () => {
      const linked = await link()
      await grant(linked, 'one')
      await compare(world, linked.key)
      const body = { assetId: null, reason: 'Another table' }
      await expectOk(
        world.as('O', 'PUT', `/api/datacontracts/${linked.contract}/links/prod/one`, { body }),
      )
      await compareDueGrants({ db: world.services.db, clock: CLOCK })
      const [finding] = await listFindings(world, linked.key)
      assert.equal(finding?.resolvedBecause, 'agreement')
      const [incident] = await listIncidents(linked)
      assert.equal(incident?.status, 'resolved')
    })

    test('an incident stays until the last integration has no finding', async () => {
      const first = await link()
      const second = await link()
      const { product } = first
      const both = {
        key: second.key,
        contract: first.contract,
        product,
      }
      // The product has a second port with the same contract, on a table of another integration.
      const [named = ''] = await addTables(world, second.key, [toTable('x', 'named')])
      await addPorts(world, [[], [named]], {
        id: product,
        contracts: [first.contract, first.contract],
      })
      await grant(first, 'one')
      await addGrants(world, second.key, [{ name: 'reader', path: toTable('x', 'named') }])
      await compare(world, first.key)
      await compare(world, second.key)
      const revoke = async ({ key }: Linked): Promise<void> => {
        await sql`delete from asset_grant where integration_id = ${key.integrationId}`.execute(
          world.services.db,
        )
        await compare(world, key)
      }
      await revoke(first)
      assert.equal((await listIncidents(both))[0]?.status, 'open')
      await revoke(both)
      assert.equal((await listIncidents(both))[0]?.status, 'resolved')
    })

    test('an accepted finding has no incident until the acceptance ends', async () => {
      const linked = await link()
      await grant(linked, 'one')
      await compare(world, linked.key)
      const list = await readJson<{ id: string }[]>(
        world.as('O', 'GET', `/api/access-findings?dataProductId=${linked.product}`),
      )
      const body = { reason: 'Known', until: '2031-06-01' }
      await expectOk(
        world.as('O', 'PUT', `/api/access-findings/${list[0]?.id}/acceptance`, { body }),
      )
      assert.equal((await listIncidents(linked))[0]?.status, 'resolved')
      await sql`
        update grant_finding
        set accepted_until = ${hoursAgo(1)}
        where integration_id = ${linked.key.integrationId}
      `.execute(world.services.db)
      await compare(world, linked.key, 'agreement')
      assert.equal((await listIncidents(linked))[0]?.status, 'open')
    })

    test('deleting the integration resolves its findings and incidents', async () => {
      const linked = await link()
      await grant(linked, 'one')
      await compare(world, linked.key)
      const { rows } = await sql<{ id: string }>`
        select external_id as id
        from integration
        where id = ${linked.key.integrationId}
      `.execute(world.services.db)
      await expectOk(
        world.asPerson('Uo', 'DELETE', `/ui/integrations/${rows[0]?.id}?assets=delete`),
      )
      const [finding] = await listFindings(world, linked.key)
      assert.equal(finding?.resolvedBecause, 'disabled')
      assert.equal((await listIncidents(linked))[0]?.status, 'resolved')
    })
  })
})
