import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isHeldByGuard, type DeleteExtent } from './change.ts'

/** Deletes of tables in several scopes, none of which is lost completely. */
function tables(deletedTables: number, liveTables: number): DeleteExtent {
  const containers = 2
  return {
    deleted: deletedTables,
    live: liveTables + containers,
    deletedTables,
    liveTables,
    largestWholeScope: 0,
  }
}

describe('the delete guard', () => {
  test('holds more than half of at least ten tables', () => {
    assert.equal(isHeldByGuard(tables(28, 42)), true)
    assert.equal(isHeldByGuard(tables(6, 10)), true)
    assert.equal(isHeldByGuard(tables(10, 10)), true)
  })

  test('allows deletes of half of the tables, or of most of fewer than ten', () => {
    assert.equal(isHeldByGuard(tables(21, 42)), false)
    assert.equal(isHeldByGuard(tables(5, 10)), false)
    assert.equal(isHeldByGuard(tables(9, 9)), false)
  })

  test('holds more than fifty deletes if they are more than a fifth of the assets', () => {
    assert.equal(isHeldByGuard(tables(51, 220)), true)
    assert.equal(isHeldByGuard(tables(50, 220)), false)
    assert.equal(isHeldByGuard(tables(51, 300)), false)
  })

  test('holds a whole scope of more than twenty tables', () => {
    assert.equal(isHeldByGuard({ ...tables(21, 300), largestWholeScope: 21 }), true)
    assert.equal(isHeldByGuard({ ...tables(20, 300), largestWholeScope: 20 }), false)
  })
})
