import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeRights } from './grant-words.ts'

const NONE = {
  tableCount: 0,
  via: null,
  writes: [],
  hasGrantOption: false,
  isContainerWide: false,
  isColumnsOnly: false,
}

test('rights are described by everything that they include', () => {
  assert.equal(describeRights({ ...NONE, tableCount: 1 }), 'Reads 1 table.')
  assert.equal(
    describeRights({
      tableCount: 2,
      via: 'sales',
      writes: ['INSERT', 'DELETE'],
      hasGrantOption: true,
      isContainerWide: true,
      isColumnsOnly: true,
    }),
    'Reads some columns of 2 tables. By the role sales. On the whole schema, database or server. Can write: INSERT, DELETE. Can pass the grant on.',
  )
})

test('an agreement without a grant has no rights to describe', () => {
  assert.equal(describeRights(NONE), '')
})
