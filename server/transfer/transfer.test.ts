import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { RECORDS } from '../../formats/record/kinds.ts'
import { toRecordId } from '../../test/records.ts'
import { readText } from '../../test/answers.ts'
import { eventually } from '../../test/eventually.ts'
import { fillStore, type FullStore } from '../../test/full-store.ts'
import { openTestStore } from '../../test/stores.ts'
import { expectOk, newProduct, odps } from '../../test/world.ts'
import { ensureIndex } from '../documents/search/rebuild-service.ts'
import type { Store } from '../store.ts'
import { exportStore } from './export.ts'
import { importStore } from './import.ts'
import { MOVED_TABLES, UNMOVED_TABLES } from './tables.ts'
import { TransferError } from './transfer-error.ts'
import { sealActivity } from '../ledger/activity/seal-service.ts'
import { findSeal } from '../ledger/activity/seal-store.ts'
import { verifyStore } from './verify.ts'

const directory = mkdtempSync(join(tmpdir(), 'portbook-transfer-'))
const file = join(directory, 'export.jsonl.gz')
let source: Store
let target: Store
let full: FullStore

const load = (store: Store, path: string, assertEncryptionKey = (): void => undefined) =>
  importStore({ connection: store.connection, path, assertEncryptionKey })

before(async () => {
  ;[source, target] = await Promise.all([openTestStore(), openTestStore()])
  full = await fillStore(source)
  await exportStore(source.connection, file, '0.1.0')
})

after(async () => {
  await Promise.all([source.close(), target.close()])
  rmSync(directory, { recursive: true })
})

test('the table list › contains every table, or the reason why it is not exported', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name
    from pg_class
    where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p')
    order by name
  `.execute(source.db)
  const listed = [...MOVED_TABLES.map(({ name }) => name), ...Object.keys(UNMOVED_TABLES)]
  assert.deepEqual(
    listed.toSorted(),
    rows.map(({ name }) => name),
  )
})

test('the test database › has at least one row in every exported table', async () => {
  for (const { name } of MOVED_TABLES) {
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(source.db)
    assert.equal(rows.length, 1, `${name} is empty`)
  }
})

test('export › writes a file that only its owner can read, and never overwrites it', async () => {
  assert.equal(statSync(file).mode & 0o777, 0o600)
  await assert.rejects(exportStore(source.connection, file, '0.1.0'), TransferError)
})

test('import › imports every row of every table', async () => {
  const { rows: counts, hasChecksum } = await load(target, file)
  assert.equal(hasChecksum, true)
  await ensureIndex(target.db)
  for (const table of MOVED_TABLES) {
    const there = await readRows(source, table)
    assert.deepEqual(await readRows(target, table), there, table.name)
    assert.equal(counts[table.name], there.length)
  }
})

test('import › keeps documents, history and the feed, and keys work', async () => {
  const there = newProduct(target)
  const { world, annotated, gone, ingestionKey } = full
  const key = world.keys.Um
  const paths = [
    '/api/dataproducts',
    '/api/dataproducts/kept',
    '/api/dataproducts/kept/versions',
    '/api/dataproducts/kept/usage',
    '/api/v1/traces',
    '/api/dataproducts/kept/star',
    '/api/dataproducts/gone/versions/1',
    '/api/datacontracts',
    '/api/datacontracts/promise/versions',
    '/api/datacontracts/yaml',
    '/api/teams',
    ...RECORDS.flatMap((kind) => {
      const { collection } = kind
      return [collection, `${collection}/${toRecordId(kind, 'kept')}/versions`]
    }),
    '/api/assets',
    '/api/events?include=document',
    '/api/organization/settings',
    '/api/access?format=oaas',
  ]
  const ofAssets = [
    '/api/assets',
    `/api/assets/${annotated}`,
    `/api/assets/${annotated}/versions`,
    `/api/assets/${gone}`,
    '/api/events?include=document',
  ]
  for (const [path, secret] of [
    ...paths.map((one) => [one, key] as const),
    ...ofAssets.map((one) => [one, ingestionKey] as const),
  ]) {
    // Transactions of other tests on the same server delay both feeds.
    const arrives = async (): Promise<boolean> => {
      const here = await readText(world.call('GET', path, { key: secret }))
      return (await readText(there.call('GET', path, { key: secret }))) === here
    }
    await eventually(5000, arrives, `${path} is the same`)
  }
  const inUse = await there.call('DELETE', '/api/assets/made', { key: world.keys.O })
  assert.equal(inUse.status, 422)
})

test('import › builds the same search index from the imported documents', async () => {
  assert.ok((await readIndex(source)).length > 10)
  assert.deepEqual(await readIndex(target), await readIndex(source))
})

test('import › appends later events after imported ones, and verify finds nothing', async () => {
  const there = newProduct(target)
  const { keys } = full.world
  await expectOk(there.call('PUT', '/api/dataproducts/new', { key: keys.T, body: odps('new') }))
  const isLast = async (): Promise<boolean> => {
    const feed = await expectOk(there.call('GET', '/api/events', { key: keys.O }))
    const events: { subject: string }[] = JSON.parse(await feed.text())
    return events.at(-1)?.subject === 'new'
  }
  await eventually(10_000, isLast, 'later events come last in the feed')
  for (const store of [source, target]) {
    for (const { rule, findings } of await verifyStore(store.db)) {
      assert.deepEqual(findings, [], rule)
    }
  }
})

test('import › keeps the seals of the activity, and later ones follow from them', async () => {
  const { world } = full
  const there = newProduct(target)
  const kept = await findSeal(source.db, world.organizationId, undefined)
  const count = await sealActivity(there.services)
  assert.ok(count > 0)
  const next = await findSeal(target.db, world.organizationId, (kept?.number ?? 0) + 1)
  assert.notEqual(next, undefined)
  assert.deepEqual(await findSeal(target.db, world.organizationId, kept?.number), kept)
  for (const { rule, findings } of await verifyStore(target.db)) {
    assert.deepEqual(findings, [], rule)
  }
})

test('import › rejects a database that is not empty', async () => {
  await assert.rejects(load(target, file), /The database is not empty/)
})

async function readRows(
  { db }: Store,
  { name, order, generated }: (typeof MOVED_TABLES)[number],
): Promise<unknown[]> {
  const { rows } = await sql<{ row: unknown }>`
    select to_jsonb(moved) - ${generated}::text[] as row
    from ${sql.table(name)} as moved
    order by ${sql.raw(order)}
  `.execute(db)
  return rows.map(({ row }) => row)
}

async function readIndex({ db }: Store): Promise<unknown[]> {
  const { rows } = await sql`
    select organization_id, kind, external_id, name, standing, owner_team_id, integration_id, tags,
      description, columns, ports, words::text
    from search_document
    where external_id <> 'new'
    order by organization_id, kind, external_id
  `.execute(db)
  return rows
}
