import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { newStorePlace, type StorePlace } from '../../test/stores.ts'
import { openDatabase, type OpenDatabase } from './database.ts'
import { openEmbeddedStore, type EmbeddedStore } from './embedded-store.ts'
import { DirectoryInUse } from './process-lock.ts'

interface Tables {
  sample: { id: number; text: string }
}

const LIMITS = {
  connectionsMax: 1,
  waitingMax: 1000,
  connectTimeoutMs: 10_000,
  queryTimeoutMs: 10_000,
}

let place: StorePlace
let directory: string
before(async () => {
  place = await newStorePlace('embedded')
  directory = place.environment['PORTBOOK_DATA_DIR'] ?? ''
})
after(() => place.remove())

/** Opens a store for a while. */
async function withStore<T>(
  path: string,
  use: (database: OpenDatabase<Tables>, store: EmbeddedStore) => Promise<T>,
): Promise<T> {
  const store = await openEmbeddedStore(path, (error) => assert.fail(error))
  const database = openDatabase<Tables>(store.connection, LIMITS, () => undefined)
  try {
    return await use(database, store)
  } finally {
    await database.close()
    await store.close()
  }
}

const insert = ({ db }: OpenDatabase<Tables>, id: number, text = 'x'): Promise<unknown> =>
  db.insertInto('sample').values({ id, text }).execute()

const idsIn = async ({ db }: OpenDatabase<Tables>): Promise<number[]> => {
  const rows = await db.selectFrom('sample').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

test('openEmbeddedStore › every commit is a sync of its own, reads and what is rolled back are none', async () => {
  await withStore(directory, async (database, store) => {
    await sql`create table sample (id int primary key, text text)`.execute(database.db)
    for (let id = 1; id <= 20; id += 1) {
      const before = await store.syncCount()
      await insert(database, id)
      assert.ok((await store.syncCount()) > before, `commit ${id} was not synced`)
    }
    await database.db.transaction().execute(async (transaction) => {
      const before = await store.syncCount()
      await transaction.insertInto('sample').values({ id: 21, text: 'x' }).execute()
      assert.equal(await store.syncCount(), before)
    })
    const before = await store.syncCount()
    for (let read = 0; read < 20; read += 1) assert.equal((await idsIn(database)).length, 21)
    assert.equal(await store.syncCount(), before)
    const { rows } = await sql<Record<string, string>>`
      select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        current_setting('full_page_writes') as pages, current_setting('wal_sync_method') as method
    `.execute(database.db)
    assert.deepEqual(rows[0], { fsync: 'on', commit: 'on', pages: 'on', method: 'fsync' })
  })
})

test('openEmbeddedStore › between a write and its answer the operating system syncs a file', () => {
  // Writes f at each real fsync of any thread, and the program below writes c at each answer.
  const watch = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const sync = fs.fsyncSync
    fs.fsyncSync = (file) => { sync(file); fs.writeSync(1, 'f') }
    syncBuiltinESMExports()`
  const program = `
    import fs from 'node:fs'
    import { sql } from ${JSON.stringify(import.meta.resolve('kysely'))}
    import { openDatabase } from ${here('./database.ts')}
    import { openEmbeddedStore } from ${here('./embedded-store.ts')}
    const store = await openEmbeddedStore(${JSON.stringify(directory)}, () => undefined)
    const { db, close } = openDatabase(store.connection, ${JSON.stringify(LIMITS)}, () => undefined)
    await sql\`select 1\`.execute(db)
    fs.writeSync(1, 'begin ')
    for (let id = 1000; id < 1010; id += 1) {
      await sql\`insert into sample values (\${id}, 'x')\`.execute(db)
      fs.writeSync(1, 'c')
    }
    fs.writeSync(1, ' end')
    await close()
    await store.close()`
  const preload = `data:text/javascript,${encodeURIComponent(watch)}`
  const file = `${directory}.mjs`
  writeFileSync(file, program)
  const run = spawnSync(process.execPath, ['--import', preload, file], { encoding: 'utf8' })
  rmSync(file)
  const told = /begin (\w*) end/.exec(run.stdout)?.[1] ?? assert.fail(run.stderr)
  assert.match(told, /^(?:f+c){10}f*$/)
})

test('openEmbeddedStore › what was written is there after it was closed and opened', async () => {
  await withStore(directory, async (database) => {
    assert.equal((await idsIn(database)).length, 31)
    await insert(database, 100, 'ä🚂'.repeat(10_000))
  })
  await withStore(directory, async ({ db }) => {
    const row = await db
      .selectFrom('sample')
      .selectAll()
      .where('id', '=', 100)
      .executeTakeFirstOrThrow()
    assert.equal(row.text, 'ä🚂'.repeat(10_000))
  })
  assert.deepEqual(readdirSync(directory).toSorted(), ['lock', 'postgres'])
})

test('openEmbeddedStore › a directory that it cannot open is free again', async () => {
  const broken = join(directory, 'broken')
  mkdirSync(join(broken, 'postgres'), { recursive: true })
  cpSync(join(directory, 'postgres', 'PG_VERSION'), join(broken, 'postgres', 'PG_VERSION'))
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await assert.rejects(
      openEmbeddedStore(broken, () => assert.fail('a store that never was has died')),
      (error) => !(error instanceof DirectoryInUse),
    )
  }
})

test('openEmbeddedStore › DirectoryInUse while it is open, which it survives; many callers at once', async () => {
  await withStore(directory, async (database) => {
    await assert.rejects(openEmbeddedStore(directory, assert.fail), DirectoryInUse)
    await insert(database, 200)
    const { db } = database
    const asked = Array.from({ length: 300 }, async (_, at) => {
      const { rows } = await sql<{ n: number }>`select ${at}::int as n`.execute(db)
      return rows[0]?.n
    })
    assert.deepEqual(
      await Promise.all(asked),
      Array.from({ length: 300 }, (_, at) => at),
    )
  })
})

test('openEmbeddedStore › works in a directory whose path is longer than a socket’s may be', async () => {
  const deep = join(directory, 'a-folder-with-a-long-name'.repeat(3), 'ä'.repeat(60))
  mkdirSync(deep, { recursive: true })
  renameSync(join(directory, 'postgres'), join(deep, 'postgres'))
  let socket = ''
  await withStore(deep, async (database, { connection }) => {
    socket = join(connection.host ?? '', '.s.PGSQL.5432')
    assert.ok(existsSync(socket))
    assert.ok(Buffer.byteLength(socket) <= 107)
    await insert(database, 2000)
  })
  assert.ok(!existsSync(socket))
  await withStore(deep, async (database) => assert.equal((await idsIn(database)).at(-1), 2000))
})

/** The address of a file beside this one, as it is written in a program. */
function here(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href)
}
