import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  addGrants,
  addIdentity,
  addPorts,
  addReading,
  addTables,
  compare,
  listFindings,
  listKinds,
  newAccessWorld,
  toTable,
} from '../../../test/access-rows.ts'
import { onStore } from '../../../test/stores.ts'
import { odps, putOne, uniqueId, type World } from '../../../test/world.ts'

const TEAM = { kind: 'team', id: 'b' }
const NAMES = [
  '"quoted" \\ ["db","sales"]',
  "'; drop table asset; --",
  '%_{}$1',
  '\u202Egpj',
  'ünï',
  '',
]

describe('hostile names in comparisons of access', () => {
  onStore((store) => {
    let world: World
    before(async () => {
      world = await newAccessWorld(store())
    })

    test('names of roles and tables are only texts', async () => {
      const key = await addReading(world)
      const paths = NAMES.map((name) => toTable(name))
      const assets = await addTables(world, key, paths)
      await addPorts(
        world,
        assets.map((id) => [id]),
      )
      const grants = NAMES.map((name) => ({ name: `role ${name}`, path: toTable(name) }))
      await addGrants(world, key, grants)
      for (const { name } of grants) await addIdentity(world, key, name, TEAM)
      await compare(world, key)
      const found = await listFindings(world, key)
      assert.deepEqual(
        found.map(({ port, grantee }) => [port, grantee]),
        grants.map(({ name }, at) => [`port_${at}`, name]),
      )
    })

    test('half a surrogate pair in a document is refused, or stops no comparison', async () => {
      const key = await addReading(world)
      const [asset = ''] = await addTables(world, key, [toTable('half')])
      const id = uniqueId()
      const named = [{ property: 'assets', value: [{ id: asset }] }]
      const body = odps(id, {
        outputPorts: [{ name: 'port_0', version: '1', customProperties: named }],
        description: { purpose: 'half \uD800' },
      })
      const { ok } = await world.as('O', 'PUT', `/api/dataproducts/${id}`, { body })
      await addGrants(world, key, [{ name: 'reader', path: toTable('half') }])
      await addIdentity(world, key, 'reader', TEAM)
      await compare(world, key)
      assert.deepEqual(await listKinds(world, key), ok ? ['granted_without_agreement'] : [])
    })

    test('ports name assets by objects, too', async () => {
      const key = await addReading(world)
      const paths = ['by_id', 'by_asset_id'].map((name) => toTable(name))
      const [one = '', other = ''] = await addTables(world, key, paths)
      const ports = [{ id: one }, { assetId: other }].map((value, at) => ({
        name: `port_${at}`,
        version: '1',
        customProperties: [{ property: 'assets', value: [value] }],
      }))
      await putOne(world, 'dataproducts', odps(uniqueId(), { outputPorts: ports }))
      await addGrants(
        world,
        key,
        paths.map((path) => ({ name: 'reader', path })),
      )
      await addIdentity(world, key, 'reader', TEAM)
      await compare(world, key)
      const found = await listFindings(world, key)
      assert.deepEqual(
        found.map(({ port }) => port),
        ['port_0', 'port_1'],
      )
    })
  })
})
