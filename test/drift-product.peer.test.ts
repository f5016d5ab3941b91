/**
 * Changes of real tables, from the statement to the API: each run names each change exactly once, its reversal or the SQL that the
 * API writes resolves it, and `portbook verify` agrees.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { getField, isObject, type ObjectValue } from '../formats/text/value.ts'
import { listPromises } from '../formats/reality/promise.ts'
import { verifyReality } from './verified-reality.ts'
import type { DriftFinding } from '../server/reality/drift/drift.ts'
import type { RunRow } from '../server/ingestion/integrations/run.ts'
import { readJson } from './answers.ts'
import { chooseMutation, chooseTables, type ChangedTable } from './drift-changes.ts'
import { type DriftDatabase, newMariadbDatabase, newPostgresDatabase } from './drift-databases.ts'
import { dropKey } from './drift-statements.ts'
import { newIngestionWorld, type IngestionWorld } from './ingestion.ts'
import { onMariadb } from './mariadb.ts'
import { onEveryPostgres } from './postgres-source.ts'
import { newRandom } from './random.ts'
import { onStore } from './stores.ts'
import { expectOk, newProduct, newWorld, type World } from './world.ts'

const SEED = 20_261_130
const TABLES = 120
const CHANGES_MIN = 40
const KINDS_MIN = 15
// A type that no value of another can become, and a view, whose definition is elsewhere.
const NOT_WRITTEN = /cannot (?:be )?cast|Change its definition/
const DROPS_KEY_FIRST = /Drop the primary key that the table has first/

interface Product {
  database: DriftDatabase
  world: World
  ingestion: IngestionWorld
  tables: ChangedTable[]
}

function defineTests(open: () => Promise<DriftDatabase>): void {
  let database: DriftDatabase
  before(async () => {
    database = await open()
  })
  after(async () => database.end())

  onStore((store) => {
    const check = async (seed: number, t: TestContext): Promise<void> => {
      const world = await newWorld(newProduct(store()))
      const { organizationId } = world
      const ingestion = await newIngestionWorld(store(), { organizationId, real: database.source })
      ingestion.engine.offload = world.services.offload
      const random = newRandom(seed)
      const product = { database, world, ingestion, tables: chooseTables(database, random, TABLES) }
      const { tables } = product
      await database.clear()
      await database.create(tables.map(({ schema }) => schema))
      for (const { schema, text } of tables) await database.execute(schema, text)
      for (const { schema, document } of tables) {
        const body = { ...withoutTeam(document), id: schema }
        await expectOk(world.as('O', 'PUT', `/api/datacontracts/${schema}?owner=a`, { body }))
      }
      const original = await listFindings(await run(product), product)
      const actual = await database.read()
      for (const [at, one] of tables.entries()) {
        if (original.has(one.schema)) continue
        const mutation = chooseMutation(one, at, actual, database, random)
        if (mutation !== undefined) one.mutation = mutation
      }
      const changed = await executeAll(product, ({ mutation }) => mutation?.apply)
      const kinds = new Set(changed.map(({ mutation }) => mutation?.kind))
      t.diagnostic(`${changed.length} of ${tables.length} tables changed in ${kinds.size} ways`)
      assert.ok(changed.length >= CHANGES_MIN, `${changed.length} changes`)
      assert.ok(kinds.size >= KINDS_MIN, `${kinds.size} ways: ${[...kinds].join(', ')}`)

      await expectExpected(await run(product), product, original)
      await executeAll(product, ({ mutation }) => mutation?.revert)
      const reversal = await run(product)
      assert.deepEqual(await listFindings(reversal, product), original)
      await expectResolved(product, reversal)

      await executeAll(product, ({ mutation }) => mutation?.apply)
      await run(product)
      t.diagnostic(`${await repair(product)} tables repaired by the SQL of the API`)
      assert.deepEqual(await verifyReality(store().db), [])
    }

    test('each change is found once, and resolved by its reversal and by the SQL for the table', (t) =>
      check(SEED, t))
  })
}

// Teams of the example mesh are not in this organization.
function withoutTeam(document: ObjectValue): ObjectValue {
  const { team: _, info = null, customProperties = null, ...more } = document
  const custom = Array.isArray(customProperties) ? customProperties : []
  const others = custom.filter((one) => getField(one, 'property') !== 'owner')
  const { owner: __, ...described } = isObject(info) ? info : {}
  return {
    ...more,
    ...(custom.length > 0 && { customProperties: others }),
    ...(isObject(info) && { info: described }),
  }
}

async function run({ ingestion }: Product): Promise<RunRow> {
  const ended = await ingestion.run()
  assert.equal(ended.status, 'SUCCESS', String(ended.message))
  return ended
}

// Rejected statements change nothing: a check, a key that is too long.
async function executeAll(
  { database, tables }: Product,
  getStatements: (one: ChangedTable) => string | undefined,
): Promise<ChangedTable[]> {
  const executed: ChangedTable[] = []
  for (const one of tables) {
    const statements = getStatements(one)
    if (statements === undefined) continue
    try {
      await database.execute(one.schema, statements)
      executed.push(one)
    } catch {
      delete one.mutation
    }
  }
  return executed
}

/** Lists the open findings by contract, as `field aspect level`. */
async function listFindings(_: RunRow, { world }: Product): Promise<Map<string, string[]>> {
  const all = await listAll(world, 'open')
  const byContract = Map.groupBy(all, ({ dataContractId }) => dataContractId)
  return new Map([...byContract].map(([id, findings]) => [id, findings.map(toText).toSorted()]))
}

async function listAll(world: World, status: string): Promise<DriftFinding[]> {
  const all: DriftFinding[] = []
  for (let page = 0; ; page += 1) {
    const path = `/api/drift?status=${status}&p=${page}`
    const some = await readJson<DriftFinding[]>(world.as('Or', 'GET', path))
    all.push(...some)
    if (some.length === 0) return all
  }
}

function toText({ field, aspect, level }: DriftFinding): string {
  return `${field ?? ''} ${aspect} ${level}`
}

function toLines(findings: ReadonlyMap<string, string[]>): string[] {
  return [...findings].map(([id, texts]) => `${id}: ${texts.join(', ')}`).toSorted()
}

async function expectExpected(
  mutated: RunRow,
  product: Product,
  original: ReadonlyMap<string, string[]>,
): Promise<void> {
  const found = await listFindings(mutated, product)
  const expected = new Map(original)
  for (const { schema, mutation } of product.tables) {
    if (mutation !== undefined && mutation.expected.length > 0) {
      expected.set(schema, mutation.expected.toSorted())
    }
  }
  assert.deepEqual(toLines(found), toLines(expected))
  const open = await listAll(product.world, 'open')
  const others = open.filter(
    ({ dataContractId, firstRunId }) => !original.has(dataContractId) && firstRunId !== mutated.id,
  )
  assert.deepEqual(others, [])
}

async function expectResolved({ world, tables }: Product, reversal: RunRow): Promise<void> {
  const resolved = await listAll(world, 'resolved')
  const expected = tables.reduce((sum, { mutation }) => sum + (mutation?.expected.length ?? 0), 0)
  assert.equal(resolved.length, expected)
  assert.deepEqual(
    new Set(resolved.map(({ resolvedBecause }) => resolvedBecause)),
    new Set(['run']),
  )
  assert.ok(reversal.id.length > 0)
}

// Executes the statements that the API writes for each table that breaks its contract. Returns their number.
async function repair(product: Product): Promise<number> {
  const { world, database, tables } = product
  const broken = new Set<string>()
  for (const one of await listAll(world, 'open')) {
    if (one.level === 'breaking') broken.add(one.dataContractId)
  }
  const changed = tables.filter(
    ({ schema, mutation }) => mutation !== undefined && broken.has(schema),
  )
  const repaired: string[] = []
  const failures: string[] = []
  for (const { schema, read, mutation } of changed) {
    const model = encodeURIComponent(read.contract.models[0]?.name ?? '')
    const path = `/api/datacontracts/${schema}/drift/sql?server=production&model=${model}`
    const { sql, notes } = await readJson<{ sql: string; notes: { message: string }[] }>(
      world.as('Or', 'GET', path),
    )
    try {
      const remarks = notes.map(({ message }) => message).join(' ')
      if (sql === '') throw new Error(remarks)
      const table = listPromises(read)[0]?.path?.at(-1) ?? ''
      const { dialect } = database
      const first = DROPS_KEY_FIRST.test(remarks) ? `${dropKey({ dialect, table })};` : ''
      await database.execute(schema, `${first} ${sql}`)
      // The keys of the table name the renamed column, so that the added one is in none.
      if (mutation?.kind !== 'rename a column') repaired.push(schema)
    } catch (error) {
      const text = `${schema}: ${mutation?.kind}: ${sql} ${String(error)}`
      if (!NOT_WRITTEN.test(text)) failures.push(text)
    }
  }
  assert.deepEqual(failures, [])
  const left = await listFindings(await run(product), product)
  const unrepaired = repaired.flatMap((schema) =>
    (left.get(schema) ?? [])
      .filter((text) => text.endsWith(' breaking'))
      .map((text) => `${schema}: ${text}`),
  )
  assert.deepEqual(unrepaired, [])
  return repaired.length
}

describe('changes of tables, through the whole product', () => {
  onEveryPostgres((url) => defineTests(() => newPostgresDatabase(url())))
  onMariadb((server) => defineTests(() => newMariadbDatabase(server())))
})
