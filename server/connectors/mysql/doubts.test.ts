import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSetup } from '../../../test/source-reading.ts'
import {
  SourceFailure,
  type ScopeOutcome,
  type SourceAsset,
  type UnreadableAsset,
} from '../connector.ts'
import { readSetup } from './configuration.ts'
import type { Cell, MysqlConnection, Row } from './connection.ts'
import { readFlavour } from './flavour.ts'
import { readDatabases } from './reading.ts'
import { ROW_KINDS } from './statements.ts'

// A server with more incomplete tables than are held in memory.

const SETUP = readSetup(
  newSetup({ configuration: { host: 'db.example', user: 'portbook' }, secrets: {} }),
)

/** Returns the rows of a database whose doubtful tables have no columns. */
function newRows(database: string, tables: readonly string[], doubtful: readonly string[]): Row[] {
  const toRow = (table: string, kind: number, facts: readonly Cell[] = []): Row => [
    database,
    table,
    kind,
    0,
    ...facts,
  ]
  return [
    toRow('', ROW_KINDS.database),
    ...tables.flatMap((table) => [
      toRow(table, ROW_KINDS.table, ['BASE TABLE', 'c'.repeat(10), 'InnoDB']),
      ...(doubtful.includes(table)
        ? []
        : [toRow(table, ROW_KINDS.column, ['id', 'int', 'NO', null, '', '', ''])]),
      toRow(table, ROW_KINDS.storage, [null, null, '1', '1', null]),
    ]),
  ]
}

interface Reading {
  assets: SourceAsset[]
  unreadable: UnreadableAsset[]
  outcomes: ScopeOutcome[]
  /** The tables whose condition was asked for. */
  asked: string[]
}

/** Reads databases of a server whose doubtful tables are locked. */
async function read(
  databases: Readonly<Record<string, Row[]>>,
  limits: Parameters<typeof readDatabases>[4],
): Promise<Reading> {
  const reading: Reading = { assets: [], unreadable: [], outcomes: [], asked: [] }
  const connection: MysqlConnection = {
    flavour: readFlavour('8.4.0'),
    isUsable: true,
    async query({ name, values = [] }) {
      if (name.startsWith('sight of')) throw Object.assign(new Error('no table'), { errno: 1146 })
      if (!name.startsWith('tables in doubt')) return []
      reading.asked.push(...values.slice(1))
      return values.slice(1).map((table): Row => [table, 'Lock wait timeout exceeded', null])
    },
    async *stream() {
      yield* Object.values(databases)
    },
    failure: (error) => new SourceFailure('protocol', 'failed', { cause: error }),
    close: async () => undefined,
  }
  const names = Object.keys(databases)
  for await (const batch of readDatabases(connection, SETUP, names, () => true, limits)) {
    reading.assets.push(...batch.assets)
    reading.unreadable.push(...(batch.unreadable ?? []))
    reading.outcomes.push(...(batch.outcomes ?? []))
  }
  return reading
}

const toNames = (assets: readonly { path: readonly string[] }[]): string[] =>
  assets.map(({ path }) => path.join('.'))

test('readDatabases › keeps doubtful tables above the limit unchanged, and reads all others', async () => {
  const doubtful = ['b', 'c', 'd', 'f']
  const databases = {
    sales: newRows('sales', ['a', ...doubtful, 'g'], doubtful),
    stock: newRows('stock', ['a'], []),
  }
  const all = await read(databases, undefined)
  assert.deepEqual(all.asked, doubtful)
  const few = await read(databases, { tablesMax: 2, charactersMax: 1000 })
  assert.deepEqual(few.asked, ['b', 'c'])
  for (const { assets, unreadable, outcomes } of [all, few]) {
    assert.deepEqual(toNames(assets), ['sales', 'sales.a', 'sales.g', 'stock', 'stock.a'])
    assert.deepEqual(
      toNames(unreadable).toSorted(),
      doubtful.map((name) => `sales.${name}`),
    )
    assert.deepEqual(outcomes, [{ path: ['sales'] }, { path: ['stock'] }])
  }
  const messages = new Map(
    few.unreadable.map(({ path: [, name = ''], message }) => [name, message]),
  )
  assert.match(messages.get('f') ?? '', /More than 2 tables are like this/)
  assert.doesNotMatch(messages.get('b') ?? '', /More than/)
})

test('readDatabases › limits the texts of doubtful tables', async () => {
  const doubtful = ['b', 'c', 'd']
  const databases = { sales: newRows('sales', doubtful, doubtful) }
  const { asked, unreadable } = await read(databases, { tablesMax: 100, charactersMax: 60 })
  assert.ok(asked.length > 0 && asked.length < doubtful.length, asked.join())
  assert.equal(unreadable.length, doubtful.length)
})
