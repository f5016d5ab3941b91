import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fill, getCounts, newIngestionWorld, type IngestionWorld } from '../../test/ingestion.ts'
import { onStore } from '../../test/stores.ts'
import {
  SourceFailure,
  type AssetPlace,
  type SourceSession,
  type TableProof,
} from '../connectors/connector.ts'
import { decideHeld } from './correction-store.ts'
import { storeClock } from '../kit/clock.ts'
import { findUnproven } from './proving-service.ts'
import type { UnseenTable } from './unseen-store.ts'

function newTables(scope: string, count: number): UnseenTable[] {
  return Array.from({ length: count }, (_, at) => ({
    path: JSON.stringify(['shop', scope, `table_${at}`]),
    scope: JSON.stringify(['shop', scope]),
    kind: 'table',
  }))
}

const answerAll =
  (presence: TableProof['presence'], message?: string) =>
  async (tables: readonly AssetPlace[]): Promise<TableProof[]> =>
    tables.map(({ path }) => ({ path, presence, ...(message === undefined ? {} : { message }) }))

/** Answers for all tables but the first. */
const answerOne = async (tables: readonly AssetPlace[]): Promise<TableProof[]> => {
  const proofs = await answerAll('gone')(tables)
  return [...proofs.slice(1), ...(await answerAll('unknown', 'Too early.')(tables.slice(0, 1)))]
}

const fail = async (): Promise<TableProof[]> => {
  throw new SourceFailure('unreachable', 'It is away')
}

test('proofs › tables that are gone are proven, up to 50 one by one and more by 50 at random', async () => {
  const counts: number[] = []
  const tables = [...newTables('sales', 50), ...newTables('stock', 300)]
  const unproven = await findUnproven(tables, async (asked) => {
    counts.push(asked.length)
    return await answerAll('gone')(asked)
  })
  assert.deepEqual([unproven.size, counts], [0, [50, 50]])
})

test('proofs › different tables are asked for each time', async () => {
  const asked = new Set<string>()
  for (let run = 0; run < 20; run += 1) {
    await findUnproven(newTables('stock', 300), async (tables) => {
      for (const { path } of tables) asked.add(path.join('.'))
      return await answerAll('gone')(tables)
    })
  }
  assert.ok(asked.size > 200, String(asked.size))
})

test('proofs › one table that exists or is refused holds all of its scope, and no other scope', async () => {
  for (const presence of ['present', 'refused'] as const) {
    const tables = [...newTables('sales', 5), ...newTables('stock', 5)]
    const unproven = await findUnproven(tables, async (asked) => {
      const proofs = await answerAll('gone')(asked)
      return proofs.map((proof) =>
        proof.path.join('.') === 'shop.sales.table_3' ? { ...proof, presence } : proof,
      )
    })
    assert.deepEqual(
      [...unproven.keys()],
      newTables('sales', 5).map(({ path }) => path),
    )
    assert.match([...unproven.values()][0] ?? '', /shop\.sales\.table_3/)
  }
})

test('proofs › without an answer, up to 50 tables are held one by one, and more all together', async () => {
  assert.deepEqual(
    [...(await findUnproven(newTables('sales', 50), answerOne)).values()],
    ['Too early.'],
  )
  assert.equal((await findUnproven(newTables('sales', 51), answerOne)).size, 51)
})

test('proofs › a source that fails, answers nothing or has too many scopes proves nothing', async () => {
  assert.deepEqual(
    [...(await findUnproven(newTables('sales', 2), fail)).values()],
    ['It is away.', 'It is away.'],
  )
  assert.equal((await findUnproven(newTables('sales', 2), async () => [])).size, 2)
  const many = Array.from({ length: 25 }, (_, at) => newTables(`schema_${at}`, 50)).flat()
  assert.equal((await findUnproven(many, answerAll('gone'))).size, 5 * 50)
})

/** Lets the listing of the source hide tables; `prove` answers for them. */
function hideTables(world: IngestionWorld, prove: NonNullable<SourceSession['prove']>): void {
  const { connector } = world.source
  world.engine.connectors = new Map([
    [
      connector.source,
      {
        ...connector,
        description: { ...connector.description, hidesTables: true },
        open: async (setup) => ({ ...(await connector.open(setup)), prove }),
      },
    ],
  ])
}

onStore((store) => {
  test('a run › asks only for tables that are missing from complete scopes, and not for renamed ones', async () => {
    const world = await newIngestionWorld(store())
    const asked: string[] = []
    hideTables(world, async (tables) => {
      asked.push(...tables.map(({ path }) => path.join('.')))
      return await answerAll('gone')(tables)
    })
    const [first, second] = fill(world, 'sales', 30)
    fill(world, 'stock', 3)
    await world.run()
    assert.ok(first !== undefined && second !== undefined)
    world.source.drop(first)
    world.source.rename(second, ['shop', 'sales', 'renamed'])
    world.source.drop(['shop', 'stock', 'table_0'])
    world.source.deny('shop', 'stock')
    assert.deepEqual(getCounts(await world.run()), [0, 1, 1, 0])
    assert.deepEqual(asked, [first.join('.')])
  })

  test('a run › keeps held tables that a person keeps, also after 14 days, and deletes them when forced', async () => {
    const world = await newIngestionWorld(store())
    // The same tables in another integration, which no statement may change.
    const other = await newIngestionWorld(store())
    hideTables(world, answerAll('unknown', 'It may be hidden.'))
    hideTables(other, answerAll('unknown', 'It may be hidden.'))
    for (const one of [world, other]) {
      const [table] = fill(one, 'sales', 30)
      await one.run()
      one.source.drop(table ?? ['', '', ''])
      assert.deepEqual(getCounts(await one.run()), [0, 0, 0, 1])
    }
    const run = await world.run()
    assert.match(run.message ?? '', /It may be hidden\.$/)
    const { organizationId, integrationId } = world
    const held = { organizationId, integrationId, runId: run.id }
    const decision = { principal: 'test', requestId: '', at: storeClock.now }
    assert.ok(await decideHeld(store().db, held, 'rejected', decision))
    await store().pool.query(
      `update missing_scope set missing_since = missing_since - interval '15 days'
       where integration_id = '${integrationId}'`,
    )
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 1])
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 1])
    // Another missing table asks for a new decision about both.
    world.source.drop(['shop', 'sales', 'table_1'])
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 2])
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 2])
    assert.deepEqual(getCounts(await world.run({ forced: true })), [0, 0, 2, 0])
    assert.deepEqual(getCounts(await other.run()), [0, 0, 0, 1])
  })

  test('a run › counts only complete listings: a denied scope keeps the time of its missing tables', async () => {
    const world = await newIngestionWorld(store())
    hideTables(world, answerAll('unknown', 'It may be hidden.'))
    const [table] = fill(world, 'sales', 30)
    fill(world, 'stock', 3)
    await world.run()
    world.source.drop(table ?? ['', '', ''])
    await world.run()
    await store().pool.query(
      `update missing_scope set missing_since = missing_since - interval '15 days'
       where integration_id = '${world.integrationId}'`,
    )
    world.source.deny('shop', 'sales')
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 0])
    world.source.deny('shop', 'sales', false)
    assert.deepEqual(getCounts(await world.run()), [0, 0, 1, 0])
  })
})
