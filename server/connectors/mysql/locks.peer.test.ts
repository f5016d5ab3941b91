import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { onMariadb, type TestMariadb } from '../../../test/mariadb.ts'
import { newSetup, readSource, type SourceReading } from '../../../test/source-reading.ts'
import type { Scope, Setup } from '../connector.ts'
import { mariadb } from './connector.ts'

onMariadb((server) => {
  const read = (databases: string[], more: Partial<Setup> = {}): Promise<SourceReading> =>
    readSource(mariadb, setupFor(server(), { ...more, filters: databaseFilters(databases) }))

  test('read › tolerates tables that are created and dropped during the reading', async () => {
    const name = newName()
    const stable = Array.from({ length: 30 }, (_, at) => `create table stable_${at} (a int)`)
    await server().execute(`create database ${name}; use ${name}; ${stable.join(';')}`)
    const ending = new AbortController()
    const restless = churn(server(), name, ending.signal)
    for (let round = 0; round < 20; round += 1) {
      const result = await read([name])
      const paths = result.assets.map(({ path }) => String(path[1]))
      assert.equal(paths.filter((path) => path.startsWith('stable_')).length, 30)
      assert.deepEqual(result.outcomes, [{ path: [name] }])
      assert.ok(result.assets.every(({ kind, columns }) => kind === 'database' || columns?.length))
    }
    ending.abort()
    await restless
  })

  test('read › reports a locked table as unreadable without blocking', async () => {
    const name = newName()
    await server().execute(`create database ${name}; use ${name};
      create table filled (a int primary key) comment 'Whole';
      create view over_filled as select a from filled;
      create table lost (a int); create view broken as select a from lost; drop table lost;
      create table other (a int)`)
    const filling = assert.rejects(
      server().execute(
        `create or replace table ${name}.filled comment 'Whole' as select sleep(30) as a`,
      ),
    )
    const isFilling = async (): Promise<boolean> => {
      const rows = await server().execute(
        `select id from information_schema.processlist where info like 'create or replace table ${name}%'`,
      )
      return rows.length === 1
    }
    await eventually(5000, isFilling, 'the table is being filled')
    const result = await read([name])
    await server().execute(`
      select concat('kill query ', id) into @kill from information_schema.processlist
      where info like 'create or replace table ${name}%'; execute immediate @kill`)
    await filling
    assert.deepEqual(
      result.assets.map(({ path }) => path.at(-1)),
      [name, 'other', 'broken'],
    )
    assert.deepEqual(
      result.unreadable.map(({ path, kind }) => [kind, path.at(-1)]),
      [
        ['table', 'filled'],
        ['view', 'over_filled'],
      ],
    )
    assert.deepEqual(result.outcomes, [{ path: [name] }])
  })

  test('read › does not block one reading by another', async () => {
    const [one, other] = [newName(), newName()]
    // Each reading has more than a batch.
    const columns = Array.from(
      { length: 60 },
      (_, at) => `c${at} int comment '${'x'.repeat(1000)}'`,
    )
    for (const name of [one, other]) {
      const tables = Array.from({ length: 20 }, (_, at) => `create table t${at} like t`)
      await server().execute(`create database ${name}; use ${name};
        create table t (${columns.join()}) engine = aria; ${tables.join(';')}`)
    }
    const session = await mariadb.open(setupFor(server(), {}))
    const readings = [one, other].map((name) =>
      session.read([toScope(name)])[Symbol.asyncIterator](),
    )
    for (const reading of readings) assert.ok((await reading.next()).value?.assets.length > 0)
    for (const reading of readings) await reading.return?.()
    await session.close()
  })
})

async function churn(server: TestMariadb, database: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await server.execute(`use ${database};
      create table going (a json, b int unique); create table other (a int);
      alter table going add c int, drop b; rename table other to another;
      drop table going; drop table another`)
  }
}

function toScope(name: string): Scope {
  return { path: [name], kind: 'database', reading: name, decision: 'included' }
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
