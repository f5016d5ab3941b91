import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { onStore } from '../../../test/stores.ts'
import { readShort } from './short-reads.ts'

onStore((store) => {
  const read = async (text: string): Promise<unknown> => {
    const rows = await readShort(
      store().db,
      sql<{ answer: unknown }>`
      select ${sql.raw(text)} as answer`,
    )
    return rows[0]?.answer
  }

  test('short reads of one turn › have separate results', async () => {
    const asked = Array.from({ length: 100 }, (_, index) => read(`${index}`))
    assert.deepEqual(
      await Promise.all(asked),
      asked.map((_, index) => index),
    )
  })

  test('short reads of one turn › fail separately', async () => {
    const [before, failed, after] = await Promise.allSettled([read('1'), read('1 / 0'), read('2')])
    assert.deepEqual(before, { status: 'fulfilled', value: 1 })
    assert.deepEqual(after, { status: 'fulfilled', value: 2 })
    assert.ok(failed.status === 'rejected')
    assert.match(String(failed.reason), /division by zero/)
  })

  test('short reads of one turn › share a connection', async () => {
    const asked = Array.from({ length: 8 }, () => read('pg_backend_pid()'))
    assert.equal(new Set(await Promise.all(asked)).size, 1)
  })

  test('a short read in a transaction › sees what the transaction wrote', async () => {
    await store()
      .db.transaction()
      .execute(async (transaction) => {
        await sql`create temporary table written (value integer) on commit drop`.execute(
          transaction,
        )
        await sql`insert into written values (7)`.execute(transaction)
        const rows = await readShort(
          transaction,
          sql<{ value: number }>`
          select value from written`,
        )
        assert.deepEqual(rows, [{ value: 7 }])
      })
  })
})
