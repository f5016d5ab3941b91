/** The cases about tables that a complete listing does not show any more. */

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { FIRST, runFirst, type RunCase } from './run-cases.ts'
import type { RunWorld } from './run-world.ts'

/** The contents of the first run without the table `old`. */
const WITHOUT_OLD = {
  ...FIRST,
  sales: (FIRST['sales'] ?? []).filter(({ name }) => name !== 'old'),
}

async function hasTable({ world, platform }: RunWorld, table: string): Promise<boolean> {
  return (await world.assets()).has(platform.toPath('sales', table).join('.'))
}

async function passDays({ world }: RunWorld, days: number): Promise<void> {
  await sql`
    update missing_scope set missing_since = missing_since - make_interval(days => ${days})
    where integration_id = ${world.integrationId}
  `.execute(world.engine.db)
}

/** The cases by their names. */
export const HIDDEN_TABLE_CASES: Readonly<Record<string, RunCase>> = {
  'a table that the account may no longer see is kept': async (source) => {
    const { server } = source
    assert.ok(server.hide !== undefined)
    await runFirst(source)
    const before = await source.snapshot()
    server.hide('sales', 'orders')
    assert.deepEqual(await source.run(), ['SUCCESS', 0, 0, 0, 1])
    assert.deepEqual(await source.snapshot(), before)
    server.allow()
    assert.deepEqual(await source.run(), ['SUCCESS', 0, 0, 0, 0])
  },

  'a table that the source still shows or refuses is kept for any time': async (source) => {
    const { server } = source
    assert.ok(server.hide !== undefined)
    await runFirst(source)
    server.hide('sales', 'orders')
    assert.deepEqual(await source.run(), ['SUCCESS', 0, 0, 0, 1])
    await passDays(source, 15)
    assert.deepEqual(await source.run(), ['SUCCESS', 0, 0, 0, 1])
    assert.ok(await hasTable(source, 'orders'))
  },

  'a dropped table beside a hidden one is not deleted': async (source) => {
    const { server } = source
    assert.ok(server.hide !== undefined)
    await runFirst(source)
    server.setContents(WITHOUT_OLD)
    server.hide('sales', 'orders')
    assert.deepEqual(await source.run(), ['SUCCESS', 0, 0, 0, 2])
    server.allow()
    assert.deepEqual(await source.run(), ['SUCCESS', 0, 0, 1, 0])
  },

  'a table of which the source proves nothing is held for 14 days of complete listings': async (
    source,
  ) => {
    const { platform, proxy, server, world } = source
    assert.ok(platform.proofs !== undefined)
    await runFirst(source)
    server.setContents(WITHOUT_OLD)
    proxy.fail(platform.proofs, { status: 500 })
    const run = await world.run()
    assert.deepEqual([run.status, run.held_count], ['SUCCESS', 1])
    assert.match(run.message ?? '', /1 delete is held because .* at most until \d{4}-/)
    await passDays(source, 13)
    assert.deepEqual(await source.run(), ['SUCCESS', 0, 0, 0, 1])
    assert.ok(await hasTable(source, 'old'))
    await passDays(source, 2)
    assert.deepEqual(await source.run(), ['SUCCESS', 0, 0, 1, 0])
    assert.ok(!(await hasTable(source, 'old')))
  },

  'a table that is shown again begins another 14 days': async (source) => {
    const { platform, proxy, server } = source
    assert.ok(platform.proofs !== undefined)
    await runFirst(source)
    server.setContents(WITHOUT_OLD)
    proxy.fail(platform.proofs, { status: 500 })
    assert.deepEqual(await source.run(), ['SUCCESS', 0, 0, 0, 1])
    await passDays(source, 13)
    server.setContents(FIRST)
    proxy.heal()
    assert.equal((await source.run())[0], 'SUCCESS')
    server.setContents(WITHOUT_OLD)
    proxy.fail(platform.proofs, { status: 500 })
    assert.deepEqual(await source.run(), ['SUCCESS', 0, 0, 0, 1])
    await passDays(source, 2)
    assert.deepEqual(await source.run(), ['SUCCESS', 0, 0, 0, 1])
  },
}
