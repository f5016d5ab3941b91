import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  listComplete,
  listFailures,
  listPaths,
  newColumn,
  newTable,
  startSnowflake,
} from '../../../test/warehouses/snowflake/source.ts'
import { snowflake } from './connector.ts'

const CHANGED_AT = '2021-01-28T22:09:37.123Z'
const ACCOUNT_USAGE = { configuration: { readsFrom: 'account_usage' } }

function isValid(given: object): boolean {
  const { configuration } = snowflake.description
  return configuration.safeParse({ account: 'myorg-account1', ...given }).success
}

for (const readsFrom of ['information_schema', 'account_usage']) {
  test(`snowflake › reads databases, schemas, tables and views with all facts from ${readsFrom}`, async (t) => {
    const source = await startSnowflake(t)
    source.model.databases = {
      SHOP: {
        owner: 'SYSADMIN',
        comment: 'The shop',
        schemas: {
          SALES: {
            owner: 'SELLER',
            comment: 'Sales',
            tables: {
              ORDERS: {
                facts: {
                  comment: 'All orders',
                  table_owner: 'SELLER',
                  clustering_key: 'LINEAR(ID)',
                  row_count: 3,
                  bytes: 1024,
                  last_altered: '1611871777.123000000 960',
                  is_dynamic: 'YES',
                },
                columns: [
                  newColumn('ID', { is_nullable: 'NO', comment: 'The number' }),
                  newColumn('NR', {
                    is_identity: 'YES',
                    identity_start: '1',
                    identity_increment: '2',
                    column_default: 'IDENTITY START 1 INCREMENT 2',
                  }),
                  newColumn('PRICE', {
                    numeric_precision: 12,
                    numeric_scale: 2,
                    column_default: '0',
                  }),
                ],
              },
              OPEN: { text: 'create view OPEN as select 1', columns: [newColumn('ID')] },
              SECRET: { text: 'canary', isSecure: true, columns: [newColumn('ID')] },
              FAST: newTable({ text: 'select 2', facts: { table_type: 'MATERIALIZED VIEW' } }),
              LAKE: newTable({ facts: { table_type: 'EXTERNAL TABLE' } }),
              MINE: newTable({ facts: { table_type: 'TEMPORARY TABLE' } }),
            },
          },
        },
      },
    }
    const reading = await source.read({ configuration: { readsFrom } })
    assert.deepEqual(listPaths(reading).toSorted(), [
      'SHOP',
      'SHOP.SALES',
      ...['FAST', 'LAKE', 'OPEN', 'ORDERS', 'SECRET'].map((name) => `SHOP.SALES.${name}`),
    ])
    assert.deepEqual(listComplete(reading), ['SHOP', 'SHOP.SALES'])
    const location = { host: '127.0.0.1', account: 'myorg-account1', database: 'SHOP' }
    assert.deepEqual(reading.table('SHOP'), {
      kind: 'database',
      path: ['SHOP'],
      scope: ['SHOP'],
      ownerName: 'SYSADMIN',
      description: 'The shop',
      custom: location,
    })
    assert.equal(reading.table('SHOP', 'SALES').ownerName, 'SELLER')
    const { sourceId, sourceIdScope, version, ...orders } = reading.table('SHOP', 'SALES', 'ORDERS')
    assert.equal(version !== undefined, readsFrom === 'information_schema')
    // Only ACCOUNT_USAGE has ids, which identify a renamed table.
    assert.equal(sourceId !== undefined, readsFrom === 'account_usage')
    assert.equal(sourceIdScope, sourceId && '127.0.0.1')
    assert.deepEqual(orders, {
      kind: 'table',
      path: ['SHOP', 'SALES', 'ORDERS'],
      scope: ['SHOP', 'SALES'],
      ownerName: 'SELLER',
      description: 'All orders',
      columns: [
        { name: 'ID', type: 'NUMBER(38,0)', description: 'The number', required: true },
        { name: 'NR', type: 'NUMBER(38,0)', generated: 'identity start 1 increment 2' },
        { name: 'PRICE', type: 'NUMBER(12,2)', default: '0' },
      ],
      custom: {
        ...location,
        schema: 'SALES',
        ...(readsFrom === 'information_schema' ? { tableKind: 'dynamic' } : {}),
        clusteringKey: 'LINEAR(ID)',
      },
      statistic: { rowCount: 3, sizeBytes: 1024, changedMeans: 'any', changedAt: CHANGED_AT },
    })
    const kinds = ['OPEN', 'SECRET', 'FAST', 'LAKE'].map((name) => {
      const { kind, viewDefinition } = reading.table('SHOP', 'SALES', name)
      return [kind, viewDefinition]
    })
    assert.deepEqual(kinds, [
      ['view', 'create view OPEN as select 1'],
      ['view', undefined],
      ['materialized_view', 'select 2'],
      ['external_table', undefined],
    ])
    const again = await source.read({ configuration: { readsFrom } })
    assert.deepEqual(again.assets, reading.assets)
    const plain = await source.read({ configuration: { readsFrom, includeViews: false } })
    assert.deepEqual(listPaths(plain).slice(2), ['SHOP.SALES.LAKE', 'SHOP.SALES.ORDERS'])
  })

  test(`snowflake › reads keys of several columns from ${readsFrom}`, async (t) => {
    const source = await startSnowflake(t)
    const references: [string, string, string] = ['SHOP', 'SALES', 'ORDERS']
    source.model.databases = {
      SHOP: {
        schemas: {
          SALES: {
            tables: {
              ORDERS: newTable({
                columns: ['ID', 'SHOP', 'NR'].map((name) => newColumn(name)),
                primaryKey: ['SHOP', 'ID'],
                uniqueKeys: [['NR'], ['NR', 'ID']],
              }),
              LINES: newTable({
                columns: ['S', 'O', 'N'].map((name) => newColumn(name)),
                foreignKeys: [
                  { columns: ['S', 'O'], references, to: ['SHOP', 'ID'] },
                  { columns: ['N'], references, to: ['NR'] },
                ],
              }),
            },
          },
        },
      },
    }
    const reading = await source.read({ configuration: { readsFrom } })
    const { primaryKey, uniqueKeys, columns } = reading.table('SHOP', 'SALES', 'ORDERS')
    assert.deepEqual([primaryKey, uniqueKeys], [['SHOP', 'ID'], [['NR', 'ID']]])
    assert.deepEqual(
      columns?.map(({ unique }) => unique),
      [undefined, undefined, true],
    )
    assert.deepEqual(reading.table('SHOP', 'SALES', 'LINES').foreignKeys, [
      { columns: ['S', 'O'], references, referencedColumns: ['SHOP', 'ID'] },
      { columns: ['N'], references, referencedColumns: ['NR'] },
    ])
    const without = await source.read({ configuration: { readsFrom, includeKeys: false } })
    assert.equal(without.table('SHOP', 'SALES', 'ORDERS').primaryKey, undefined)
  })

  test(`snowflake › reads a table with 1,600 columns from ${readsFrom}`, async (t) => {
    const source = await startSnowflake(t)
    const columns = Array.from({ length: 1600 }, (_, at) => newColumn(`C${at}`))
    source.model.databases = {
      SHOP: { schemas: { SALES: { tables: { B: { columns } } } } },
    }
    const reading = await source.read({ configuration: { readsFrom } })
    assert.equal(reading.table('SHOP', 'SALES', 'B').columns?.length, 1600)
  })

  test(`snowflake › keeps names exactly, also if they differ only by case, from ${readsFrom}`, async (t) => {
    const source = await startSnowflake(t)
    const names = ['a.b', 'a"b', "a'b", 'a\\b', 'ORDERS', 'orders', 'ä 日本', '😀', '..', '%_']
    const tables = Object.fromEntries(names.map((name) => [name, newTable()]))
    source.model.databases = { 'Da.t"a': { schemas: { "S'c\\h": { tables } } } }
    const reading = await source.read({ configuration: { readsFrom } })
    const paths = reading.assets.slice(2).map(({ path }) => JSON.stringify(path))
    const expected = names.map((name) => JSON.stringify(['Da.t"a', "S'c\\h", name]))
    assert.deepEqual(paths.toSorted(), expected.toSorted())
    assert.ok(reading.assets.slice(2).every(({ columns }) => columns?.length === 1))
  })
}

test('snowflake › writes types as DESCRIBE TABLE does, and keeps unknown ones', async (t) => {
  const source = await startSnowflake(t)
  const columns = [
    { name: 'A', type: 'TEXT', character_maximum_length: 16_777_216 },
    { name: 'B', type: 'BINARY', character_maximum_length: 8 },
    { name: 'C', type: 'TIMESTAMP_NTZ', datetime_precision: 9 },
    { name: 'D', type: 'VARIANT' },
    { name: 'E', type: 'NUMBER' },
    { name: 'F', type: 'QUATERNION' },
  ]
  source.model.databases = { SHOP: { schemas: { SALES: { tables: { T: { columns } } } } } }
  const reading = await source.read()
  const types = reading.table('SHOP', 'SALES', 'T').columns?.map(({ type }) => type)
  assert.deepEqual(types, [
    'VARCHAR(16777216)',
    'BINARY(8)',
    'TIMESTAMP_NTZ(9)',
    'VARIANT',
    'NUMBER',
    'QUATERNION',
  ])
})

test('snowflake › reads tags of databases, schemas, tables and columns', async (t) => {
  const source = await startSnowflake(t)
  const table = { object_database: 'SHOP', object_schema: 'SALES', object_name: 'ORDERS' }
  source.model.tags = [
    {
      tag_name: 'COST',
      tag_value: '7',
      domain: 'DATABASE',
      object_database: null,
      object_schema: null,
      object_name: 'SHOP',
    },
    {
      tag_name: 'TEAM',
      tag_value: 'sales',
      domain: 'SCHEMA',
      object_database: 'SHOP',
      object_schema: null,
      object_name: 'SALES',
    },
    { tag_name: 'GOLD', tag_value: '', domain: 'TABLE', ...table },
    { tag_name: 'PII', tag_value: 'no', domain: 'COLUMN', column_name: 'ID', ...table },
  ]
  const reading = await source.read({ configuration: { includeTags: true } })
  assert.deepEqual(reading.table('SHOP').tags, ['COST:7'])
  assert.deepEqual(reading.table('SHOP', 'SALES').tags, ['TEAM:sales'])
  const { tags, columns } = reading.table('SHOP', 'SALES', 'ORDERS')
  assert.deepEqual([tags, columns?.[0]?.tags], [['GOLD'], ['PII:no']])
})

test('snowflake › an empty account, database and schema are complete', async (t) => {
  const source = await startSnowflake(t)
  source.model.databases = { NONE: { schemas: {} }, SHOP: { schemas: { SALES: { tables: {} } } } }
  for (const given of [{}, ACCOUNT_USAGE]) {
    const reading = await source.read(given)
    assert.deepEqual(listPaths(reading), ['NONE', 'SHOP', 'SHOP.SALES'])
    assert.deepEqual(listComplete(reading), ['NONE', 'SHOP', 'SHOP.SALES'])
  }
  source.model.databases = {}
  assert.deepEqual((await source.read()).scopes, [])
})

test('snowflake › runs no statement for what the filters or the defaults exclude', async (t) => {
  const source = await startSnowflake(t)
  const schemas = { SALES: { tables: { ORDERS: newTable(), TMP_1: newTable() } } }
  const share = { schemas, origin: 'PARTNER.SHARE' }
  source.model.databases = {
    SHOP: { schemas: { ...schemas, OTHER: { tables: {} } } },
    DEV: { schemas },
    SHARED: share,
    SNOWFLAKE: { schemas },
    SNOWFLAKE_SAMPLE_DATA: share,
  }
  const filters = {
    include: { database: ['SHOP', 'SHARE?'], schema: ['SAL*'] },
    exclude: { table: ['TMP_*'] },
  }
  const reading = await source.read({ filters })
  assert.deepEqual(listPaths(reading), ['SHOP', 'SHOP.SALES', 'SHOP.SALES.ORDERS'])
  const decisions = reading.scopes.map(({ path, decision }) => `${path.join('.')} ${decision}`)
  assert.deepEqual(decisions, [
    'DEV excluded',
    'SHARED excluded',
    'SHOP included',
    'SHOP.INFORMATION_SCHEMA excluded',
    'SHOP.OTHER excluded',
    'SHOP.SALES included',
    'SNOWFLAKE excluded',
    'SNOWFLAKE_SAMPLE_DATA excluded',
  ])
  assert.ok(!source.model.statements.some((sql) => /DEV|SHARED|OTHER/.test(sql)))
  const fromUsage = await source.read({ filters, ...ACCOUNT_USAGE })
  assert.deepEqual(listPaths(fromUsage), listPaths(reading))
  // A database of the platform or of a share can be included by its name, or all of a share.
  const named = { include: { database: ['SHARED', 'SNOWFLAKE'] }, exclude: {} }
  const included = await source.read({ filters: named })
  assert.deepEqual(
    listComplete(included).filter((path) => !path.includes('.')),
    ['SHARED', 'SNOWFLAKE'],
  )
  const shared = await source.read({ configuration: { includeShared: true } })
  assert.ok(listComplete(shared).includes('SHARED.SALES'))
})

test('snowflake › a denied database or schema keeps the others complete', async (t) => {
  const source = await startSnowflake(t)
  const schemas = { A: { tables: { T: newTable() } }, B: { tables: { T: newTable() } } }
  source.model.databases = { CLOSED: { schemas }, SHOP: { schemas } }
  const denied = { code: '003001', sqlState: '42501', message: 'canary' }
  source.model.errors = {
    'SCHEMAS IN DATABASE "CLOSED"': denied,
    "columns where table_schema = 'A'": denied,
  }
  const reading = await source.read()
  assert.deepEqual(listComplete(reading), ['SHOP', 'SHOP.B'])
  assert.deepEqual(listFailures(reading), ['SHOP.A permission'])
  const [closed] = reading.scopes
  assert.deepEqual([closed?.path, closed?.decision], [['CLOSED'], 'denied'])
  assert.match(closed?.message ?? '', /GRANT USAGE ON DATABASE "CLOSED" TO ROLE/)
  assert.ok(!JSON.stringify(reading).includes('canary'))
})

function newDatabase(count: number) {
  const names = Array.from({ length: count }, (_, at) => `T${at}`)
  const tables = Object.fromEntries(names.map((name) => [name, newTable({ text: 'select 1' })]))
  return { schemas: { A: { tables }, B: { tables: { T: newTable() } } } }
}

test('snowflake › the number of statements does not depend on the number of tables', async (t) => {
  const source = await startSnowflake(t)
  for (const [given, expected] of [
    [{}, 2 + 3 + 3 + 2],
    [ACCOUNT_USAGE, 2 + 3 + 1],
  ] as const) {
    for (const count of [1, 2500]) {
      source.model.databases = { SHOP: newDatabase(count) }
      source.model.statements.length = 0
      const reading = await source.read(given)
      assert.equal(listPaths(reading).length, 4 + count)
      assert.equal(source.model.statements.length, expected, source.model.statements.join('\n'))
      assert.ok(reading.batchSizes.every((size) => size <= 1000))
    }
  }
})

test('snowflake › the configuration requires what its authentication needs', () => {
  assert.ok(!isValid({}))
  assert.ok(isValid({ user: 'PORTBOOK' }))
  assert.ok(isValid({ authentication: 'token' }))
  const oauth = { authentication: 'oauth', clientId: 'a' }
  assert.ok(!isValid(oauth))
  assert.ok(isValid({ ...oauth, tokenEndpoint: 'https://login.example/token' }))
  assert.ok(!isValid({ ...oauth, tokenEndpoint: 'http://login.example/token' }))
  for (const account of ['https://x.snowflakecomputing.com', 'a/b', 'a b', 'a?b', 'a.b.c.d.e']) {
    assert.ok(!isValid({ authentication: 'token', account }), account)
  }
})
