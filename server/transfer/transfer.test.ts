import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { textOf } from '../../test/answers.ts'
import { eventually } from '../../test/eventually.ts'
import { addIntegration, ingest, markGone, sourceTable } from '../../test/ingested-assets.ts'
import { openTestStore } from '../../test/stores.ts'
import {
  dcs,
  dps,
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  type World,
} from '../../test/world.ts'
import { ensureIndex } from '../search/rebuild-service.ts'
import type { Store } from '../store.ts'
import { exportStore } from './export.ts'
import { importStore } from './import.ts'
import { TransferRefused } from './tables.ts'
import { verifyStore } from './verify.ts'

async function indexOf({ db }: Store): Promise<unknown[]> {
  await sql`delete from search_build`.execute(db)
  await ensureIndex(db)
  const { rows } = await sql`
    select kind, external_id, name, standing, owner_team_id, integration_id, tags, description,
      columns, ports, words::text
    from search_document
    -- Put there by the test of what arrives.
    where external_id <> 'new'
    order by kind, external_id
  `.execute(db)
  return rows
}

const directory = mkdtempSync(join(tmpdir(), 'portbook-transfer-'))
const file = join(directory, 'export.jsonl')
let source: Store
let target: Store
let world: World
let annotated = ''
let gone = ''

before(async () => {
  ;[source, target] = await Promise.all([openTestStore(), openTestStore()])
  world = await newWorld(newProduct(source))
  const put = (id: string, body: object): Promise<Response> =>
    expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
  await put('kept', odps('kept', { outputPorts: [{ name: 'out', version: '1' }] }))
  await put('kept', odps('kept', { tags: ['später', '😀'] }))
  await put('gone', dps('gone'))
  await expectOk(world.as('O', 'DELETE', '/api/dataproducts/gone'))
  for (const body of [odcs('promise'), odcs('promise', { tags: ['x'] }), dcs('older')]) {
    await expectOk(world.as('O', 'PUT', `/api/datacontracts/${String(body['id'])}`, { body }))
  }
  await put('user', dps('user', { assets: ['made'] }))
  const made = { info: { name: 'Made', owner: 'a' } }
  await expectOk(world.as('O', 'PUT', '/api/assets/made', { body: made }))
  const integration = await addIntegration(world, { owner: 'a' })
  const tables = ['x', 'y'].map((name) => sourceTable(['d', 'public', name]))
  ;[annotated = '', gone = ''] = await ingest(world, integration, tables)
  const body = { description: 'Said by people', tags: ['x'] }
  await expectOk(world.asPerson('Uo', 'PUT', `/ui/assets/${annotated}/annotation`, { body }))
  await markGone(world, gone)
  // A child that was made before the team that later became its parent.
  await expectOk(world.as('O', 'PUT', '/api/teams/c', { body: { name: 'C' } }))
  await expectOk(world.as('O', 'PUT', '/api/teams/a', { body: { name: 'A', parent: 'c' } }))
  await exportStore(source.connection, file, '0.1.0')
})

after(async () => {
  await Promise.all([source.close(), target.close()])
  rmSync(directory, { recursive: true })
})

test('the file is readable by its owner alone and never overwritten', async () => {
  assert.equal(statSync(file).mode & 0o777, 0o600)
  await assert.rejects(exportStore(source.connection, file, '0.1.0'), { code: 'EEXIST' })
})

test('a cut file is refused and changes nothing', async () => {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  for (const [name, kept] of [
    ['footer', lines.slice(0, -1)],
    ['row', [...lines.slice(0, 5), ...lines.slice(6)]],
    ['header', lines.slice(1)],
  ] as const) {
    const cut = join(directory, `${name}.jsonl`)
    writeFileSync(cut, `${kept.join('\n')}\n`)
    await assert.rejects(importStore(target.connection, cut), TransferRefused, name)
  }
  const { rows } = await sql`select 1 from organization`.execute(target.db)
  assert.equal(rows.length, 0)
})

test('everything arrives: documents, history, the feed in its order, and keys that work', async () => {
  await importStore(target.connection, file)
  const there = newProduct(target)
  for (const path of [
    '/api/dataproducts',
    '/api/dataproducts/kept',
    '/api/dataproducts/kept/versions',
    '/api/dataproducts/gone/versions/1',
    '/api/datacontracts',
    '/api/datacontracts/promise/versions',
    '/api/teams',
    '/api/assets',
    `/api/assets/${annotated}`,
    `/api/assets/${annotated}/versions`,
    `/api/assets/${gone}`,
    '/api/events?include=document',
    '/api/organization/settings',
  ]) {
    const here = await textOf(world.as('Um', 'GET', path))
    const arrives = async (): Promise<boolean> =>
      (await textOf(there.call('GET', path, { key: world.keys.Um }))) === here
    // Transactions of other tests on the same server hold the feed back.
    await eventually(5000, arrives, `${path} is the same`)
  }
  const inUse = await there.call('DELETE', '/api/assets/made', { key: world.keys.O })
  assert.equal(inUse.status, 422)
  await expectOk(
    there.call('PUT', '/api/dataproducts/new', { key: world.keys.T, body: odps('new') }),
  )
  const isLast = async (): Promise<boolean> => {
    const feed = await expectOk(there.call('GET', '/api/events', { key: world.keys.O }))
    const events: { subject: string }[] = JSON.parse(await feed.text())
    return events.at(-1)?.subject === 'new'
  }
  await eventually(10_000, isLast, 'later events come last in the feed')
  for (const { rule, findings } of await verifyStore(target.db)) {
    assert.deepEqual(findings, [], rule)
  }
})

test('the index does not travel: it is built from what arrived, as it was', async () => {
  const here = await indexOf(target)
  assert.ok(here.length > 5)
  assert.deepEqual(here, await indexOf(source))
})

test('a store that is not empty is refused', async () => {
  await assert.rejects(importStore(target.connection, file), TransferRefused)
})

test('verify finds what does not hold', async () => {
  await sql`update data_product set digest = 'x' where external_id = 'kept'`.execute(target.db)
  await sql`update data_contract set digest = 'x' where external_id = 'promise'`.execute(target.db)
  await sql`update asset set digest = 'x' where external_id = 'made'`.execute(target.db)
  await sql`update asset set deleted_at = null where external_id = ${gone}`.execute(target.db)
  await sql`delete from event where subject = 'new'`.execute(target.db)
  await sql`delete from search_document where external_id = 'promise'`.execute(target.db)
  const broken = (await verifyStore(target.db)).filter(({ findings }) => findings.length > 0)
  assert.deepEqual(
    broken.map(({ rule, findings }) => [rule, findings]),
    [
      ['a current product is its last version', ['kept']],
      ['a current contract is its last version', ['promise']],
      ['a current asset is its last version', ['made', gone]],
      ['every version was told', ['new']],
      [
        'the index of the search has every document and nothing else',
        [`asset ${gone}`, 'data-contract promise'],
      ],
      ['every document means what its digest says', ['kept', 'promise', 'made']],
    ],
  )
})
