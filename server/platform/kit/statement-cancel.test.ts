import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import { withStatementCancel } from './statement-cancel.ts'

onStore((store) => {
  async function sleepers(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count
      from pg_stat_activity
      where datname = current_database()
        and state = 'active'
        and query like 'select pg_sleep(%'
    `.execute(store().db)
    return rows[0]?.count ?? 0
  }

  test('an abort › cancels the running statement of a transaction, also on the server', async () => {
    const { db } = store()
    const ending = new AbortController()
    const working = db.transaction().execute((transaction) =>
      withStatementCancel(transaction, db, ending.signal, async () => {
        await sql`select pg_sleep(600)`.execute(transaction)
      }),
    )
    const failure = working.catch((error: unknown) => error)
    await eventually(5000, async () => (await sleepers()) === 1, 'the statement runs')
    const reason = new Error('cancelled by a person')
    ending.abort(reason)
    assert.equal(await failure, reason)
    await eventually(5000, async () => (await sleepers()) === 0, 'the statement ends')
  })

  test('an abort › rolls back the transaction after its last statement', async () => {
    const { db } = store()
    await sql`create table written (id int)`.execute(db)
    const ending = new AbortController()
    const working = db.transaction().execute((transaction) =>
      withStatementCancel(transaction, db, ending.signal, async () => {
        await sql`insert into written values (1)`.execute(transaction)
        ending.abort(new Error('too late to go on'))
      }),
    )
    await assert.rejects(working, /too late to go on/)
    const { rows } = await sql`select from written`.execute(db)
    assert.equal(rows.length, 0)
  })

  test('without an abort › completes the work and keeps the session usable', async () => {
    const { db } = store()
    const one = await db.transaction().execute((transaction) =>
      withStatementCancel(transaction, db, new AbortController().signal, async () => {
        const { rows } = await sql<{ one: number }>`select 1 as one`.execute(transaction)
        return rows[0]?.one
      }),
    )
    assert.equal(one, 1)
  })
})
