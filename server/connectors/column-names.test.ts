import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ColumnNames, findUnknownColumn, spellReferences } from './column-names.ts'
import type { SourceAsset } from './connector.ts'

const TABLE: SourceAsset = {
  kind: 'table',
  path: ['shop', 'orders'],
  scope: ['shop'],
  columns: ['Id', 'shopId', 'SHOPID', 'day'].map((name) => ({ name, type: 'int' })),
}

test('column names › every reference in another case gets the spelling of its column', () => {
  const other = { references: ['shop', 'Other'], referencedColumns: ['X'] }
  const spelled = spellReferences({
    ...TABLE,
    primaryKey: ['ID', 'DAY'],
    uniqueKeys: [['iD', 'Day']],
    foreignKeys: [{ columns: ['id'], ...other }],
    partitionColumns: ['DAY', 'date(DAY)'],
  })
  assert.deepEqual(spelled, {
    ...TABLE,
    primaryKey: ['Id', 'day'],
    uniqueKeys: [['Id', 'day']],
    foreignKeys: [{ columns: ['Id'], ...other }],
    partitionColumns: ['day', 'date(DAY)'],
  })
  assert.deepEqual(spellReferences(TABLE), TABLE)
})

test('column names › the exact spelling comes first, then the first of the same letters', () => {
  const columns = TABLE.columns ?? []
  const names = new ColumnNames(columns, true)
  assert.deepEqual(
    ['SHOPID', 'shopId', 'shopid', 'none'].map((name) => names.find(name)),
    ['SHOPID', 'shopId', 'shopId', undefined],
  )
  assert.equal(new ColumnNames(columns, false).find('ID'), undefined)
})

test('column names › finds a column of a key that the table does not have', () => {
  const key = { references: ['shop', 'Other'], referencedColumns: ['X'] }
  assert.equal(findUnknownColumn({ ...TABLE, primaryKey: ['Id'] }), undefined)
  assert.equal(findUnknownColumn({ ...TABLE, primaryKey: ['id'] }), 'id')
  assert.equal(findUnknownColumn({ ...TABLE, uniqueKeys: [['Id', 'gone']] }), 'gone')
  assert.equal(
    findUnknownColumn({ ...TABLE, foreignKeys: [{ ...key, columns: ['gone'] }] }),
    'gone',
  )
})
