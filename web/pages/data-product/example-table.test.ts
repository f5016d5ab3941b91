import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readInnerText } from '../../../formats/text/text.ts'
import { EXAMPLE_COLUMNS_MAX, EXAMPLE_ROWS_MAX, toExampleTables } from './example-table.ts'

function convert(json: string) {
  const source = readInnerText(json, 'application/json')
  assert.ok(source.ok)
  return toExampleTables(source.spelled())
}

describe('toExampleTables', () => {
  test('makes a row of each object, with the columns of all of them', () => {
    const [table] = convert('[{"a":1.10,"b":null},{"c":"x","a":12345678901234567890}]')
    assert.deepEqual(table?.columns, ['a', 'b', 'c'])
    assert.deepEqual(
      table.rows.map((row) => row.map(({ text }) => text)),
      [
        ['1.10', 'null', undefined],
        ['12345678901234567890', undefined, 'x'],
      ],
    )
    assert.deepEqual(
      table.rows[0]?.map(({ kind }) => kind),
      ['number', 'null', 'null'],
    )
  })

  test('makes a table of each list in an object, and one row of any other object', () => {
    const tables = convert('{"orders":[{"id":1}],"lines":[]}')
    assert.deepEqual(
      tables.map(({ name, rowsCount }) => [name, rowsCount]),
      [
        ['orders', 1],
        ['lines', 0],
      ],
    )
    const [row] = convert('{"id":1,"lines":[{"x":true}]}')
    assert.deepEqual(row?.columns, ['id', 'lines'])
    assert.deepEqual(row.rows[0]?.[1], { text: '[{"x":true}]', kind: 'other' })
  })

  test('numbers the columns of rows that are lists or single values', () => {
    assert.deepEqual(convert('[[1,2],"x"]')[0]?.columns, ['Column 1', 'Column 2'])
  })

  test('keeps the first rows, columns and characters, and counts all', () => {
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`c${at}`, at]))
    const rows = Array.from({ length: 500 }, () => ({ ...wide, c0: 'x'.repeat(10_000) }))
    const [table] = convert(JSON.stringify(rows))
    assert.deepEqual([table?.rowsCount, table?.columnsCount], [500, 100])
    assert.equal(table?.rows.length, EXAMPLE_ROWS_MAX)
    assert.equal(table.rows[0]?.length, EXAMPLE_COLUMNS_MAX)
    assert.ok((table.rows[0][0]?.text?.length ?? 0) < 300)
  })

  test('fields called like parts of JavaScript are columns', () => {
    assert.deepEqual(convert('[{"__proto__":1,"constructor":2}]')[0]?.columns, [
      '__proto__',
      'constructor',
    ])
    const [, second] = convert('[{"constructor":2},{"a":1}]')[0]?.rows ?? []
    assert.equal(second?.[0]?.text, undefined)
  })
})
