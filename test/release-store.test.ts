import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { fillReleaseStore } from './release-store.ts'
import { onStore } from './stores.ts'

onStore((store) => {
  test('fixture of a release › has a row in every table, and fails for a table without one', async () => {
    await sql`create table later (x int)`.execute(store().db)
    await assert.rejects(fillReleaseStore(store()), {
      message:
        'the fixture of a release needs a row in later: add it to test/full-store.ts or test/release-store.ts',
    })
  })
})
