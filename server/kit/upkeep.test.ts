import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../test/eventually.ts'
import { onEveryStore } from '../../test/stores.ts'
import { tidy } from './upkeep.ts'

onEveryStore((store, kind) => {
  test('tidy › analyzes a table that changed much, once', async () => {
    // A PostgreSQL server does this itself.
    if (kind === 'postgres') return
    const { db } = store()
    await sql`create table "Much ""changed" (id integer primary key)`.execute(db)
    await sql`create table hardly_changed (id integer primary key)`.execute(db)
    await sql`insert into "Much ""changed" select generate_series(1, 1000)`.execute(db)
    await sql`insert into hardly_changed select generate_series(1, 10)`.execute(db)
    // The store counts changes a little late.
    const tidied = await eventuallyTidied(async () => await tidy(db))
    assert.deepEqual(tidied, ['Much "changed'])
    const { rows } = await sql<{ pages: number; rows: number }>`
      select reltuples::integer as rows from pg_class where relname = 'Much "changed'
    `.execute(db)
    assert.deepEqual(rows, [{ rows: 1000 }])
    assert.deepEqual(await tidy(db), [])
  })
})

async function eventuallyTidied(work: () => Promise<string[]>): Promise<string[]> {
  let tidied: string[] = []
  await eventually(
    5000,
    async () => {
      tidied = await work()
      return tidied.length > 0
    },
    'the table is tidied',
  )
  return tidied
}
