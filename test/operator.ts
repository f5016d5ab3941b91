/** What an operator has at hand: a place for the store, its rows, and the exit of a process. */

import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { Client } from 'pg'
import { openEmbeddedStore } from '../server/kit/embedded-store.ts'
import type { Ended, ProductProcess } from './process.ts'
import { newStorePlace, type StoreKind, type StorePlace } from './stores.ts'

/**
 * Defines tests of whole processes once for every kind of store. The two kinds are tested beside each
 * other, for most of the time a process is waited for.
 */
export function onEveryKind(define: (kind: StoreKind) => void): void {
  describe('with a store of its own', { concurrency: 2 }, () => {
    for (const kind of ['postgres', 'embedded'] as const) {
      describe(`on ${kind}`, { concurrency: 1 }, () => define(kind))
    }
  })
}

/** Lends a store of its own to `use`, and removes it. */
export async function onPlace(
  kind: StoreKind,
  use: (place: StorePlace) => Promise<void>,
): Promise<void> {
  const place = await newStorePlace(kind)
  try {
    await use(place)
  } finally {
    await place.remove()
  }
}

/** It ended with 1, never said that it listens, and gave one line that matches as the reason. */
export function assertRefused(ended: Ended, reason: RegExp): void {
  assert.deepEqual([ended.code, ended.signal, ended.stdout], [1, null, ''], ended.stderr)
  const lines = ended.stderr.trimEnd().split('\n')
  const plain = lines.filter((line) => !line.startsWith('{'))
  assert.equal(plain.length, 1, ended.stderr)
  assert.match(plain[0] ?? '', /^portbook: /)
  assert.match(plain[0] ?? '', reason)
}

/** Asks who the key's owner is: proof that the product serves and that the key works. */
export async function settingsOf(product: ProductProcess, key: string) {
  const headers = { 'x-api-key': key }
  const answer = await fetch(`${product.url}/api/organization/settings`, { headers })
  assert.equal(answer.status, 200)
  return (await answer.json()) as { name: string; caller: { scope: string } }
}

/** Runs statements on a store that no process has open (PostgreSQL: also on one that has). */
export async function query(
  place: StorePlace,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const directory = place.environment['PORTBOOK_DATA_DIR'] ?? ''
  const embedded =
    place.kind === 'embedded'
      ? await openEmbeddedStore(directory, (error) => {
          throw error
        })
      : undefined
  const client = new Client(
    embedded?.connection ?? { connectionString: place.environment['DATABASE_URL'] },
  )
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
    await embedded?.close()
  }
}

/** Counts the rows of each of some tables. */
export async function countRows(place: StorePlace, ...tables: string[]): Promise<number[]> {
  const each = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const [row = {}] = await query(place, `select ${each.join(', ')}`)
  return tables.map((table) => Number(row[table]))
}
