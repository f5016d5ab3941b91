import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getVersions } from '../../../test/source-reading.ts'
import type { ModelTable } from '../../../test/warehouses/snowflake/model.ts'
import {
  listComplete,
  listPaths,
  newColumn,
  newTable,
  startSnowflake,
  type SnowflakeSource,
} from '../../../test/warehouses/snowflake/source.ts'

const FIRST_DDL = '1611871777.123000000 960'

function setTables({ model }: SnowflakeSource, tables: Record<string, ModelTable>): void {
  model.databases = { SHOP: { schemas: { SALES: { tables } } } }
}

function newDatedTable(more: Partial<ModelTable> = {}): ModelTable {
  return newTable({ facts: { last_ddl: FIRST_DDL, row_count: 1 }, ...more })
}

function listColumnStatements({ model }: SnowflakeSource): string[] {
  return model.statements.filter((sql) => sql.includes('information_schema.columns'))
}

test('snowflake › does not read the columns of unchanged tables, only their statistics', async (t) => {
  const source = await startSnowflake(t)
  setTables(source, { A: newDatedTable(), B: newDatedTable() })
  const first = await source.read()
  setTables(source, {
    A: newDatedTable({ facts: { last_ddl: FIRST_DDL, row_count: 7 } }),
    B: newDatedTable(),
  })
  source.model.statements.length = 0
  const second = await source.read({}, getVersions(first))
  assert.deepEqual(listColumnStatements(source), [])
  assert.deepEqual(
    second.unchanged.map(({ path, statistic }) => [path.join('.'), statistic?.rowCount]),
    [
      ['SHOP.SALES.A', 7],
      ['SHOP.SALES.B', 1],
    ],
  )
  assert.deepEqual(listComplete(second), ['SHOP', 'SHOP.SALES'])
})

test('snowflake › reads the columns of tables with later DDL, another comment or another key', async (t) => {
  const source = await startSnowflake(t)
  const tables = {
    A: newDatedTable(),
    B: newDatedTable(),
    "C'D": newDatedTable(),
    E: newDatedTable(),
  }
  setTables(source, tables)
  const versions = getVersions(await source.read())
  setTables(source, {
    ...tables,
    A: newDatedTable({
      columns: [newColumn('ID'), newColumn('NEW')],
      facts: { last_ddl: '1611871778.000000000 960' },
    }),
    B: newDatedTable({ facts: { last_ddl: FIRST_DDL, comment: 'Orders' } }),
    "C'D": newDatedTable({ primaryKey: ['ID'] }),
  })
  source.model.statements.length = 0
  const second = await source.read({}, versions)
  assert.deepEqual(listPaths(second).slice(2), ['SHOP.SALES.A', 'SHOP.SALES.B', "SHOP.SALES.C'D"])
  assert.equal(second.table('SHOP', 'SALES', 'A').columns?.length, 2)
  assert.deepEqual(
    second.unchanged.map(({ path }) => path.at(-1)),
    ['E'],
  )
  const [statement = '', ...more] = listColumnStatements(source)
  assert.deepEqual(more, [])
  assert.ok(statement.includes("table_name in ('A', 'B', 'C''D')"), statement)
})

test('snowflake › compares the last change of tables that change in the background', async (t) => {
  const source = await startSnowflake(t)
  const setChange = (last_altered: string): void => {
    const facts = { last_ddl: FIRST_DDL, last_altered, is_iceberg: 'YES' }
    setTables(source, { A: newDatedTable({ facts }) })
  }
  setChange('1611871777.000000000 960')
  const versions = getVersions(await source.read())
  assert.equal((await source.read({}, versions)).unchanged.length, 1)
  setChange('1611871779.000000000 960')
  assert.equal((await source.read({}, versions)).unchanged.length, 0)
})

test('snowflake › reads every table again with tags, and without the time of the last DDL', async (t) => {
  const source = await startSnowflake(t)
  for (const last_ddl of [null, '0.000000000 1440']) {
    setTables(source, { A: newDatedTable({ facts: { last_ddl } }) })
    assert.equal(getVersions(await source.read()).size, 0)
  }
  setTables(source, { A: newDatedTable() })
  assert.equal(getVersions(await source.read({ configuration: { includeTags: true } })).size, 0)
})
