import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CompiledQuery } from 'kysely'
import { onStore } from '../../test/stores.ts'
import { readInBatches, type RunQuery } from './cursor.ts'

const BATCH_BYTES_MAX = 4 * 1024 * 1024
const LARGE_BYTES = 5_000_000

const total = (batch: readonly number[]): number => batch.reduce((sum, size) => sum + size, 0)

onStore((store) => {
  test('readInBatches › returns every row in order, at most 4 MB or one larger row at a time', async () => {
    const sizes: number[][] = []
    const read: number[] = []
    await store()
      .db.transaction()
      .execute(async (transaction) => {
        const run: RunQuery = async <Row extends object>(statement: string): Promise<Row[]> =>
          (await transaction.executeQuery<Row>(CompiledQuery.raw(statement))).rows
        const batches = readInBatches<{ number: number; text: string }>(run, {
          name: 'sized',
          select: 'number, text',
          from: `(
          select number, repeat('x', case when number % 400 = 0 then ${LARGE_BYTES} when number % 3 = 0 then 30000 else 10 end) as text
          from generate_series(1, 2500) as number
        ) as given`,
          order: 'number',
          bytes: 'octet_length(text)',
        })
        for await (const rows of batches) {
          sizes.push(rows.map(({ text }) => text.length))
          read.push(...rows.map(({ number }) => number))
        }
      })
    assert.deepEqual(
      read,
      Array.from({ length: 2500 }, (_, at) => at + 1),
    )
    for (const batch of sizes) {
      assert.ok(batch.length <= 500)
      assert.ok(total(batch) <= BATCH_BYTES_MAX || batch.length === 1, `${total(batch)} bytes`)
    }
    assert.equal(sizes.filter((batch) => total(batch) === LARGE_BYTES).length, 6)
    assert.ok(sizes.length < 40, 'small rows share batches')
  })
})
