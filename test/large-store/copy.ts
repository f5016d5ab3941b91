/** Writes rows into tables with COPY. */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** The columns of a row by name; all rows of a table have the same ones. */
export type CopiedRow = Readonly<Record<string, unknown>>

/** Copies rows into a table. The rows are made while earlier ones are sent, so that memory stays flat. */
export async function copyRows(
  client: Client,
  table: string,
  rows: Iterable<CopiedRow>,
): Promise<void> {
  const iterator = rows[Symbol.iterator]()
  const first = iterator.next()
  if (first.done === true) return
  const columns = Object.keys(first.value)
  const lines = function* (): Generator<string> {
    let next: IteratorResult<CopiedRow> = first
    for (; next.done !== true; next = iterator.next()) {
      const row = next.value
      yield `${columns.map((column) => toField(row[column])).join('\t')}\n`
    }
  }
  const target = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`))
  await pipeline(Readable.from(lines()), target)
}

function toField(value: unknown): string {
  return value === null || value === undefined ? '\\N' : escapeField(toText(value))
}

function toText(value: unknown): string {
  if (Array.isArray(value)) {
    const elements = value.map((one) => `"${String(one).replaceAll(/["\\]/g, '\\$&')}"`)
    return `{${elements.join(',')}}`
  }
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
])

function escapeField(text: string): string {
  return text.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES.get(character) ?? character)
}
