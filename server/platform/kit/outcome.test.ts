import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql, type Kysely } from 'kysely'
import type { ClientConfig } from 'pg'
import { connectThrough, type BreakMoment, type StoreProxy } from '../../../test/store-proxy.ts'
import { onStore } from '../../../test/stores.ts'
import { openDatabase, type OpenDatabase } from './database.ts'
import { asOneRequest, hasChanged } from './request-wait.ts'
import { StoreUnavailable } from './store-errors.ts'

interface Tables {
  saved: { id: number }
}

const LIMITS = {
  connectionsMax: 1,
  connectTimeoutMs: 10_000,
  queryTimeoutMs: 10_000,
}

onStore((store) => {
  let proxy: StoreProxy
  let connection: ClientConfig
  let database: OpenDatabase<Tables>
  before(async () => {
    ;({ proxy, connection } = await connectThrough(store().connection))
    database = openDatabase<Tables>(connection, LIMITS, () => undefined)
    await sql`create table saved (id int primary key)`.execute(database.db)
  })
  after(async () => {
    await database.close()
    await proxy.close()
  })

  let nextId = 0
  const insert = async (db: Kysely<Tables>, id: number): Promise<void> => {
    await db.insertInto('saved').values({ id }).execute()
  }

  async function isSaved(id: number): Promise<boolean> {
    const row = await database.db
      .selectFrom('saved')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Runs work while the connection ends at a statement; returns its error and whether the request changed data. */
  async function failAt(
    pattern: RegExp,
    moment: BreakMoment,
    work: (id: number) => Promise<unknown>,
  ): Promise<{ id: number; error: StoreUnavailable; isChanged: boolean }> {
    nextId += 1
    const id = nextId
    const isBroken = proxy.breakAt(pattern, moment)
    return await asOneRequest(async () => {
      const error = await work(id).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof StoreUnavailable, String(error))
      assert.ok(isBroken(), 'the statement was sent')
      return { id, error, isChanged: hasChanged() }
    })
  }

  const countUnknown = (): number =>
    database.health.countFailures().get('outcome_unknown') ?? Number.NaN

  const inTransaction = (id: number): Promise<void> =>
    database.db.transaction().execute((transaction) => insert(transaction, id))

  for (const moment of ['before', 'after'] as const) {
    test(`a statement outside a transaction, cut off ${moment} it ran › the outcome is unknown`, async () => {
      const before = countUnknown()
      const { id, error, isChanged } = await failAt(/^insert into "saved"/, moment, (id) =>
        insert(database.db, id),
      )
      assert.equal(error.isOutcomeUnknown, true)
      assert.equal(isChanged, true)
      assert.equal(await isSaved(id), moment === 'after')
      assert.equal(countUnknown(), before + 1)
    })

    test(`a statement in a transaction, cut off ${moment} it ran › nothing was saved, and the error promises it`, async () => {
      const { id, error, isChanged } = await failAt(/^insert into "saved"/, moment, inTransaction)
      assert.equal(error.isOutcomeUnknown, false)
      assert.equal(isChanged, false)
      assert.equal(await isSaved(id), false)
    })

    test(`the commit of a change, cut off ${moment} it ran › the outcome is unknown`, async () => {
      const { id, error, isChanged } = await failAt(/^commit$/, moment, inTransaction)
      assert.equal(error.isOutcomeUnknown, true)
      assert.equal(isChanged, true)
      assert.equal(await isSaved(id), moment === 'after')
    })

    test(`the commit of a transaction that only read, cut off ${moment} it ran › nothing is unknown`, async () => {
      const { error, isChanged } = await failAt(/^commit$/, moment, () =>
        database.db
          .transaction()
          .execute((transaction) => transaction.selectFrom('saved').selectAll().execute()),
      )
      assert.equal(error.isOutcomeUnknown, false)
      assert.equal(isChanged, false)
    })

    test(`a read, cut off ${moment} it ran › nothing is unknown`, async () => {
      const { error, isChanged } = await failAt(/^select "id" from "saved"/, moment, isSaved)
      assert.equal(error.isOutcomeUnknown, false)
      assert.equal(isChanged, false)
    })
  }

  test('a committed change counts for the whole request, also after later failures', async () => {
    const { error, isChanged } = await failAt(/^select "id" from "saved"/, 'before', async (id) => {
      await inTransaction(id)
      await isSaved(id)
    })
    assert.equal(error.isOutcomeUnknown, false)
    assert.equal(isChanged, true)
  })

  test('a change that the server rolls back has a known outcome', async () => {
    await sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'full' using errcode = '53100'; end $$`.execute(database.db)
    await sql`create constraint trigger refuse after insert on saved deferrable initially deferred
      for each row execute function refuse()`.execute(database.db)
    await asOneRequest(async () => {
      for (const work of [() => insert(database.db, 900), () => inTransaction(901)]) {
        await assert.rejects(work(), (error) => {
          assert.ok(error instanceof StoreUnavailable)
          assert.equal(error.rule.answer, 'store_full')
          return !error.isOutcomeUnknown
        })
      }
      assert.equal(hasChanged(), false)
    })
    await sql`drop trigger refuse on saved`.execute(database.db)
  })
})
