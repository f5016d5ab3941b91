import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newRecord, newTable } from './table.ts'

const PROTOTYPE_NAMES = Object.getOwnPropertyNames(Object.prototype)

describe('tables that are looked up by names from outside', () => {
  test('find what they contain, and nothing of Object.prototype', () => {
    const table = newTable<string>({ TABLE: 'table' })
    assert.equal(table['TABLE'], 'table')
    for (const name of PROTOTYPE_NAMES) assert.equal(table[name], undefined)
  })

  test('are constant', () => {
    const table: Record<string, string> = newTable<string>({ a: 'b' })
    assert.throws(() => (table['a'] = 'c'), TypeError)
  })

  test('records take every name as an ordinary one', () => {
    const record = newRecord<number>()
    for (const [index, name] of PROTOTYPE_NAMES.entries()) record[name] = index
    assert.deepEqual(Object.keys(record), PROTOTYPE_NAMES)
    assert.equal(Object.getPrototypeOf(record), null)
  })
})
