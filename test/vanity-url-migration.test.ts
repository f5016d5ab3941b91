/** The migration that gives existing organizations their addresses. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { newOrganization } from '../server/people/organizations/organization.ts'
import { useScratchDatabase } from './scratch-database.ts'

const MIGRATION = new URL('../server/migrations/0026_organization_documents.sql', import.meta.url)

const client = useScratchDatabase('vanity_url')

test('0026 › gives each organization the address that a new one of its name would get', async () => {
  const names = ['Rail & Co', 'rail co', 'Köln & Söhne', 'API', '客户', '–', 'x'.repeat(200)]
  const organizations = names.map((name, at) => {
    const id = `019a0000-0000-7000-8000-00000000000${at}`
    return newOrganization(id, name)
  })
  await client().query('create table organization (id uuid primary key, name text not null)')
  for (const { id, name } of organizations) {
    await client().query('insert into organization (id, name) values ($1, $2)', [id, name])
  }
  await client().query(readFileSync(MIGRATION, 'utf8'))
  const { rows } = await client().query<{ vanity_url: string }>(
    'select vanity_url from organization order by id',
  )
  assert.deepEqual(
    rows.map(({ vanity_url }) => vanity_url),
    organizations.map(({ vanityUrl, uniqueVanityUrl }, at) =>
      at === 1 ? uniqueVanityUrl : vanityUrl,
    ),
  )
})
