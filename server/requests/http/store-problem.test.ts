import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { STORE_ERRORS } from '../../platform/kit/store-errors.ts'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { readLogLines, type LogLine } from '../../../test/log-lines.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'

// The server raises a code, not a class.
const MEMBERS: Record<string, string> = {
  '08': '08006',
  '53': '53000',
  '58': '58030',
  '40': '40002',
}

onStore((store) => {
  let world: World
  let lines: LogLine[]
  before(async () => {
    const { log, lines: logged } = readLogLines()
    lines = logged
    world = await newWorld(newProduct(store(), { log }))
    await sql`create table fault (code text, message text)`.execute(store().db)
    await sql`
      create function raise_fault() returns trigger language plpgsql as $$
      declare one fault;
      begin
        select * into one from fault;
        if found then raise exception using errcode = one.code, message = one.message; end if;
        return new;
      end $$`.execute(store().db)
    await sql`
      create trigger raise_fault before insert on team
      for each row execute function raise_fault()`.execute(store().db)
  })

  /** Sends a PUT while every insert of a team fails with a code, and returns its log lines. */
  async function putWhile(
    code: string,
    message: string,
    check: (answer: Response) => Promise<unknown>,
  ) {
    await sql`insert into fault values (${code}, ${message})`.execute(store().db)
    lines.splice(0)
    const id = uniqueId()
    await check(await world.as('O', 'PUT', `/api/teams/${id}`, { body: { id, name: id } }))
    const logged = lines.filter(({ level }) => level > 30)
    await sql`delete from fault`.execute(store().db)
    await expectOk(world.as('O', 'PUT', `/api/teams/${id}`, { body: { id, name: id } }))
    return logged
  }

  for (const rule of STORE_ERRORS) {
    const { answer: expected, level, setting, message = 'a fault of the test' } = rule
    const sqlStates = rule.codes
      .map((code) => MEMBERS[code] ?? code)
      .filter((code) => /\d/.test(code))
    for (const code of sqlStates) {
      test(`503 › ${expected} for ${code}, logged as ${level}, with the right /readyz; the next request works`, async () => {
        const logged = await putWhile(code, message, async (answer) => {
          assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
          const problem = await readJson<{ code: string }>(Promise.resolve(answer), 503)
          assert.equal(problem.code, expected)
          // A server that answers this question accepts writes, unless its disk is full.
          const state = await readJson<object>(world.call('GET', '/readyz'))
          const isFull = expected === 'store_full'
          assert.deepEqual(state, {
            status: 'ready',
            writable: !isFull,
            ...(isFull ? { reason: 'store_full' } : {}),
          })
        })
        assert.deepEqual(
          logged.map((line) => ({ level: line.level, code: line.code, setting: line.setting })),
          [{ level: level === 'error' ? 50 : 40, code, setting }],
        )
      })
    }
  }

  for (const code of ['22012', '25P02', '42501', '55000', 'XX000']) {
    test(`500 › internal for ${code}, which no rule names`, async () => {
      const logged = await putWhile(code, 'a fault of the test', (answer) =>
        expectProblem(Promise.resolve(answer), 500),
      )
      assert.deepEqual(
        logged.map((line) => [line.level, line.msg]),
        [[50, 'a request failed unexpectedly']],
      )
    })
  }
})
