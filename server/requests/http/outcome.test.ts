import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readText } from '../../../test/answers.ts'
import { connectThrough, type BreakMoment, type StoreProxy } from '../../../test/store-proxy.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import { openDatabase } from '../../platform/kit/database.ts'
import type { Store } from '../../store.ts'
import type { Tables } from '../../platform/tables.ts'

const LIMITS = {
  connectionsMax: 4,
  connectTimeoutMs: 10_000,
  queryTimeoutMs: 10_000,
}

onStore((store) => {
  let proxy: StoreProxy
  let through: Store
  let world: World
  before(async () => {
    const opened = await connectThrough(store().connection)
    proxy = opened.proxy
    const database = openDatabase<Tables>(opened.connection, LIMITS, () => undefined)
    through = { ...database, connection: opened.connection, isDiskFull: () => false }
    world = await newWorld(newProduct(through))
    await sql`create sequence conflicts`.execute(store().db)
    await sql`
      create table conflict (remaining int not null, code text not null)`.execute(store().db)
    // A sequence is not rolled back, so that the trigger can count the attempts of a transaction.
    await sql`
      create function raise_conflict() returns trigger language plpgsql as $$
      declare one conflict;
      begin
        select * into one from conflict;
        if found and nextval('conflicts') <= one.remaining then
          raise exception using errcode = one.code, message = 'a conflict of the test';
        end if;
        return new;
      end $$`.execute(store().db)
    await sql`create trigger raise_conflict before insert on team
      for each row execute function raise_conflict()`.execute(store().db)
  })
  after(async () => {
    await through.close()
    await proxy.close()
  })
  beforeEach(async () => {
    await sql`delete from conflict`.execute(store().db)
    await sql`alter sequence conflicts restart`.execute(store().db)
  })

  const put = (id: string): Promise<Response> =>
    world.as('O', 'PUT', `/api/teams/${id}`, { body: { id, name: id } })

  async function isSaved(id: string): Promise<boolean> {
    const { rows } = await sql`select from team where external_id = ${id}`.execute(store().db)
    return rows.length > 0
  }

  /** Finds the statement that saves a team: the last one that changes anything, or the commit. */
  async function findLastStatement(): Promise<RegExp> {
    await readText(world.as('O', 'GET', '/api/teams'))
    proxy.takeTexts()
    await expectOk(put(uniqueId()))
    const texts = proxy.takeTexts()
    const last = texts.findLast((text) => text === 'commit' || /\binsert into\b/.test(text)) ?? ''
    return new RegExp(`^${RegExp.escape(last)}$`)
  }

  for (const moment of ['before', 'after'] as const) {
    test(`503 outcome_unknown › the connection of a PUT ends ${moment} its last statement; the same PUT is then 200`, async () => {
      const id = uniqueId()
      const isBroken = proxy.breakAt(await findLastStatement(), moment)
      await expectCode(put(id), 'outcome_unknown')
      assert.ok(isBroken())
      assert.equal(await isSaved(id), moment === 'after')
      await expectOk(put(id))
      assert.ok(await isSaved(id))
    })

    test(`200 › the connection of a GET ends ${moment} its statement: it is repeated`, async () => {
      await expectOk(put('fixed'))
      await readText(world.as('O', 'GET', '/api/teams/fixed'))
      const isBroken = proxy.breakAt(/from "?team"?/, moment)
      await readText(world.as('O', 'GET', '/api/teams/fixed'))
      assert.ok(isBroken())
    })

    test(`200 › the connection ends ${moment} the look-up of the key, also of a PUT`, async () => {
      const isBroken = proxy.breakAt(/from api_key/, moment)
      world.services.authenticator.forget()
      await expectOk(put(uniqueId()))
      assert.ok(isBroken())
    })
  }

  test('503 store_unavailable › a PUT whose connection ends before it changes anything: nothing is saved', async () => {
    const id = uniqueId()
    await expectOk(put(id))
    proxy.takeTexts()
    await expectOk(put(id))
    const [read = ''] = proxy.takeTexts().filter((text) => !text.includes('api_key'))
    const other = uniqueId()
    const isBroken = proxy.breakAt(new RegExp(`^${RegExp.escape(read)}$`), 'before')
    await expectCode(put(other), 'store_unavailable')
    assert.ok(isBroken())
    assert.equal(await isSaved(other), false)
  })

  for (const code of ['40001', '40P01']) {
    test(`200 › a transaction that conflicts three times (${code}) is repeated as often`, async () => {
      const id = uniqueId()
      await sql`insert into conflict values (3, ${code})`.execute(store().db)
      await expectOk(put(id))
      assert.ok(await isSaved(id))
    })

    test(`503 store_unavailable › a transaction that conflicts four times (${code})`, async () => {
      const id = uniqueId()
      await sql`insert into conflict values (4, ${code})`.execute(store().db)
      await expectCode(put(id), 'store_unavailable')
      assert.equal(await isSaved(id), false)
    })
  }

  test('503 outcome_unknown › any failure after the first commit of a request; it is not repeated', async () => {
    const first = uniqueId()
    let runs = 0
    const { services } = world
    const { serialize } = services
    // The request saves something before its document, as those with several transactions do.
    services.serialize = async (key, work, width) => {
      runs += 1
      await sql`insert into principal_probe values (${first})`.execute(services.db)
      return await serialize(key, work, width)
    }
    await sql`create table principal_probe (id text)`.execute(store().db)
    try {
      await sql`insert into conflict values (1, '40001')`.execute(store().db)
      await expectCode(put(uniqueId()), 'outcome_unknown')
      assert.equal(runs, 1)
      proxy.breakAt(/from "?team"?|insert into "?team"?/, 'before' satisfies BreakMoment)
      await expectCode(put(uniqueId()), 'outcome_unknown')
      assert.equal(runs, 2)
    } finally {
      services.serialize = serialize
      await sql`drop table principal_probe`.execute(store().db)
    }
  })
})

async function expectCode(answer: Promise<Response>, code: string): Promise<void> {
  const response = await answer
  assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
  const problem = await expectProblem(response, 503)
  assert.equal(problem.code, code, problem.detail)
}
