import assert from 'node:assert/strict'
import test from 'node:test'
import { draftReason } from './draft-reason.ts'

const schema = { type: 'postgres_schema', childCount: 3, isDeleted: false }

test('draftReason › accepts tables and what directly holds tables', () => {
  assert.equal(draftReason(schema), undefined)
  assert.equal(draftReason({ ...schema, type: 'mysql_database' }), undefined)
  assert.equal(draftReason({ ...schema, type: 'postgres_table', childCount: 0 }), undefined)
})

test('draftReason › explains why a database of schemas, an empty schema and a removed table are refused', () => {
  for (const type of ['postgres_database', 'redshift_database', 'cockroachdb_database']) {
    assert.match(draftReason({ ...schema, type }) ?? '', /one of the schemas/)
  }
  assert.match(draftReason({ ...schema, childCount: 0 }) ?? '', /schema has no tables/)
  assert.match(draftReason({ ...schema, type: 'postgres_table', isDeleted: true }) ?? '', /removed/)
})
