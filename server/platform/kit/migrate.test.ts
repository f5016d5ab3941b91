import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { onStore } from '../../../test/stores.ts'
import { migrate, SchemaMismatch } from './migrate.ts'

onStore((store) => {
  let directory: string
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'portbook-migrations-'))
    await sql`drop table if exists schema_migration, one, two, three`.execute(store().db)
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  const write = (name: string, text: string): void => writeFileSync(join(directory, name), text)
  const run = async (version?: string): Promise<string[]> =>
    (await migrate(store().connection, directory, { version })).applied.map(({ name }) => name)

  async function tables(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select table_name as name
      from information_schema.tables
      where table_name in ('one', 'two', 'three')
      order by table_name
    `.execute(store().db)
    return rows.map(({ name }) => name)
  }

  /** Asserts that a migration is rejected with a one-line message that matches. */
  async function assertMismatch(words: RegExp, version?: string): Promise<void> {
    const before = await tables()
    await assert.rejects(run(version), (error) => {
      assert.ok(error instanceof SchemaMismatch, String(error))
      assert.match(error.message, words)
      assert.ok(!error.message.includes('\n'))
      return true
    })
    assert.deepEqual(await tables(), before)
  }

  test('migrate › applies pending migrations once, in the order of their names', async () => {
    write('0002_two.sql', 'create table two (x int references one); create index on two (x);')
    write('0001_one.sql', 'create table one (x int primary key);')
    write('notes.md', 'no migration')
    assert.deepEqual(await run(), ['0001_one.sql', '0002_two.sql'])
    assert.deepEqual(await run(), [])
    write('0003_three.sql', 'create table three ();')
    assert.deepEqual(await run(), ['0003_three.sql'])
    assert.deepEqual(await tables(), ['one', 'three', 'two'])
  })

  test('migrations › have different numbers', () => {
    const names = readdirSync(join(import.meta.dirname, '../../migrations'))
    const numbers = names.map((name) => /^\d{4}(?=_\w+\.sql$)/.exec(name)?.[0])
    assert.ok(!numbers.includes(undefined))
    assert.equal(new Set(numbers).size, names.length)
  })

  test('migrate › rejects an edited migration, and applies no pending ones', async () => {
    write('0001_one.sql', 'create table one ();')
    await run()
    write('0001_one.sql', 'create table one (x int);')
    write('0002_two.sql', 'create table two ();')
    await assertMismatch(/0001_one\.sql was edited/)
    write('0001_one.sql', 'create table one ();')
    assert.deepEqual(await run(), ['0002_two.sql'])
  })

  test('migrate › rejects a schema that is newer than the program', async () => {
    write('0001_one.sql', 'create table one ();')
    write('0002_two.sql', 'create table two ();')
    await run()
    unlinkSync(join(directory, '0002_two.sql'))
    await assertMismatch(/newer than this program: it has 0002_two\.sql/)
  })

  test('migrate › accepts a newer schema only if every newer migration lets the version write', async () => {
    write('0001_one.sql', 'create table one ();')
    write('0002_two.sql', '-- writable-by: 0.3.0\ncreate table two ();')
    write('0003_three.sql', '-- writable-by: 0.4.0-rc.1\ncreate table three ();')
    await run()
    const [two, three] = ['0002_two.sql', '0003_three.sql'].map((name) => join(directory, name))
    rmSync(two ?? '')
    rmSync(three ?? '')
    for (const version of ['0.4.0-rc.1', '0.4.0', '1.0.0']) {
      const { applied, newer } = await migrate(store().connection, directory, { version })
      assert.deepEqual(applied, [])
      assert.deepEqual(newer, [
        { name: '0002_two.sql', writableBy: '0.3.0' },
        { name: '0003_three.sql', writableBy: '0.4.0-rc.1' },
      ])
    }
    const words = /it has 0003_three\.sql; start version 0\.4\.0-rc\.1 or newer/
    for (const version of ['0.3.0', '0.4.0-beta']) await assertMismatch(words, version)
    await assertMismatch(/it has 0002_two\.sql; start version 0\.4\.0-rc\.1/, '0.3.0-rc.1')
    await assertMismatch(/newer than this program/)
    write('0004_four.sql', 'create table four ();')
    await assertMismatch(
      /belongs to another version: it has 0002_two\.sql, and lacks 0004/,
      '1.0.0',
    )
    rmSync(join(directory, '0004_four.sql'))
    await sql`update schema_migration set writable_by = null where name like '0002%'`.execute(
      store().db,
    )
    await assertMismatch(/it has 0002_two\.sql; start a newer version/, '1.0.0')
  })

  test('migrate › applies nothing if the line of a pending migration is malformed', async () => {
    write('0001_one.sql', 'create table one ();')
    write('0002_two.sql', '-- writable-by: 0.3\ncreate table two ();')
    await assert.rejects(run(), /0002_two\.sql has a malformed line: .*"-- writable-by: 0\.3\.0"/)
    assert.deepEqual(await tables(), [])
  })

  test('migrate › continues after a process that ended between two migrations', async () => {
    write('0001_one.sql', '-- writable-by: 0.1.0\ncreate table one ();')
    write('0002_two.sql', 'create table two (); select pg_terminate_backend(pg_backend_pid());')
    await assert.rejects(run(), /0002_two\.sql failed/)
    assert.deepEqual(await tables(), ['one'])
    write('0002_two.sql', 'create table two ();')
    const { applied, formerCount } = await migrate(store().connection, directory)
    assert.deepEqual([applied, formerCount], [[{ name: '0002_two.sql', writableBy: null }], 1])
  })

  test('migrate › rolls back a failing migration, keeps those before it, and continues once it is fixed', async () => {
    write('0001_one.sql', 'create table one ();')
    write('0002_two.sql', 'create table two (); create table three (); select 1 / 0;')
    await assert.rejects(run(), (error: Error) => {
      assert.match(error.message, /0002_two\.sql failed and was rolled back/)
      assert.match(String(error.cause), /division by zero/)
      return true
    })
    assert.deepEqual(await tables(), ['one'])
    write('0002_two.sql', 'create table two ();')
    assert.deepEqual(await run(), ['0002_two.sql'])
    assert.deepEqual(await tables(), ['one', 'two'])
  })

  test('migrate › does not apply a migration that cannot be recorded', async () => {
    write('0001_one.sql', 'create table one (); alter table schema_migration rename to two;')
    await assert.rejects(run(), /0001_one\.sql failed and was rolled back/)
    assert.deepEqual(await tables(), [])
  })

  test('migrate › runs concurrent processes in turn', async () => {
    write('0001_one.sql', 'create table one ();')
    write('0002_two.sql', 'create table two ();')
    const applied = await Promise.all(Array.from({ length: 8 }, () => run()))
    // Another process may apply the next migration in between.
    assert.deepEqual(applied.flat().toSorted(), ['0001_one.sql', '0002_two.sql'])
    assert.deepEqual(await tables(), ['one', 'two'])
  })

  test('migrate › throws an error if the connection is lost, and does not end the process', async () => {
    write('0001_one.sql', 'create table one (); select pg_terminate_backend(pg_backend_pid());')
    await assert.rejects(run(), /0001_one\.sql failed/)
    assert.deepEqual(await tables(), [])
  })
})
