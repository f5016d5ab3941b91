/** After any change of documents and assets, links and findings are those that follow from them, as `portbook verify` decides. */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { purgeAssets } from '../server/catalog/assets/removal-service.ts'
import type { RunRow } from '../server/ingestion/integrations/run.ts'
import type { DriftFinding } from '../server/reality/drift/drift.ts'
import { ensureIndex } from '../server/documents/search/rebuild-service.ts'
import { fillPromises } from '../server/reality/links/fill-service.ts'
import { settleReality } from '../server/reality/settle-service.ts'
import { exportStore } from '../server/transfer/export.ts'
import { importStore } from '../server/transfer/import.ts'
import { readJson, readText } from './answers.ts'
import { newIngestionWorld, type IngestionWorld } from './ingestion.ts'
import { ScriptedSource } from './scripted-connector.ts'
import { onStore, openTestStore } from './stores.ts'
import { verifyReality } from './verified-reality.ts'
import { expectOk, newProduct, newWorld, odcs, odps, putOne, type World } from './world.ts'

const CONTRACTS = ['orders', 'customers', 'lines', 'stock']
const COLUMNS = ['id', 'note']

/** The answers about findings, acceptances, incidents, choices and signals, with texts that each must have. */
const ANSWERS: readonly (readonly [path: string, texts: readonly string[]])[] = [
  ['/api/drift?status=open', ['"orders"']],
  ['/api/drift?status=accepted', ['It is planned.']],
  ['/api/drift?status=resolved', ['"link"', '"run"']],
  ['/api/incidents', ['"drift"']],
  ['/api/incidents?status=resolved', ['"drift"']],
  ['/api/datacontracts/lines/drift', ['"excluded"', 'It moves.']],
  ['/api/datacontracts/stock/drift', ['"accepted"']],
  ['/api/trust?dataContractId=stock&dataContractId=orders', ['Accepted differences', 'Differs']],
  ['/api/search?drift=accepted', ['"stock"']],
]

onStore((store) => {
  const directory = mkdtempSync(join(tmpdir(), 'portbook-reality-'))
  after(() => rmSync(directory, { recursive: true }))
  let world: World
  const source = new ScriptedSource()
  let ingestion: IngestionWorld
  let integration = ''
  before(async () => {
    world = await newWorld(newProduct(store()))
    const { organizationId } = world
    // Only a platform that connectors read proves that a table is missing.
    const connector = { ...source.connector, source: 'postgres' }
    const real = { connector, configuration: {}, secrets: {} }
    ingestion = await newIngestionWorld(store(), { organizationId, real })
    const { rows } = await sql<{ id: string }>`
      select external_id as id from integration where id = ${ingestion.integrationId}
    `.execute(store().db)
    integration = rows[0]?.id ?? ''
    for (const id of CONTRACTS) setColumns(id, COLUMNS)
    // Fewer deleted tables are not held.
    for (let at = 0; at < 100; at += 1) source.put(['shop', 'other', `table_${at}`])
    for (let at = 0; at < 30; at += 1) source.put(['shop', 'sales', `table_${at}`])
    await run()
    for (const id of CONTRACTS) await putContract(id)
    const ports = CONTRACTS.map((contractId) => ({ name: contractId, version: '1', contractId }))
    await putOne(world, 'dataproducts', odps('shop', { outputPorts: ports }))
    await expectVerified([])
  })

  const setColumns = (table: string, names: readonly string[]): void =>
    source.put(['shop', 'sales', table], {
      columns: names.map((name) => ({ name, type: 'text' })),
    })
  const putContract = async (id: string, fields: readonly string[] = COLUMNS): Promise<void> => {
    const properties = fields.map((name) => ({ name, logicalType: 'string' }))
    const body = odcs(id, {
      servers: [{ server: 'main', type: 'postgres', database: 'shop', schema: 'sales' }],
      schema: [{ name: id, physicalType: 'table', properties }],
    })
    await putOne(world, 'datacontracts', body)
  }
  const run = async (): Promise<RunRow> => {
    const ended = await ingestion.run()
    assert.equal(ended.status, 'SUCCESS', String(ended.message))
    return ended
  }
  const correct = (verb: string, { id }: RunRow): Promise<Response> =>
    world.asPerson('Uo', 'POST', `/ui/integrations/${integration}/runs/${id}/${verb}`)
  const listFindings = async (status: string, contract: string): Promise<DriftFinding[]> => {
    const path = `/api/drift?status=${status}&dataContractId=${contract}`
    return await readJson(world.as('Or', 'GET', path))
  }
  const listCauses = async (contract: string): Promise<string[]> => {
    const resolved = await listFindings('resolved', contract)
    return [...new Set(resolved.map(({ resolvedBecause }) => String(resolvedBecause)))].toSorted()
  }
  /** Expects open breaking findings, as `contract aspect field`, and what `portbook verify` finds: nothing. */
  const expectVerified = async (open: readonly string[]): Promise<void> => {
    const path = '/api/drift?status=open&level=breaking'
    const found = await readJson<DriftFinding[]>(world.as('Or', 'GET', path))
    const texts = found.map(
      ({ dataContractId, aspect, field }) => `${dataContractId} ${aspect} ${field ?? ''}`,
    )
    assert.deepEqual(texts.toSorted(), [...open].toSorted())
    assert.deepEqual(await verifyReality(store().db), [])
  }

  test('a run, and undoing it', async () => {
    setColumns('orders', ['id'])
    source.drop(['shop', 'sales', 'customers'])
    const changed = await run()
    await expectVerified(['orders column.missing note', 'customers object '])
    await expectOk(correct('undo', changed))
    await expectVerified([])
    await run()
    await expectVerified(['orders column.missing note', 'customers object '])
    setColumns('orders', COLUMNS)
    setColumns('customers', COLUMNS)
    await run()
    await expectVerified([])
    assert.deepEqual(await listCauses('customers'), ['run'])
  })

  test('a table that is excluded by hand, and linked again', async () => {
    setColumns('lines', ['id'])
    await run()
    const path = '/api/datacontracts/lines/links/main/lines'
    const body = { assetId: null, reason: 'It moves.' }
    await expectOk(world.asPerson('Uo', 'PUT', path, { body }))
    await expectVerified([])
    assert.deepEqual(await listCauses('lines'), ['link'])
    await expectOk(world.asPerson('Uo', 'DELETE', path))
    await expectVerified(['lines column.missing note'])
    const [found] = await listFindings('open', 'lines')
    assert.equal(found?.firstRunId, null)
    setColumns('lines', COLUMNS)
    await run()
    await expectVerified([])
    assert.deepEqual(await listCauses('lines'), ['link', 'run'])
  })

  test('deletes that are held, kept and confirmed', async () => {
    for (let at = 0; at < 30; at += 1) source.drop(['shop', 'sales', `table_${at}`])
    for (const id of CONTRACTS) source.drop(['shop', 'sales', id])
    const held = await run()
    assert.ok(held.held_count > 30)
    await expectVerified([])
    await expectOk(correct('confirm', held))
    await expectVerified(CONTRACTS.map((id) => `${id} object `))
  })

  test('assets that are purged after two weeks', async () => {
    const { db, clock } = world.services
    await sql`update asset set deleted_at = now() - interval '15 days' where deleted_at is not null`.execute(
      db,
    )
    await purgeAssets(db, clock, settleReality)
    await expectVerified(CONTRACTS.map((id) => `${id} object `))
    for (const id of CONTRACTS) setColumns(id, COLUMNS)
    await run()
    await expectVerified([])
  })

  test('a former version of a contract that is saved again, and a deleted contract', async () => {
    await putContract('stock', ['id', 'more'])
    await expectVerified(['stock column.missing more'])
    const former = await readText(world.as('O', 'GET', '/api/datacontracts/stock/versions/1'))
    await expectOk(world.as('O', 'PUT', '/api/datacontracts/stock', { body: JSON.parse(former) }))
    await expectVerified([])
    await putContract('stock', ['id', 'more'])
    await expectOk(world.as('O', 'DELETE', '/api/dataproducts/shop'))
    await expectOk(world.as('O', 'DELETE', '/api/datacontracts/stock'))
    await expectVerified([])
    await putContract('stock', ['id', 'more'])
    await expectVerified(['stock column.missing more'])
  })

  test('an export that is imported into another database, also after promises are read again', async () => {
    const open = await listFindings('open', 'stock')
    const finding = open.find(({ level }) => level === 'breaking')
    const acceptance = `/api/drift/${finding?.id}/acceptance`
    await expectOk(world.asPerson('Uo', 'PUT', acceptance, { body: { reason: 'It is planned.' } }))
    setColumns('orders', ['id'])
    await run()
    const choice = { assetId: null, reason: 'It moves.' }
    await expectOk(
      world.asPerson('Uo', 'PUT', '/api/datacontracts/lines/links/main/lines', { body: choice }),
    )
    const path = join(directory, 'export.jsonl.gz')
    await exportStore(store().connection, path, '0.1.0')
    const target = await openTestStore()
    try {
      await importStore({ connection: target.connection, path, assertEncryptionKey: () => {} })
      await ensureIndex(target.db)
      assert.deepEqual(await verifyReality(target.db), [])
      const there = newProduct(target)
      const key = world.keys.Or
      for (const [one, expected] of ANSWERS) {
        const here = await readText(world.call('GET', one, { key }))
        assert.equal(await readText(there.call('GET', one, { key })), here, one)
        for (const text of expected) assert.ok(here.includes(text), `${one}: ${text}`)
      }
      await fillPromises({ ...there.services, settleReality })
      assert.deepEqual(await verifyReality(target.db), [])
      for (const [one] of ANSWERS) {
        const here = await readText(world.call('GET', one, { key }))
        assert.equal(await readText(there.call('GET', one, { key })), here, one)
      }
    } finally {
      await target.close()
    }
  })

  test('an integration that is deleted with its assets', async () => {
    const path = `/ui/integrations/${integration}?assets=delete`
    await expectOk(world.asPerson('Uo', 'DELETE', path))
    await expectVerified([])
  })
})
