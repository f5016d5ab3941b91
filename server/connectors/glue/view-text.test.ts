import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getViewText } from './view-text.ts'

function encode(view: unknown, kind = 'View'): string {
  return `/* Presto ${kind}: ${Buffer.from(JSON.stringify(view)).toString('base64')} */`
}

test('getViewText › decodes views of Athena, Presto and Trino', () => {
  const originalSql = 'SELECT "größe" FROM orders'
  const encoded = encode({ originalSql, catalog: 'awsdatacatalog', columns: [] })
  assert.equal(
    getViewText({ ViewOriginalText: encoded, ViewExpandedText: '/* Presto View */' }),
    originalSql,
  )
  assert.equal(getViewText({ ViewOriginalText: ` ${encoded}\n` }), originalSql)
  assert.equal(
    getViewText({ ViewOriginalText: encode({ originalSql }, 'Materialized View') }),
    originalSql,
  )
})

test('getViewText › prefers the expanded statement of Hive and Spark', () => {
  assert.equal(
    getViewText({ ViewOriginalText: 'select * from t', ViewExpandedText: 'select a from d.t' }),
    'select a from d.t',
  )
  assert.equal(getViewText({ ViewOriginalText: 'select 1', ViewExpandedText: '' }), 'select 1')
  assert.equal(getViewText({}), undefined)
})

test('getViewText › returns nothing if a view cannot be decoded', () => {
  for (const text of [
    encode({ catalog: 'x' }),
    encode('originalSql'),
    '/* Presto View: bm90IGpzb24= */',
    '/* Presto View: ==== */',
    '/* Presto View */',
    encode({ originalSql: 'x'.repeat(1_000_000) }),
  ]) {
    const ViewExpandedText = '/* Presto View */'
    assert.equal(getViewText({ ViewOriginalText: text, ViewExpandedText }), undefined)
  }
})
