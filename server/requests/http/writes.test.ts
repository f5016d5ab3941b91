import assert from 'node:assert/strict'
import { afterEach, before, test } from 'node:test'
import pino from 'pino'
import { sql } from 'kysely'
import { expectProblem, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'
import { VERSION } from '../../platform/version.ts'
import { newStoreGuard } from '../../store-guard.ts'

onStore((store) => {
  let world: World
  let check: () => Promise<void>
  before(async () => {
    world = await newWorld(newProduct(store()))
    const guard = newStoreGuard(store(), pino({ level: 'silent' }))
    world.services.guard = guard
    check = guard.check
  })
  afterEach(async () => {
    await sql`delete from schema_migration where name like '9999%'`.execute(store().db)
    await check()
  })

  const put = async (id: string): Promise<Response> =>
    await world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) })

  async function migrateFurther(
    writableBy: string | null = null,
    name = '9999_later.sql',
  ): Promise<void> {
    await sql`
      insert into schema_migration (name, checksum, writable_by)
      values (${name}, '', ${writableBy})
    `.execute(store().db)
  }

  test('503 schema_newer › for every write once a newer version has migrated the store; reads are answered', async () => {
    const id = uniqueId()
    await expectOk(put(id))
    await migrateFurther()
    await check()
    for (const [method, path, body] of [
      ['PUT', `/api/dataproducts/${id}`, odps(id, { name: 'New' })],
      ['DELETE', `/api/dataproducts/${id}`],
      ['POST', '/api/api-keys', { scope: 'organization', displayName: 'K' }],
    ] as const) {
      await expectOutdated(world.as('O', method, path, { body }), 'schema_newer')
    }
    for (const path of [`/api/dataproducts/${id}`, '/api/teams', '/api/events']) {
      await readText(world.as('O', 'GET', path))
    }
    await expectOutdated(world.call('GET', '/readyz'), 'schema_newer')
    await readText(world.call('GET', '/healthz'))
  })

  test('200 › for every write after newer migrations that let this version write, and ready', async () => {
    const id = uniqueId()
    await migrateFurther(VERSION)
    await migrateFurther('0.0.1', '9999_earlier.sql')
    await check()
    await expectOk(put(id))
    await expectOk(world.call('GET', '/readyz?for=writes'))
    await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${id}`))
  })

  test('503 schema_newer › with the first version that may write, if one of several migrations is later', async () => {
    await migrateFurther(VERSION)
    await migrateFurther('99.0.0-rc.1', '9999_more.sql')
    await check()
    const problem = await expectOutdated(put(uniqueId()), 'schema_newer')
    assert.match(problem.detail, /Start version 99\.0\.0-rc\.1 or newer\./)
    await expectOutdated(world.call('GET', '/readyz'), 'schema_newer')
    await migrateFurther(null, '9999_unnamed.sql')
    await check()
    const unnamed = await expectOutdated(put(uniqueId()), 'schema_newer')
    assert.match(unnamed.detail, /Start the new version\./)
  })

  test('503 schema_newer › at once for a statement that the new schema does not take', async () => {
    await migrateFurther()
    await sql`alter table data_product rename column domain to area`.execute(store().db)
    try {
      await expectOutdated(put(uniqueId()), 'schema_newer')
    } finally {
      await sql`alter table data_product rename column area to domain`.execute(store().db)
    }
  })

  test('500 › for a statement that fails on the schema of this version', async () => {
    await sql`alter table data_product rename column domain to area`.execute(store().db)
    try {
      await expectProblem(put(uniqueId()), 500)
    } finally {
      await sql`alter table data_product rename column area to domain`.execute(store().db)
    }
  })

  test('503 schema_older › after an older backup was restored under the process', async () => {
    const { rows } = await sql<{ name: string }>`
      delete from schema_migration
      where name = (select max(name) from schema_migration)
      returning name
    `.execute(store().db)
    await check()
    await expectOutdated(put(uniqueId()), 'schema_older')
    await sql`
      insert into schema_migration (name, checksum)
      values (${rows[0]?.name}, '')
    `.execute(store().db)
    await check()
    await expectOk(put(uniqueId()))
  })
})

async function expectOutdated(answer: Promise<Response>, code: string) {
  const response = await answer
  assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
  const problem = await expectProblem(response, 503)
  assert.equal(problem.code, code)
  return problem
}
