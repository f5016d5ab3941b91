import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { onStore } from '../../../test/stores.ts'
import { migrate } from './migrate.ts'
import { LOCK_PATIENCE, MigrationBlocked, type LockWait } from './migration-turns.ts'

const PATIENCE = { ...LOCK_PATIENCE, lockTimeoutMs: 50, delayMs: 1, delayMsMax: 2 }

onStore((store) => {
  let directory: string
  let holder: Client
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'portbook-migrations-'))
    await sql`drop table if exists schema_migration, held, other`.execute(store().db)
    writeFileSync(join(directory, '0001_held.sql'), 'create table held (x int);')
    await migrate(store().connection, directory)
    writeFileSync(
      join(directory, '0002_more.sql'),
      'create table other (); alter table held add column y int;',
    )
    holder = new Client({ ...store().connection, application_name: 'report' })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from held')
  })
  afterEach(async () => {
    await holder.end()
    rmSync(directory, { recursive: true, force: true })
  })

  test('migrate › gives way while a long transaction holds a lock, and is applied once it ends', async () => {
    const waits: (LockWait & { migration: string })[] = []
    const migrated = await migrate(store().connection, directory, {
      patience: PATIENCE,
      onWait: (wait) => {
        waits.push(wait)
        if (waits.length === 3) void holder.query('commit')
      },
    })
    assert.deepEqual(migrated.applied, [{ name: '0002_more.sql', writableBy: null }])
    assert.ok(waits.length >= 3)
    const [first] = waits
    assert.deepEqual([first?.attempt, first?.migration], [1, '0002_more.sql'])
    assert.equal(first?.holder?.application, 'report')
    assert.equal(first?.holder?.state, 'idle in transaction')
  })

  test('migrate › lets statements pass between two attempts, which hold no lock of the migration', async () => {
    const states: boolean[] = []
    let reading: Promise<unknown> = Promise.resolve()
    await migrate(store().connection, directory, {
      patience: PATIENCE,
      onWait: ({ attempt }) => {
        reading = sql<{ isPresent: boolean }>`
          select to_regclass('other') is not null as "isPresent", count(x)
          from held
        `
          .execute(store().db)
          .then(({ rows }) => states.push(rows[0]?.isPresent ?? true))
        if (attempt === 2) void holder.query('commit')
      },
    })
    await reading
    // The migration is not applied by halves.
    assert.equal(states[0], false)
  })

  test('migrate › fails after the last attempt with the session to end, and leaves nothing behind', async () => {
    const blocked = migrate(store().connection, directory, {
      patience: { ...PATIENCE, attemptsMax: 2 },
    })
    await assert.rejects(blocked, (error: Error) => {
      assert.ok(error instanceof MigrationBlocked, String(error))
      assert.match(error.message, /^migration 0002_more\.sql .* could not lock .* 2 attempts/)
      assert.match(error.message, /\(report, idle in transaction\).*pg_terminate_backend\(\d+\)/)
      assert.ok(!error.message.includes('\n'))
      return true
    })
    const { rows } = await sql`select to_regclass('other') as name`.execute(store().db)
    assert.deepEqual(rows, [{ name: null }])
  })

  test('migrate › two processes at once wait in turn for the same lock, and one applies', async () => {
    const attempts: number[] = []
    const start = () =>
      migrate(store().connection, directory, {
        patience: PATIENCE,
        onWait: ({ attempt }) => {
          attempts.push(attempt)
          if (attempts.length === 4) void holder.query('commit')
        },
      })
    const migrated = await Promise.all([start(), start()])
    const names = migrated.flatMap(({ applied }) => applied.map(({ name }) => name))
    assert.deepEqual(names, ['0002_more.sql'])
  })

  test('migrate › is repeated after a deadlock with a statement of a running process', async () => {
    await holder.query('commit')
    await sql`create table other ()`.execute(store().db)
    writeFileSync(
      join(directory, '0002_more.sql'),
      `alter table held add column y int;
       do $$ begin if (select count(*) from held) = 0 then raise sqlstate '40P01'; end if; end $$;`,
    )
    const migrated = await migrate(store().connection, directory, {
      patience: PATIENCE,
      onWait: () => void holder.query('insert into held values (1)'),
    })
    assert.equal(migrated.applied.length, 1)
  })

  test('migrate › is not repeated after any other error', async () => {
    await holder.query('commit')
    writeFileSync(join(directory, '0002_more.sql'), 'select 1 / 0;')
    await assert.rejects(
      migrate(store().connection, directory, { onWait: failOnWait }),
      /0002_more\.sql failed/,
    )
  })

  test('migrations › wait for a lock for a shorter time than a request waits for its statement', () => {
    // The time of a statement of a request, server/store.ts.
    assert.ok(LOCK_PATIENCE.lockTimeoutMs < 1650)
  })
})

function failOnWait(): never {
  assert.fail('the migration was repeated')
}
