/** The migration that switches off features that were stored without effect. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { useScratchDatabase } from './scratch-database.ts'

const MIGRATION = new URL('../server/migrations/0046_refused_settings.sql', import.meta.url)

const client = useScratchDatabase('refused_settings')

test('0046 › sets refused rules of the features to null, and changes nothing else', async () => {
  const off = '{ "changeProcessMode":null,  "customScript": "kept" }'
  const on = { changeProcessMode: 'approval-required', autoApprovePolicy: 'always', later: 1 }
  const documents = [
    ['features', off, JSON.parse(off)],
    ['features', '{}', {}],
    [
      'features',
      JSON.stringify(on),
      { changeProcessMode: null, autoApprovePolicy: null, later: 1 },
    ],
    ['features', '{"accessProvisioningPolicy":"required"}', { accessProvisioningPolicy: null }],
    ['customization', 'changeProcessMode: approval-required\n', undefined],
    ['email-templates', JSON.stringify(on), on],
  ] as const
  await client().query(
    'create table organization_document (id int, kind text not null, document text not null)',
  )
  for (const [at, [kind, document]] of documents.entries()) {
    await client().query('insert into organization_document values ($1, $2, $3)', [
      at,
      kind,
      document,
    ])
  }
  await client().query(readFileSync(MIGRATION, 'utf8'))
  const { rows } = await client().query<{ document: string }>(
    'select document from organization_document order by id',
  )
  for (const [at, [, before, after]] of documents.entries()) {
    const text = rows[at]?.document ?? ''
    if (after === undefined) assert.equal(text, before)
    else assert.deepEqual(JSON.parse(text), after)
  }
  assert.equal(rows[0]?.document, off, 'a document without a refused rule keeps its text')
})
