import assert from 'node:assert/strict'
import test from 'node:test'
import { isChange } from './statement-kind.ts'

const CHANGES = [
  'insert into "team" ("id") values ($1) on conflict do nothing',
  'update "team" set "name" = $1',
  'with gone as (\n  delete from\n session returning id\n) select count(*) from gone',
  'merge into a using b on true when matched then do nothing',
  'with one as (select 1 for update), two as (update a set b = 1) select 1',
  'create temporary table a (b int)',
  'truncate a',
]
const READS = [
  "select \"update\", updated_at, is_deleted from a where b = 'delete from a' and c = 'it''s an update'",
  'select id from a for update of a skip locked',
  'select id from a for no key update',
  '-- insert into\nselect 1',
  'lock table a in share mode',
  'begin',
]

for (const text of CHANGES) {
  test(`isChange › true: ${text}`, () => {
    assert.equal(isChange(text), true)
    assert.equal(isChange(text), true, 'also the second time')
  })
}

for (const text of READS)
  test(`isChange › false: ${text}`, () => assert.equal(isChange(text), false))
