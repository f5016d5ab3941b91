/** Schemas with more keys and tags than one page has. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newTable, startUnitySource } from '../../../test/warehouses/unity/source.ts'
import { databricksConfiguration } from './configuration.ts'
import type { FactLimits } from './fact-pages.ts'
import { readFacts, type SchemaFacts } from './facts.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const TABLES = ['a', 'b', 'c', 'd']

/** Each table has two rows of keys and three of tags, and the schema has two tags. */
const RESULTS = {
  key_column_usage: [
    TABLES.flatMap((table) => ['x', 'y'].map((column) => [table, 'pk', 'PRIMARY KEY', column])),
  ],
  column_tags: [
    [
      [null, null, 'of_schema', '1'],
      [null, null, 'of_schema', '2'],
      ...TABLES.flatMap((table) => [
        [table, null, 'of_table', ''],
        [table, 'x', 'of_column', '1'],
        [table, 'x', 'of_column', '2'],
      ]),
    ],
  ],
}

function toPlain({ tags, tables, faults }: SchemaFacts): object {
  return { tags, tables: [...tables], faults: [...faults] }
}

async function open(t: Parameters<typeof startUnitySource>[0]) {
  const source = await startUnitySource(t)
  source.model.results = RESULTS
  const setup = source.setup({ configuration: { warehouseId: 'abc1' } })
  const configuration = databricksConfiguration.parse(setup.configuration)
  const workspace = await openWorkspace(configuration, setup, async () => undefined)
  t.after(() => workspace.close())
  return { source, workspace }
}

async function read(workspace: Workspace, limits?: FactLimits): Promise<SchemaFacts> {
  const facts = await readFacts(workspace, 'main', 'sales', limits)
  assert.ok(facts !== undefined)
  return facts
}

test('readFacts › reads pages of whole tables of any size', async (t) => {
  const { workspace } = await open(t)
  const whole = await read(workspace)
  assert.deepEqual([whole.tags.length, whole.tables.size, whole.faults.size], [2, 4, 0])
  assert.equal(whole.tables.get('d')?.columnTags.get('x')?.length, 2)
  for (const pageRows of [4, 5, 6, 7, 8, 13, 14, 15]) {
    const facts = await read(workspace, { pageRows, rowsMax: 1000 })
    assert.deepEqual(toPlain(facts), toPlain(whole), String(pageRows))
  }
})

test('readFacts › reports only tables with more rows than a page, and a schema with too many', async (t) => {
  const { workspace } = await open(t)
  const { tables, faults, tags } = await read(workspace, { pageRows: 3, rowsMax: 1000 })
  assert.deepEqual([...faults.keys()], TABLES)
  assert.match(faults.get('a') ?? '', /^It has 3 or more rows in the tags of main\.sales\.$/)
  assert.deepEqual(tags, ['of_schema:1', 'of_schema:2'])
  assert.deepEqual(tables.get('d')?.primaryKey, ['x', 'y'])
  await assert.rejects(read(workspace, { pageRows: 1000, rowsMax: 7 }), {
    kind: 'too_large',
    message:
      'The SQL warehouse returns more than 7 rows for the keys of main.sales, which cannot be held in memory.',
  })
  await assert.rejects(read(workspace, { pageRows: 2, rowsMax: 1000 }), { kind: 'too_large' })
})

test('readFacts › reads smaller pages if a result is too large for the warehouse', async (t) => {
  const { source, workspace } = await open(t)
  const rows = Array.from({ length: 500 }, (_, at) => [
    `t${String(at).padStart(3, '0')}`,
    'pk',
    'PRIMARY KEY',
    'id',
  ])
  source.model.results = { key_column_usage: [rows] }
  source.model.rowsMax = 200
  const { tables } = await read(workspace, { pageRows: 800, rowsMax: 1000 })
  assert.equal(tables.size, 500)
  source.model.rowsMax = 50
  await assert.rejects(read(workspace, { pageRows: 800, rowsMax: 1000 }), { kind: 'too_large' })
})

test('databricks › keeps a table whose keys are too many, and reads the others', async (t) => {
  const source = await startUnitySource(t)
  source.model.catalogs = { main: { sales: ['a', 'b'].map((name) => newTable(name)) } }
  const rows = Array.from({ length: 20_000 }, () => ['a', 'fk', 'PRIMARY KEY', 'id'])
  source.model.results = { key_column_usage: [[...rows, ['b', 'pk', 'PRIMARY KEY', 'id']]] }
  const reading = await source.read({ configuration: { warehouseId: 'abc1' } })
  assert.deepEqual(
    reading.unreadable.map(({ path }) => path.join('.')),
    ['main.sales.a'],
  )
  assert.deepEqual(reading.table('main', 'sales', 'b').primaryKey, ['id'])
  assert.ok(reading.outcomes.every(({ failure }) => failure === undefined))
})
