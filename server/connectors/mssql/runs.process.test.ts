import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { getCounts, newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import { openTestStore } from '../../../test/stores.ts'
import type { ObjectModel } from '../../../test/warehouses/mssql/catalog.ts'
import {
  newDatabase,
  newTable,
  startMssqlSource,
  type MssqlSource,
} from '../../../test/warehouses/mssql/source.ts'
import { definePeerPromises, type PeerScene } from '../../../test/warehouses/peer-promises.ts'
import { NO_FILTERS } from '../filter.ts'
import { mssql } from './connector.ts'

const FACTS = /with o as/
const FIRST = ['orders', 'lines', 'old'].map((name, at) => newTable(name, { id: 10 + at }))

const closers: (() => unknown)[] = []
after(async () => {
  for (const close of closers) await close()
})

definePeerPromises(mssql, async () => {
  const source = await startMssqlSource({
    after: (close) => void closers.push(close as () => void),
  })
  setTables(source, FIRST)
  return toScene(source)
})

test('run › keeps the asset of a renamed table, and deletes a dropped one', async (t) => {
  const { source, world } = await startWorld(t)
  const before = await world.assets()
  setTables(source, [newTable('orders', { id: 10 }), newTable('items', { id: 11 })])
  assert.deepEqual(getCounts(await world.run()), [0, 1, 1, 0])
  const assets = await world.assets()
  assert.equal(assets.get('shop.dbo.items')?.id, before.get('shop.dbo.lines')?.id)
  assert.deepEqual([...assets.keys()].toSorted(), [
    'shop',
    'shop.dbo',
    'shop.dbo.items',
    'shop.dbo.orders',
  ])
})

test('run › deletes nothing that is hidden, offline or cut off by a lost connection', async (t) => {
  const { source, world } = await startWorld(t)
  const before = await world.assets()
  const { databases } = source.model
  const closed = { dbo: { id: 1, isHidden: true } }
  const many = Array.from({ length: 500 }, (_, at) => newTable(`t${at}`, { id: 100 + at }))
  const changes: (() => void)[] = [
    () => (databases['shop'] = newDatabase(FIRST, { schemas: closed })),
    () =>
      (databases['shop'] = newDatabase([newTable('orders', { id: 10, isGranted: true })], {
        schemas: closed,
      })),
    () => (databases['shop'] = newDatabase([], { state: 'RESTORING' })),
    () => (databases['shop'] = newDatabase([], { isGranted: false })),
    () => (databases['shop'] = newDatabase([], { hasDenial: true })),
    () => {
      databases['shop'] = newDatabase(many)
      source.server.behaviour.closeAfterBytes = 5000
    },
  ]
  for (const change of changes) {
    change()
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 0])
    assert.deepEqual(await world.assets(), before)
  }
})

async function startWorld(t: TestContext): Promise<{ source: MssqlSource; world: IngestionWorld }> {
  const source = await startMssqlSource(t)
  setTables(source, FIRST)
  const store = await openTestStore()
  t.after(() => store.close())
  const { configuration, secrets } = toScene(source)
  const real = {
    connector: mssql,
    configuration: { ...configuration, filters: NO_FILTERS },
    secrets,
  }
  const world = await newIngestionWorld(store, { real })
  assert.deepEqual(getCounts(await world.run()), [5, 0, 0, 0])
  return { source, world }
}

function setTables({ model }: MssqlSource, tables: readonly ObjectModel[]): void {
  model.databases['shop'] = newDatabase(tables)
}

function toScene(source: MssqlSource): PeerScene {
  const { server } = source
  return {
    configuration: { host: server.host, port: server.port, user: 'reader', encryption: 'off' },
    secrets: { password: 'canary-secret' },
    async change() {
      setTables(source, [
        newTable('orders', { id: 10, description: 'Changed' }),
        newTable('lines', { id: 11 }),
        newTable('fresh', { id: 13 }),
      ])
      return {
        created: ['shop.dbo.fresh'],
        updated: ['shop.dbo.orders'],
        deleted: ['shop.dbo.old'],
      }
    },
    stall() {
      const { promise: reached, resolve } = Promise.withResolvers<void>()
      server.behaviour.silent = {
        test(text) {
          if (FACTS.test(text)) resolve()
          return FACTS.test(text)
        },
      }
      return { reached, release: () => void (server.behaviour.silent = undefined) }
    },
  }
}
