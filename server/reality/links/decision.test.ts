import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkWorld, type LinkWorld, type TestSource } from '../../../test/link-world.ts'
import { onStore } from '../../../test/stores.ts'

const HERE = 'db.example:5432'
const SCOPE = '["db","public"]'
const READ = { run: { scopes: { [SCOPE]: 'complete' } } }
const ORDERS = { id: 'orders', path: ['db', 'public', 'orders'] }

/** `state asset origin candidates rules`, as far as they have values. */
type Row = [promise: string, expected: string, world: LinkWorld]

const source = (more: Partial<TestSource> = {}): TestSource => ({
  name: 'source',
  addresses: [HERE],
  ...more,
})

const ROWS: Row[] = [
  [
    'links the table at the place of a server with the same address',
    'linked orders location path:equal address:equal',
    {
      promises: [{ address: HERE }],
      sources: [source(READ)],
      assets: [{ ...ORDERS, source: 'source' }],
    },
  ],
]

onStore((store) => {
  for (const [name, expected, world] of ROWS) {
    test(name, async () => {
      const [link] = await linkWorld(store().db, world)
      const { state, asset, origin, candidates = [], rules } = link ?? {}
      const parts = [state, asset, origin, ...candidates, rules]
      assert.equal(parts.filter((part) => part !== null && part !== undefined).join(' '), expected)
    })
  }
})
