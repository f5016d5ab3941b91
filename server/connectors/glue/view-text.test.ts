import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GlueTable } from './answers.ts'
import { getView } from './view-text.ts'

function getViewText(
  table: Pick<GlueTable, 'ViewOriginalText' | 'ViewExpandedText'>,
): string | undefined {
  return getView(table).text
}

function encode(view: unknown, kind = 'View'): string {
  return `/* Presto ${kind}: ${Buffer.from(JSON.stringify(view)).toString('base64')} */`
}

test('getView › decodes views of Athena, Presto and Trino', () => {
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

test('getView › prefers the expanded statement of Hive and Spark', () => {
  assert.equal(
    getViewText({ ViewOriginalText: 'select * from t', ViewExpandedText: 'select a from d.t' }),
    'select a from d.t',
  )
  assert.equal(getViewText({ ViewOriginalText: 'select 1', ViewExpandedText: '' }), 'select 1')
  assert.equal(getViewText({}), undefined)
})

test('getView › returns nothing if a view cannot be decoded', () => {
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

test('getView › returns the first statement of a view for several engines, with its engine', () => {
  const Representations = [
    { Dialect: 'REDSHIFT', ViewOriginalText: null, ViewExpandedText: '' },
    { Dialect: 'ATHENA', ViewOriginalText: 'select 1', ViewExpandedText: null },
    { Dialect: 'SPARK', ViewOriginalText: 'select 2', ViewExpandedText: 'select 2' },
  ]
  const expected = { text: 'select 1', isEncoded: false, dialect: 'ATHENA' }
  assert.deepEqual(getView({ ViewDefinition: { Representations } }), expected)
  const own = { ViewOriginalText: 'select 3', ViewDefinition: { Representations } }
  assert.deepEqual(getView(own), { text: 'select 3', isEncoded: false })
  assert.deepEqual(getView({ ViewDefinition: { Representations: [] } }).text, undefined)
})

test('getView › returns the columns that Trino stores with its views', () => {
  const columns = [{ name: 'a', type: 'varchar' }]
  const view = getView({ ViewOriginalText: encode({ originalSql: 'select 1', columns }) })
  assert.deepEqual(view, { text: 'select 1', isEncoded: true, columns })
})
