/** Sources that are larger than a limit of Snowflake, or of the reader. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSetup } from '../../../test/source-reading.ts'
import {
  listComplete,
  listFailures,
  listPaths,
  newColumn,
  newTable,
  startSnowflake,
} from '../../../test/warehouses/snowflake/source.ts'
import { snowflakeConfiguration } from './configuration.ts'
import { openSnowflakeClient } from './statement-client.ts'
import { newTagReader, type TagLimits } from './tags.ts'

function newTables(count: number, more: Parameters<typeof newTable>[0] = {}) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`T${String(at).padStart(5, '0')}`, newTable(more)]),
  )
}

/** Creates a schema whose tables have a primary key of several columns each. */
function newKeys(tables: number, columns: number) {
  const primaryKey = Array.from({ length: columns }, (_, at) => `C${at}`)
  return {
    tables: newTables(tables, { primaryKey, columns: primaryKey.map((name) => newColumn(name)) }),
  }
}

test('snowflake › reads keys schema by schema or table by table if SHOW returns too many', async (t) => {
  const source = await startSnowflake(t)
  source.model.rowsPerPartition = 100_000
  const views = newTables(1, { text: 'select 1' })
  source.model.databases = {
    SHOP: {
      schemas: {
        A: newKeys(99, 101),
        B: newKeys(1, 1),
        // A view has no keys.
        C: { tables: { ...newKeys(100, 100).tables, A_VIEW: views['T00000'] ?? newTable() } },
      },
    },
    // The same names in another database, whose keys differ.
    SHOP2: { schemas: { C: newKeys(2, 3) } },
  }
  const reading = await source.read()
  assert.deepEqual(listFailures(reading), [])
  assert.deepEqual(reading.unreadable, [])
  assert.equal(reading.table('SHOP', 'A', 'T00098').primaryKey?.length, 101)
  for (const name of ['T00000', 'T00099']) {
    assert.equal(reading.table('SHOP', 'C', name).primaryKey?.length, 100)
  }
  assert.equal(reading.table('SHOP2', 'C', 'T00000').primaryKey?.length, 3)
  const count = (kind: string) =>
    source.model.statements.filter((sql) => sql.startsWith(`SHOW ${kind} KEYS`)).length
  // Each database; then three schemas; then the tables of one.
  assert.deepEqual([count('PRIMARY'), count('UNIQUE')], [2 + 3 + 100, 2])
  assert.match(source.logs.join(), /SHOP\.C has more than 10000 columns in primary keys/)
  const fromUsage = await source.read({ configuration: { readsFrom: 'account_usage' } })
  assert.deepEqual(listFailures(fromUsage), [])
  assert.deepEqual(listPaths(fromUsage).toSorted(), listPaths(reading).toSorted())
  assert.equal(fromUsage.table('SHOP', 'C', 'T00099').primaryKey?.length, 100)
})

for (const readsFrom of ['information_schema', 'account_usage']) {
  test(`snowflake › keeps only tables whose keys are unknown, from ${readsFrom}`, async (t) => {
    const source = await startSnowflake(t)
    source.model.rowsPerPartition = 100_000
    const { tables } = newKeys(100, 100)
    const [wide = newTable()] = Object.values(newKeys(1, 10_000).tables)
    source.model.databases = { SHOP: { schemas: { C: { tables: { ...tables, WIDE: wide } } } } }
    const message = 'does not exist or not authorized'
    const error = { code: '002003', sqlState: '02000', message }
    source.model.errors['KEYS IN TABLE "SHOP"."C"."T00005"'] = error
    const reading = await source.read({ configuration: { readsFrom } })
    assert.deepEqual(listComplete(reading), ['SHOP', 'SHOP.C'])
    assert.deepEqual(
      reading.unreadable.map(({ path, message }) => [path.at(-1), message]),
      [
        ['T00005', 'The role may not read the primary keys of SHOP.C.T00005.'],
        ['WIDE', 'It has more than 10000 columns in primary keys.'],
      ],
    )
    assert.equal(listPaths(reading).length, 2 + 99)
  })
}

test('snowflake › splits a schema as often as it takes, until no part passes', async (t) => {
  const source = await startSnowflake(t)
  source.model.databases = { SHOP: { schemas: { SALES: { tables: newTables(300) } } } }
  source.model.rowsMax = 1
  const reading = await source.read()
  assert.deepEqual([listFailures(reading), reading.unreadable], [[], []])
  assert.equal(listPaths(reading).length, 2 + 300)
  // Every table has too many columns.
  const columns = [newColumn('A'), newColumn('B')]
  source.model.databases = { SHOP: { schemas: { SALES: { tables: newTables(300, { columns }) } } } }
  source.model.statements.length = 0
  const wide = await source.read()
  assert.deepEqual([listFailures(wide), listPaths(wide)], [[], ['SHOP', 'SHOP.SALES']])
  assert.equal(wide.unreadable.length, 300)
  assert.match(wide.unreadable.at(-1)?.message ?? '', /also in 200 parts in a row/)
  const reads = source.model.statements.filter((sql) => sql.includes('information_schema.columns'))
  assert.equal(reads.length, 201)
  // Not even the names of tables pass.
  source.model.rowsMax = 0
  assert.deepEqual(listFailures(await source.read()), ['SHOP.SALES too_large'])
})

function newTag(domain: string, database: string, schema: string | null, object: string) {
  return {
    tag_name: 'TEAM',
    tag_value: `${database}.${schema ?? ''}.${object}`,
    domain,
    object_database: database,
    object_schema: schema,
    object_name: object,
    ...(domain === 'COLUMN' ? { column_name: 'ID' } : {}),
  }
}

test('newTagReader › reads tags schema by schema if a database has too many', async (t) => {
  const source = await startSnowflake(t)
  source.model.tags = ['SHOP', 'SHOP2'].flatMap((database) => [
    newTag('DATABASE', database, null, database),
    ...['A', 'B'].map((schema) => newTag('SCHEMA', database, null, schema)),
    ...['TABLE', 'COLUMN'].flatMap((domain) =>
      ['A', 'B'].map((schema) => newTag(domain, database, schema, 'T')),
    ),
    newTag('TABLE', database, 'B', 'U'),
  ])
  const configuration = snowflakeConfiguration.parse({
    account: 'myorg-account1',
    url: source.serverUrl,
    authentication: 'token',
  })
  const setup = newSetup({ configuration, secrets: { token: 'canary-pat' } })
  const client = await openSnowflakeClient(configuration, setup, async () => undefined)
  t.after(() => client.close())
  const read = async (limits?: TagLimits) => {
    const reader = newTagReader(client, 'SHOP', limits)
    const [containers, ofA, ofB] = [
      await reader.getTags(),
      await reader.getTags('A'),
      await reader.getTags('B'),
    ]
    const select = (tags: typeof ofA, start: string) =>
      [...tags].filter(([path]) => path.startsWith(start))
    return [
      ...[...containers].filter(([path]) => (JSON.parse(path) as string[]).length < 2),
      ...select(ofA, '["A",'),
      ...select(ofB, '["B",'),
    ]
  }
  const all = await read()
  assert.equal(all.length, 8)
  assert.equal(source.model.statements.length, 1)
  assert.deepEqual(await read({ databaseMax: 7, schemaMax: 3 }), all)
  // All, then the containers and two schemas.
  assert.equal(source.model.statements.length, 1 + 4)
  const reader = newTagReader(client, 'SHOP', { databaseMax: 7, schemaMax: 2 })
  assert.equal((await reader.getTags('A')).size, 2)
  await assert.rejects(reader.getTags('B'), {
    kind: 'too_large',
    message: 'SHOP.B has more than 2 tags. Disable "Include tags" to read it.',
  })
})
