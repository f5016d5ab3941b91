import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { describeConnection } from '../formats/connection/connection.ts'
import { createInput, createModel, hostileText } from './connections.ts'
import { onStore } from './stores.ts'

// PostgreSQL truncates longer names.
const NAME_BYTES_MAX = 63

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

// Blanks around values of a server are not a part of them, and a dash at the start gives no statement.
const isUsable = (name: string): boolean =>
  Buffer.byteLength(name) <= NAME_BYTES_MAX && !name.startsWith('-') && name.trim() === name

onStore((store) => {
  test('a statement for PostgreSQL reads the table and the columns with hostile names', async () => {
    const { db } = store()
    const name = hostileText.filter(isUsable)
    const names = fc.uniqueArray(name, { minLength: 5, maxLength: 5 })
    for (const [schema = '', table = '', ...columns] of fc.sample(names, {
      numRuns: 25,
      seed: 5,
    })) {
      const model = createModel(quote(table), columns)
      const { statement } = describeConnection({ ...createInput('postgres', { schema }), model })
      if (statement === undefined) continue
      const list = columns.map((column) => `${quote(column)} integer`).join(', ')
      await sql.raw(`create schema if not exists ${quote(schema)}`).execute(db)
      const path = `${quote(schema)}.${quote(table)}`
      await sql.raw(`create table ${path} (${list})`).execute(db)
      await sql.raw(`insert into ${path} values (1, 2, 3)`).execute(db)
      const { rows } = await sql.raw<Record<string, number>>(statement).execute(db)
      assert.deepEqual(rows, [
        { [columns[0] ?? '']: 1, [columns[1] ?? '']: 2, [columns[2] ?? '']: 3 },
      ])
      await sql.raw(`drop schema ${quote(schema)} cascade`).execute(db)
    }
  })
})
