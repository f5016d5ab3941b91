import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { fill, getCounts, newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import {
  SourceFailure,
  type AssetPlace,
  type SourceSession,
  type TableProof,
} from '../../connectors/connector.ts'
import { decideHeld } from './correction-store.ts'
import { storeClock } from '../../platform/kit/clock.ts'
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

/** Answers for all tables but the first, which a view still shows. */
const answerLate = async (tables: readonly AssetPlace[]): Promise<TableProof[]> => {
  const proofs = await answerAll('gone')(tables)
  return [...proofs.slice(1), ...(await answerAll('late', 'It is shown.')(tables.slice(0, 1)))]
}

const fail = async (): Promise<TableProof[]> => {
  throw new SourceFailure('unreachable', 'It is away')
}

test('proofs › tables that are gone are proven, up to 50 one by one and more by 50 at random', async () => {
  const counts: number[] = []
  const tables = [...newTables('sales', 50), ...newTables('stock', 300)]
  const { reasons, hidden } = await findUnproven(tables, async (asked) => {
    counts.push(asked.length)
    return await answerAll('gone')(asked)
  })
  assert.deepEqual([reasons.size, hidden.size, counts], [0, 0, [50, 50]])
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
    const { reasons, hidden } = await findUnproven(tables, async (asked) => {
      const proofs = await answerAll('gone')(asked)
      return proofs.map((proof) =>
        proof.path.join('.') === 'shop.sales.table_3' ? { ...proof, presence } : proof,
      )
    })
    assert.deepEqual(
      [...reasons.keys()],
      newTables('sales', 5).map(({ path }) => path),
    )
    assert.match([...reasons.values()][0] ?? '', /shop\.sales\.table_3/)
    assert.deepEqual([...hidden], ['["shop","sales","table_3"]'])
  }
})

test('proofs › without an answer, up to 50 tables are held one by one, and more all together', async () => {
  assert.deepEqual(
    [...(await findUnproven(newTables('sales', 50), answerOne)).reasons.values()],
    ['Too early.'],
  )
  assert.equal((await findUnproven(newTables('sales', 51), answerOne)).reasons.size, 51)
})

test('proofs › what the source still shows is held without an end, and also the rest of a sample', async () => {
  for (const [count, heldCount] of [
    [3, 1],
    [50, 1],
    [51, 51],
  ] as const) {
    const { reasons, hidden } = await findUnproven(newTables('sales', count), answerLate)
    assert.deepEqual([reasons.size, hidden.size], [heldCount, heldCount])
    assert.deepEqual([...new Set(reasons.values())], ['It is shown.'])
  }
})

test('proofs › a source that fails, answers nothing or has too many scopes proves nothing', async () => {
  assert.deepEqual(
    [...(await findUnproven(newTables('sales', 2), fail)).reasons.values()],
    ['It is away.', 'It is away.'],
  )
  assert.equal((await findUnproven(newTables('sales', 2), async () => [])).reasons.size, 2)
  const many = Array.from({ length: 25 }, (_, at) => newTables(`schema_${at}`, 50)).flat()
  assert.equal((await findUnproven(many, answerAll('gone'))).reasons.size, 5 * 50)
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

/** The ways in which a source cannot be read, and their ends. */
const UNREAD: Readonly<
  Record<string, { begin(world: IngestionWorld): void; end(world: IngestionWorld): void }>
> = {
  'the time in which a database is denied': {
    begin: ({ source }) => void (source.closedDatabases = ['shop']),
    end: ({ source }) => void (source.closedDatabases = []),
  },
  'the time in which runs fail': {
    begin: ({ source }) => source.fail('scopes', 'protocol'),
    end: ({ source }) => source.heal(),
  },
  'the time in which everything is hidden': {
    begin({ source }) {
      source.hiddenPaths = [['shop']]
      source.deny('shop', 'sales')
    },
    end({ source }) {
      source.hiddenPaths = []
      source.deny('shop', 'sales', false)
    },
  },
}

/** Moves the past of an integration back. */
async function age({ engine, integrationId }: IngestionWorld, days: number): Promise<void> {
  const shift = sql`make_interval(days => ${days})`
  await sql`
    update missing_scope
    set missing_since = missing_since - ${shift}
    where integration_id = ${integrationId}
  `.execute(engine.db)
  await sql`
    update ingestion_run
    set started_at = started_at - ${shift}, completed_at = completed_at - ${shift}
    where integration_id = ${integrationId}
  `.execute(engine.db)
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

  test('a run › keeps what the source shows to exist or refuses until a person decides', async () => {
    for (const presence of ['present', 'refused'] as const) {
      const world = await newIngestionWorld(store())
      hideTables(world, async (tables) => {
        const proofs = await answerAll('gone')(tables)
        return proofs.map((proof) => (proof.path[2] === 'table_0' ? { ...proof, presence } : proof))
      })
      const [hidden, dropped] = fill(world, 'sales', 30)
      await world.run()
      assert.ok(hidden !== undefined && dropped !== undefined)
      world.source.drop(hidden)
      world.source.drop(dropped)
      const run = await world.run()
      assert.deepEqual(getCounts(run), [0, 0, 0, 2])
      assert.match(
        run.message ?? '',
        /2 deletes are held .*, until they are proven to be gone or a person decides\. .*table_0/,
      )
      await age(world, 15)
      // The source proves that the other one is gone.
      assert.deepEqual(getCounts(await world.run()), [0, 0, 1, 1])
      await age(world, 15)
      assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 1])
      assert.deepEqual(getCounts(await world.run({ forced: true })), [0, 0, 1, 0])
    }
  })

  for (const [name, { begin, end }] of Object.entries(UNREAD)) {
    test(`a run › ${name} does not count for the 14 days`, async () => {
      const world = await newIngestionWorld(store())
      // The same tables in another integration, whose records no statement may change.
      const other = await newIngestionWorld(store())
      for (const one of [world, other]) {
        hideTables(one, answerAll('unknown', 'It may be hidden.'))
        one.source.put(['other', 'public', 'stays'])
        fill(one, 'stock', 2)
        const [table] = fill(one, 'sales', 30)
        await one.run()
        one.source.drop(table ?? ['', '', ''])
        one.source.dropSchema('shop', 'stock')
        assert.deepEqual(getCounts(await one.run()), [0, 0, 0, 1])
        await age(one, 5)
        assert.deepEqual(getCounts(await one.run()), [0, 0, 0, 1])
      }
      for (let night = 0; night < 3; night += 1) {
        await age(world, 5)
        begin(world)
        assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 0])
        end(world)
      }
      await age(world, 5)
      const held = await world.run()
      assert.deepEqual([held.status, ...getCounts(held)], ['SUCCESS', 0, 0, 0, 1])
      // The records were not forgotten: 5 + 5 days, and now 5 more.
      await age(world, 5)
      assert.deepEqual(getCounts(await world.run()), [0, 0, 4, 0])
      await age(other, 8)
      assert.deepEqual(getCounts(await other.run()), [0, 0, 0, 1])
    })
  }
})
