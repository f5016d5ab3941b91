/** Helpers for an operator's view: a place for the database, its rows, and the exit of a process. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Ended, ProductProcess } from './process.ts'
import { newLocalPlace, newStorePlace, withConnection, type StorePlace } from './stores.ts'

/** Calls `use` with an empty, migrated database and a data directory, and removes them. */
export async function onPlace(use: (place: StorePlace) => Promise<void>): Promise<void> {
  await lend(await newStorePlace(), use)
}

/** Calls `use` with an empty data directory for Portbook's own PostgreSQL, and removes it. */
export async function onLocalPlace(use: (place: StorePlace) => Promise<void>): Promise<void> {
  await lend(newLocalPlace(), use)
}

async function lend(place: StorePlace, use: (place: StorePlace) => Promise<void>): Promise<void> {
  try {
    await use(place)
  } finally {
    await place.remove()
  }
}

/** Checks that the process exited with 1 without listening, and that one line matches the reason. */
export function assertRefused(ended: Ended, reason: RegExp): void {
  assert.deepEqual([ended.code, ended.signal, ended.stdout], [1, null, ''], ended.stderr)
  const lines = ended.stderr.trimEnd().split('\n')
  const plain = lines.filter((line) => !line.startsWith('{'))
  assert.equal(plain.length, 1, ended.stderr)
  assert.match(plain[0] ?? '', /^portbook: /)
  assert.match(plain[0] ?? '', reason)
}

/**
 * Reads the settings of the key's organization: this proves that the product serves and that the key works.
 */
export async function readSettings(product: ProductProcess, key: string) {
  const headers = { 'x-api-key': key }
  const answer = await fetch(`${product.url}/api/organization/settings`, { headers })
  assert.equal(answer.status, 200)
  return (await answer.json()) as { name: string; host: string; caller: { scope: string } }
}

/** Runs statements on the database of a place, whether or not a process uses it. */
export async function query(
  place: StorePlace,
  statement: string,
): Promise<Record<string, unknown>[]> {
  return await withConnection(place, async (connection) => {
    const client = new Client(connection)
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  })
}

/** Counts the rows of each of some tables. */
export async function countRows(place: StorePlace, ...tables: string[]): Promise<number[]> {
  const each = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const [row = {}] = await query(place, `select ${each.join(', ')}`)
  return tables.map((table) => Number(row[table]))
}

/** Reads the process id of the PostgreSQL that runs in the data directory of a place; 0 = none. */
export function postmasterPid({ environment }: StorePlace): number {
  const directory = environment['PORTBOOK_DATA_DIR'] ?? ''
  const file = join(directory, 'postgres', 'cluster', 'postmaster.pid')
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || 0
  } catch {
    return 0
  }
}
