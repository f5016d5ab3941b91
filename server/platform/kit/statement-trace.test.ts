import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summarize } from './statement-trace.ts'

for (const [text, summary] of [
  ['select "id" from "data_product" where "id" = $1', 'select data_product'],
  ['insert into team (id) values ($1) on conflict (id) do update set name = $2', 'insert team'],
  ['update only "asset" set x = 1 from team t where t.id = $1', 'update asset, team'],
  ['delete from session where expires_at < now()', 'delete session'],
  ['begin; set local random_page_cost = 1.1', 'begin'],
  ['commit', 'commit'],
  [
    'with found as materialized (select * from asset), saved as (insert into revision select * from found returning 1) select count(*) from saved',
    'insert asset, revision',
  ],
  [
    "select id from event where kind = 'from secret' -- from comment\n for update of event skip locked",
    'select event',
  ],
  [
    'select * from unnest($1::text[]) as t(id) join a on true join b on true join c on true join d on true join e on true',
    'select a, b, c, d',
  ],
  ['vacuum', 'statement'],
] as const) {
  test(`summarize › ${summary} ‹ ${text.slice(0, 60)}`, () => {
    assert.equal(summarize(text).summary, summary)
  })
}
