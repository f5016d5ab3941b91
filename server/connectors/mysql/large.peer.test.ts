import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { onMariadb, type TestMariadb } from '../../../test/mariadb.ts'
import { newSetup, readSource, type SourceReading } from '../../../test/source-reading.ts'
import type { Setup } from '../connector.ts'
import { mariadb } from './connector.ts'

onMariadb((server) => {
  const read = (databases: string[], more: Partial<Setup> = {}): Promise<SourceReading> =>
    readSource(mariadb, setupFor(server(), { ...more, filters: databaseFilters(databases) }))

  test('read › returns 1,000 columns, and 1,000 partitions as one table', async () => {
    const name = newName()
    const columns = Array.from({ length: 1000 }, (_, at) => `c${at} int comment 'number ${at}'`)
    const partitions = Array.from({ length: 1000 }, (_, at) => `partition p${at} values in (${at})`)
    await server().execute(`
      create database ${name}; use ${name};
      create table wide (${columns.join()});
      create table parted (id int, day date) engine = aria partition by list (id)
        (${partitions.join()});
      create table by_names (id int, day date, primary key (id, day))
        partition by range columns (id, day) (partition p0 values less than (1, '2020-01-01'));
      create table by_expression (id int, day date)
        partition by range (year(day)) subpartition by hash (id) subpartitions 2
        (partition p0 values less than (2020), partition p1 values less than maxvalue);
      insert into by_expression values (1, '2019-01-01'), (2, '2021-01-01')`)
    const result = await read([name])
    assert.equal(result.assets.length, 5)
    const wide = result.table(name, 'wide').columns ?? []
    assert.equal(wide.length, 1000)
    assert.deepEqual(wide[999], { name: 'c999', type: 'int(11)', description: 'number 999' })
    assert.deepEqual(result.table(name, 'parted').partitionColumns, ['id'])
    assert.deepEqual(result.table(name, 'by_names').partitionColumns, ['id', 'day'])
    const { partitionColumns, statistic } = result.table(name, 'by_expression')
    assert.deepEqual(partitionColumns, ['year(`day`)', 'id'])
    assert.equal(statistic?.rowCount, 2)
    assert.match(statistic?.changedAt ?? '', /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })

  test('read › distinguishes a JSON column from a text with another check', async () => {
    const name = newName()
    await server().execute(`
      create database ${name}; use ${name};
      create table t (
        a json,
        \`b \`\` c\` json not null,
        d longtext collate utf8mb4_bin,
        e longtext collate utf8mb4_bin check (json_valid(e) or e = ''),
        f longtext collate utf8mb4_bin check (length(f) < 10)
      )`)
    assert.deepEqual(
      (await read([name])).table(name, 't').columns?.map(({ name, type }) => [name, type]),
      [
        ['a', 'json'],
        ['b ` c', 'json'],
        ['d', 'longtext'],
        ['e', 'longtext'],
        ['f', 'longtext'],
      ],
    )
  })

  test('read › sends as many statements for 1,000 tables as for 10, in bounded batches', async () => {
    const [few, many] = [newName(), newName()]
    await server().execute(createTables(few, 10))
    await server().execute(createTables(many, 1000))
    const small = await read([few])
    const large = await read([many])
    assert.equal(large.assets.length, 1001)
    assert.equal(large.statements.length, small.statements.length)
    assert.ok(large.statements.length <= 12, large.statements.join('\n'))
    assert.ok(Math.max(...large.batchSizes) <= 1000)
  })

  test('read › returns large texts in small batches, limited to what a document keeps', async () => {
    const name = newName()
    const views = Array.from(
      { length: 40 },
      (_, at) => `create view v${at} as select '${'x'.repeat(100_000)}' as x`,
    )
    await server().execute(`create database ${name}; use ${name}; ${views.join(';')}`)
    const result = await read([name])
    assert.equal(result.assets.length, 41)
    assert.ok(Math.max(...result.batchSizes) <= 20)
    assert.equal(result.table(name, 'v0').viewDefinition?.length, 70_000)
  })
})

function createTables(database: string, count: number): string {
  const creating = Array.from(
    { length: count },
    (_, at) => `create table t${at} (a json, b int unique) engine = aria`,
  )
  return [`create database ${database}; use ${database}`, ...creating].join(';')
}

function newName(): string {
  return `test_${randomBytes(6).toString('hex')}`
}

// A pattern would include similar names of other tests.
function databaseFilters(database: string[]): Setup['filters'] {
  return { include: { database }, exclude: {} }
}

function configured(server: TestMariadb, more: object): Pick<Setup, 'configuration' | 'secrets'> {
  const { host, port, user, password } = server
  return { configuration: { host, port, user, ssl: 'off', ...more }, secrets: { password } }
}

function setupFor(server: TestMariadb, more: Partial<Setup>): ReturnType<typeof newSetup> {
  return newSetup({ ...configured(server, {}), ...more })
}
