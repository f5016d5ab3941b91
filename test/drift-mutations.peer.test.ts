/** Changes of tables by statements on real PostgreSQL and MariaDB: each is found once, and resolved by its reversal. */

import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { chooseMutation, chooseTables, type ChangedTable } from './drift-changes.ts'
import { type DriftDatabase, newMariadbDatabase, newPostgresDatabase } from './drift-databases.ts'
import { listDrift } from './drift-tables.ts'
import { onMariadb } from './mariadb.ts'
import { onEveryPostgres } from './postgres-source.ts'
import { newRandom } from './random.ts'

// Together at least 500 changes on each database.
const SEEDS = [20_261_129, 20_261_130]
const CHANGES_MIN = 250

type Tables = Awaited<ReturnType<DriftDatabase['read']>>

function compare(one: ChangedTable, tables: Tables, expected: readonly string[]): string[] {
  const drift = listDrift(one.read, tables)
  const isSame = drift.toSorted().join('\n') === expected.toSorted().join('\n')
  const { apply } = one.mutation ?? {}
  return isSame
    ? []
    : [`${one.schema} ${apply}: ${drift.join(', ')} instead of ${expected.join(', ')}`]
}

function defineTests(open: () => Promise<DriftDatabase>): void {
  let database: DriftDatabase
  before(async () => {
    database = await open()
  })
  after(async () => database.end())

  const execute = async (one: ChangedTable, statements: string): Promise<void> => {
    await database.execute(one.schema, statements).catch((error: unknown) => {
      one.rejection = String(error)
    })
  }

  const check = async (seed: number, t: TestContext): Promise<void> => {
    const random = newRandom(seed)
    const tables = chooseTables(database, random)
    await database.clear()
    await database.create(tables.map(({ schema }) => schema))
    for (const { schema, text } of tables) await database.execute(schema, text)

    const original = await database.read()
    for (const [at, one] of tables.entries()) {
      const mutation = chooseMutation(one, at, original, database, random)
      if (mutation === undefined) continue
      one.mutation = mutation
      await execute(one, mutation.apply)
    }
    const mutated = tables.filter(({ mutation }) => mutation !== undefined)
    const changed = mutated.filter(({ rejection }) => rejection === undefined)
    const kinds = Map.groupBy(changed, ({ mutation }) => mutation?.kind)
    const rejected = mutated.filter(({ rejection }) => rejection !== undefined)
    t.diagnostic(`${changed.length} of ${tables.length} tables changed in ${kinds.size} ways`)
    t.diagnostic([...new Set(rejected.map(({ rejection }) => rejection))].slice(0, 10).join('\n'))

    const now = await database.read()
    assert.deepEqual(
      changed.flatMap((one) => compare(one, now, one.mutation?.expected ?? [])),
      [],
    )
    for (const one of changed) await execute(one, one.mutation?.revert ?? '')
    const reverted = await database.read()
    assert.deepEqual(
      changed.flatMap((one) => [one.rejection ?? [], compare(one, reverted, [])].flat()),
      [],
    )
    assert.ok(changed.length >= CHANGES_MIN, `${changed.length} changes`)
    assert.ok(kinds.size >= 20, `${kinds.size} ways: ${[...kinds.keys()].join(', ')}`)
  }

  for (const seed of SEEDS) {
    test(`each of 250 changes is found once, and resolved by its reversal (${seed})`, (t) =>
      check(seed, t))
  }
}

describe('changes of tables', () => {
  onEveryPostgres((url) => defineTests(() => newPostgresDatabase(url())))
  onMariadb((server) => defineTests(() => newMariadbDatabase(server())))
})
