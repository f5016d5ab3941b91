/**
 * The main jobs of comparing contracts with reality: a table loses a column at night, its owner and a consumer see it, and
 * it is fixed or accepted until a day; a person chooses the table of a model.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { postgres } from '../server/connectors/postgres/connector.ts'
import { fixedClock } from '../server/platform/kit/clock.ts'
import type { z } from '@hono/zod-openapi'
import type { ContractDrift, finding } from '../server/reality/drift/drift.ts'
import type { Incident } from '../server/reality/incidents/read.ts'
import type { Trust } from '../server/reality/trust/trust.ts'
import type { Store } from '../server/store.ts'
import { readJson } from './answers.ts'
import { newIngestionWorld, type IngestionWorld } from './ingestion.ts'
import { listTitles, notifyAll } from './notifications.ts'
import { onStore } from './stores.ts'
import { expectOk, newProduct, newWorld, odcs, putOne, uniqueId, type World } from './world.ts'

type Finding = z.infer<typeof finding>

const DAY_MS = 24 * 60 * 60 * 1000
const COLUMNS = [
  { name: 'id', logicalType: 'integer', physicalType: 'bigint', required: true, primaryKey: true },
  { name: 'total', logicalType: 'number', physicalType: 'numeric(10,2)', required: true },
  { name: 'note', logicalType: 'string', physicalType: 'varchar(20)' },
]

onStore((store) => {
  let world: World
  let source: IngestionWorld
  const contractId = uniqueId()
  const productId = uniqueId()
  const schema = `sales_${uniqueId()}`
  const execute = (text: string) => sql.raw(text).execute(store().db)

  before(async () => {
    world = await newWorld(newProduct(store()))
    const { organizationId } = world
    const real = getOwnDatabase(store(), schema)
    source = await newIngestionWorld(store(), { organizationId, real })
    await execute(`create schema "${schema}"`)
    await execute(
      `create table "${schema}".orders (id bigint primary key, total numeric(10,2) not null, note varchar(20))`,
    )
  })
  const readDrift = async (): Promise<ContractDrift> =>
    await readJson(world.as('Ur', 'GET', `/api/datacontracts/${contractId}/drift`))
  const listOpen = async (): Promise<Finding[]> =>
    await readJson(
      world.as('Ur', 'GET', `/api/drift?dataContractId=${contractId}&level=breaking&status=open`),
    )

  describe('a table loses a column at night', () => {
    test('the contract has the table that its server points to', async () => {
      await source.run()
      await putOne(world, 'datacontracts', toContract())
      await putOne(world, 'dataproducts', toProduct())
      await putConsumer()
      const { state, servers } = await readDrift()
      assert.equal(state, 'none')
      assert.equal(servers[0]?.models[0]?.link.state, 'linked')
    })

    test('the run finds it, and everyone who reads the contract sees it', async () => {
      await execute(`alter table "${schema}".orders drop column note`)
      const { id } = await source.run()
      const [finding, ...others] = await listOpen()
      assert.deepEqual(others, [])
      assert.deepEqual(
        [finding?.model, finding?.field, finding?.aspect, finding?.firstRunId],
        ['orders', 'note', 'column.missing', id],
      )
      assert.equal((await readDrift()).state, 'drift')
    })

    test('its owner is notified at once, its consumer in the digest; both see it', async () => {
      await notifyAll(world)
      const title = 'the data differ from the contract on production'
      assert.ok((await listTitles(world, 'Ue')).some((one) => one.includes(title)))
      assert.ok((await listTitles(world, 'Uo')).some((one) => one.includes(title)))
      const query = `dataContractId=${contractId}&kind=drift`
      const [incident] = await readJson<Incident[]>(
        world.as('Ur', 'GET', `/api/incidents?${query}`),
      )
      const [opened] = incident?.notified ?? []
      assert.deepEqual([incident?.kind, incident?.status], ['drift', 'open'])
      assert.deepEqual(
        [opened?.occasion, opened?.teams, opened?.people],
        ['opened', ['a'], { owner: 2, consumer: 1 }],
      )
      const path = `/api/trust?dataProductId=${productId}`
      const [trust] = await readJson<Trust[]>(world.as('Or', 'GET', path))
      assert.deepEqual([trust?.drift.word, trust?.standing.word], ['Differs', 'Open incident'])
    })

    test('accepted until tomorrow, it no longer counts, and returns the day after', async () => {
      const [finding] = await listOpen()
      const now = Date.now()
      const body = { reason: 'It comes back.', until: new Date(now + DAY_MS).toISOString() }
      await expectOk(world.asPerson('Ue', 'PUT', `/api/drift/${finding?.id}/acceptance`, { body }))
      assert.deepEqual([(await readDrift()).state, await listOpen()], ['accepted', []])
      const later = newProduct(store(), {
        clock: fixedClock(new Date(now + 2 * DAY_MS).toISOString()),
      })
      const path = `/api/datacontracts/${contractId}/drift`
      const drift = await readJson<ContractDrift>(
        later.call('GET', path, { ...(world.keys.O !== undefined && { key: world.keys.O }) }),
      )
      assert.equal(drift.state, 'drift')
    })

    test('the SQL for the table resolves it with the next run', async () => {
      await expectOk(
        world.asPerson('Ue', 'DELETE', `/api/drift/${(await listAll())[0]?.id}/acceptance`),
      )
      const path = `/api/datacontracts/${contractId}/drift/sql?server=production&model=orders`
      const { sql: statements } = await readJson<{ sql: string }>(world.as('Ur', 'GET', path))
      await execute(statements)
      await source.run()
      const drift = await readDrift()
      assert.deepEqual([drift.state, drift.counts.breaking], ['none', 0])
      const [resolved] = await listAll('resolved')
      assert.equal(resolved?.resolvedBecause, 'run')
    })
  })

  test('a person chooses that a model has no table, and removes the choice', async () => {
    const path = `/api/datacontracts/${contractId}/links/production/orders`
    const body = { assetId: null, reason: 'It moves to another server.' }
    await expectOk(world.asPerson('Ue', 'PUT', path, { body }))
    const [excluded] = (await readDrift()).servers[0]?.models ?? []
    assert.deepEqual([excluded?.link.state, excluded?.link.origin], ['excluded', 'hand'])
    await expectOk(world.asPerson('Ue', 'DELETE', path))
    const [linked] = (await readDrift()).servers[0]?.models ?? []
    assert.deepEqual([linked?.link.state, linked?.link.origin], ['linked', 'location'])
  })

  // The organization's owner is in the team of a data product that reads the contract.
  async function putConsumer(): Promise<void> {
    const members = await readJson<{ userId: string; email: string }[]>(
      world.asPerson('Uo', 'GET', '/ui/members'),
    )
    const email = members.find(({ userId }) => userId === world.userIds.Uo)?.email ?? ''
    await putOne(world, 'teams', {
      id: 'b',
      name: 'Team B',
      members: [{ emailAddress: email, role: 'Editor' }],
    })
    const inputPorts = [{ name: 'orders', version: '1.0.0', contractId }]
    const reader = {
      ...toProduct(),
      id: uniqueId(),
      outputPorts: [],
      team: { name: 'b' },
      inputPorts,
    }
    await putOne(world, 'dataproducts', reader)
  }

  const listAll = async (status = 'accepted'): Promise<Finding[]> =>
    await readJson(
      world.as('Ur', 'GET', `/api/drift?dataContractId=${contractId}&status=${status}`),
    )

  function toContract() {
    const { host, port, database } = getAddress(store())
    return odcs(contractId, {
      servers: [
        {
          server: 'production',
          type: 'postgres',
          environment: 'prod',
          host,
          port,
          database,
          schema,
        },
      ],
      schema: [
        { name: 'orders', physicalType: 'table', logicalType: 'object', properties: COLUMNS },
      ],
    })
  }

  function toProduct() {
    return {
      apiVersion: 'v1.0.0',
      kind: 'DataProduct',
      id: productId,
      name: 'Orders',
      status: 'active',
      version: '1.0.0',
      team: { name: 'a' },
      outputPorts: [{ name: 'orders', version: '1.0.0', contractId }],
    }
  }
})

function getAddress(store: Store) {
  const { host, port, database = '' } = new Client(store.connection)
  return { host, port, database }
}

// The source is in the database of the test, which the store of this product may read.
function getOwnDatabase(store: Store, schema: string) {
  const { user, password, ...address } = new Client(store.connection)
  const { host, port, database = '' } = address
  return {
    connector: postgres,
    configuration: {
      host,
      port,
      database: [database],
      user,
      sslMode: 'disable',
      filters: { include: { schema: [schema] }, exclude: {} },
    },
    secrets: { password: typeof password === 'string' ? password : '' },
  }
}
