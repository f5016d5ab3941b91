/** Every reference to a column in another case than that of the column, for the platforms that ignore case. */

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { SourceAsset } from '../../server/connectors/connector.ts'
import { readFlavour } from '../../server/connectors/mysql/flavour.ts'
import { ROW_KINDS } from '../../server/connectors/mysql/statements.ts'
import { toTable } from '../../server/connectors/mysql/tables.ts'
import { newTable as newBigQueryTable, startBigQuerySource } from './bigquery/source.ts'
import { startGlueSource } from './glue/source.ts'
import { newColumn as newSnowflakeColumn, startSnowflake } from './snowflake/source.ts'
import { newColumn, newTable, startUnitySource } from './unity/source.ts'

const newRow = (kind: number, ...facts: (string | null)[]) => ({
  database: 'shop',
  table: 'orders',
  kind,
  facts,
})
const newMysqlColumn = (name: string) =>
  newRow(ROW_KINDS.column, name, 'varchar(10)', 'YES', null, '', '', '')

const READERS: Readonly<Record<string, (t: TestContext) => Promise<SourceAsset>>> = {
  async databricks(t) {
    const source = await startUnitySource(t)
    const columns = ['Id', 'Day'].map((name) => newColumn(name, '"string"'))
    source.model.catalogs = { main: { sales: [newTable('orders', { columns })] } }
    source.model.results = {
      key_column_usage: [
        [
          ['ORDERS', 'pk', 'PRIMARY KEY', 'ID', null, null, null, null] as string[],
          ['ORDERS', 'fk', 'FOREIGN KEY', 'DAY', 'main', 'sales', 'days', 'day'],
        ],
      ],
      column_tags: [[['ORDERS', 'ID', 'pii', '']]],
    }
    const reading = await source.read({ configuration: { warehouseId: 'abc1' } })
    return reading.table('main', 'sales', 'orders')
  },

  async bigquery(t) {
    const source = await startBigQuerySource(t)
    const fields = ['Id', 'Day'].map((name) => ({ name, type: 'STRING' }))
    const reference = { referencingColumn: 'DAY', referencedColumn: 'day' }
    const [tagged] = [{ ...fields[0], policyTags: { names: ['pii'] } }]
    source.model.projects = {
      shop: {
        sales: [
          newBigQueryTable('orders', {
            schema: { fields: [tagged, fields[1]] },
            timePartitioning: { type: 'DAY', field: 'DAY' },
            clustering: { fields: ['ID'] },
            tableConstraints: {
              primaryKey: { columns: ['ID'] },
              foreignKeys: [
                {
                  referencedTable: { projectId: 'main', datasetId: 'sales', tableId: 'days' },
                  columnReferences: [reference],
                },
              ],
            },
          }),
        ],
      },
    }
    const table = (await source.read({ configuration: { method: 'rest' } })).table(
      'shop',
      'sales',
      'orders',
    )
    assert.deepEqual(table.partitionColumns, ['Day'])
    assert.equal(table.custom?.['clusteringColumns'], 'Id')
    return table
  },

  async mysql() {
    const table = toTable(
      [
        newRow(ROW_KINDS.table, 'BASE TABLE', '', 'InnoDB'),
        newMysqlColumn('Id'),
        newMysqlColumn('Day'),
        newRow(ROW_KINDS.unique, 'PRIMARY', 'ID', null),
        newRow(ROW_KINDS.unique, 'days', 'DAY', null),
        newRow(ROW_KINDS.foreignKey, 'fk', 'DAY', 'sales', 'days', 'day'),
        newRow(ROW_KINDS.json, 'ID', 'json_valid(`ID`)'),
        newRow(ROW_KINDS.storage, '`DAY`', null),
      ],
      { host: 'h', port: 3306, flavour: readFlavour('8.4.0') },
    )
    const asset = table?.asset ?? assert.fail('no table')
    assert.deepEqual(asset.partitionColumns, ['Day'])
    assert.deepEqual(
      asset.columns?.map(({ type, unique }) => [type, unique]),
      [
        ['json', undefined],
        ['varchar(10)', true],
      ],
    )
    return asset
  },
}

for (const [platform, read] of Object.entries(READERS)) {
  test(`${platform} › shows references in the spelling of their columns`, async (t) => {
    const { primaryKey, foreignKeys, columns } = await read(t)
    assert.deepEqual(primaryKey, ['Id'])
    assert.deepEqual(
      foreignKeys?.map((key) => key.columns),
      [['Day']],
    )
    if (platform !== 'mysql') assert.equal(columns?.[0]?.tags?.length, 1)
  })
}

test('glue › shows partitions and tags of columns in another case once', async (t) => {
  const source = await startGlueSource(t)
  source.model.databases = {
    sales: [
      {
        Name: 'orders',
        StorageDescriptor: { Columns: ['Id', 'DAY'].map((Name) => ({ Name, Type: 'string' })) },
        PartitionKeys: [{ Name: 'Day', Type: 'string' }],
      },
    ],
  }
  const tags = [{ TagKey: 'pii', TagValues: ['yes'] }]
  source.model.tags = { 'sales.orders': { LFTagsOnColumns: [{ Name: 'id', LFTags: tags }] } }
  const table = (await source.read({ configuration: { includeTags: true } })).table(
    'sales',
    'orders',
  )
  assert.deepEqual(
    table.columns?.map(({ name, tags: own }) => [name, own]),
    [
      ['Id', ['pii:yes']],
      ['Day', undefined],
    ],
  )
  assert.deepEqual(table.partitionColumns, ['Day'])
})

test('snowflake › a key in another case names another column, so that its table stays unchanged', async (t) => {
  const source = await startSnowflake(t)
  const table = { columns: [newSnowflakeColumn('Id')], primaryKey: ['ID'] }
  source.model.databases = { SHOP: { schemas: { SALES: { tables: { ORDERS: table } } } } }
  const { unreadable } = await source.read()
  assert.deepEqual(
    unreadable.map(({ message }) => message),
    ['A key has the column ID, the table has not.'],
  )
})
