import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import { readLogLines, type LogLine } from '../../../test/log-lines.ts'
import { onStore, setReadOnly } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import { newStoreGuard } from '../../store-guard.ts'

onStore((store) => {
  let world: World
  let lines: LogLine[]
  let check: () => Promise<void>
  before(async () => {
    const { log, lines: logged } = readLogLines()
    lines = logged
    world = await newWorld(newProduct(store(), { log }))
    const guard = newStoreGuard(store(), log)
    world.services.guard = guard
    check = guard.check
  })
  beforeEach(() => lines.splice(0))

  const put = (id = uniqueId()): Promise<Response> =>
    world.as('O', 'PUT', `/api/teams/${id}`, { body: { id, name: id } })
  const ready = (query = ''): Promise<Response> => world.call('GET', `/readyz${query}`)
  const states = (): string[] =>
    lines.map(({ msg = '' }) => msg).filter((msg) => msg.startsWith('the database accepts'))

  async function readMetric(): Promise<string | undefined> {
    const headers = { authorization: 'Bearer metrics-token-of-the-tests' }
    const text = await readText(world.call('GET', '/metrics', { headers }))
    return /^portbook_store_writable (\d)$/m.exec(text)?.[1]
  }

  test('GET /readyz › 200 and writable on a database that accepts writes', async () => {
    await check()
    assert.deepEqual(await readJson(ready()), { status: 'ready', writable: true })
    assert.deepEqual(await readJson(ready('?for=writes')), { status: 'ready', writable: true })
    assert.equal(await readMetric(), '1')
    assert.deepEqual(states(), [])
  })

  test('GET /readyz › 400 for any other purpose', async () => {
    const problem = await expectProblem(ready('?for=reads'), 400)
    assert.equal(problem.code, 'query_invalid')
  })

  test('a read-only database › writes 503, reads 200, /readyz 200 with the reason, one log line, and it heals', async () => {
    await setReadOnly(store(), true)
    try {
      await eventually(5000, async () => (await put()).status === 503, 'writes end')
      await expectUnready(put(), 'store_read_only')
      await readText(world.as('O', 'GET', '/api/teams'))
      for (let checks = 0; checks < 3; checks += 1) await check()
      const state = { status: 'ready', writable: false, reason: 'store_read_only' }
      assert.deepEqual(await readJson(ready()), state)
      await expectUnready(ready('?for=writes'), 'store_read_only')
      assert.equal(await readMetric(), '0')
      assert.ok(world.services.guard.isPaused(), 'background work waits')
      assert.deepEqual(states(), ['the database accepts no writes; reads are answered'])
    } finally {
      await setReadOnly(store(), false)
    }
    await eventually(5000, async () => (await put()).status === 200, 'writes are accepted again')
    for (let checks = 0; checks < 3; checks += 1) await check()
    assert.deepEqual(await readJson(ready()), { status: 'ready', writable: true })
    assert.equal(await readMetric(), '1')
    assert.ok(!world.services.guard.isPaused())
    assert.equal(states().at(-1), 'the database accepts writes again')
    assert.equal(states().length, 2)
  })

  test('a full disk › /readyz reports it until a change is saved', async () => {
    await sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'full' using errcode = '53100'; end $$`.execute(store().db)
    await sql`create trigger refuse before insert on team
      for each row execute function refuse()`.execute(store().db)
    await expectUnready(put(), 'store_full')
    const state = { status: 'ready', writable: false, reason: 'store_full' }
    assert.deepEqual(await readJson(ready()), state)
    await expectUnready(ready('?for=writes'), 'store_full')
    await readText(world.as('O', 'GET', '/api/teams'))
    await sql`drop function refuse cascade`.execute(store().db)
    await expectOk(put())
    assert.deepEqual(await readJson(ready()), { status: 'ready', writable: true })
  })
})

async function expectUnready(answer: Promise<Response>, code: string): Promise<void> {
  const response = await answer
  assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await expectProblem(response, 503)).code, code)
}
