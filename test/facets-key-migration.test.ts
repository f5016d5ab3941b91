/** The migration that adds the signals of trust to the key by which search counts facets. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { useScratchDatabase } from './scratch-database.ts'

const readMigration = (name: string): string =>
  readFileSync(new URL(`../server/migrations/${name}`, import.meta.url), 'utf8')

const client = useScratchDatabase('facets_key')

const ORGANIZATION = '019a0000-0000-7000-8000-000000000000'

const FORMER = `
  create table organization (id uuid primary key, name text not null);
  insert into organization values ('${ORGANIZATION}', 'Rail');
  create table search_document (
    organization_id uuid not null, kind text not null, external_id text not null, status text, domain text,
    source text, type text, owner_team_id uuid, integration_id uuid, tags text[] not null, facets_key bigint
  );
  create index search_document_by_facets on search_document (organization_id, facets_key);`

const ROWS = `
  insert into search_document (organization_id, kind, external_id, status, type, tags)
  select '${ORGANIZATION}', kind, kind || number, status, 'table', tags
  from (values ('asset', null, '{}'::text[]), ('data-product', 'active', '{pii}'), ('data-contract', 'draft', '{a,b}'))
    as one (kind, status, tags)
  cross join generate_series(1, 2) as number`

async function listKeys(): Promise<string[]> {
  const { rows } = await client().query<{ key: string }>(
    'select facets_key::text as key from search_document order by external_id',
  )
  return rows.map(({ key }) => key)
}

async function getFile(): Promise<string | undefined> {
  const { rows } = await client().query<{ file: string }>(
    `select pg_relation_filepath('search_document') as file`,
  )
  return rows[0]?.file
}

test('0076 › keeps the rows and keys of a large index as they are', async () => {
  await client().query(FORMER)
  await client().query(readMigration('0014_search_facets.sql'))
  await client().query(ROWS)
  const [keys, file] = [await listKeys(), await getFile()]
  assert.equal(new Set(keys).size, 3)
  await client().query(readMigration('0076_trust.sql'))
  assert.deepEqual([await listKeys(), await getFile()], [keys, file])
})

test('0076 › documents have the key of those with equal facets and signals', async () => {
  const former = await listKeys()
  await client().query(ROWS.replaceAll('kind || number', `kind || number || 'new'`))
  assert.deepEqual(new Set(await listKeys()), new Set(former))
  const change = `update search_document set trust = 3, drift = 0 where external_id like '%1'`
  await client().query(change)
  assert.equal(new Set(await listKeys()).size, 6)
  await client().query(`update search_document set trust = 1, drift = 1`)
  assert.deepEqual(new Set(await listKeys()), new Set(former))
  await client().query(`update search_document set status = 'draft', tags = '{}', kind = 'asset'`)
  assert.equal(new Set(await listKeys()).size, 1)
})
