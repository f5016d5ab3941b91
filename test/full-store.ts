/** A database with rows in every table, created by the product's own services and real ingestion runs. */

import { sealActivity } from '../server/ledger/activity/seal-service.ts'
import { RECORDS } from '../formats/record/kinds.ts'
import { PLAIN_RECORDS } from '../formats/record/plain-kinds.ts'
import { openSecretBox } from '../server/encryption.ts'
import { ensureIndex } from '../server/documents/search/rebuild-service.ts'
import type { Store } from '../server/store.ts'
import { addAgreement, addProvider } from './agreements.ts'
import { readJson } from './answers.ts'
import { addIdentityRows } from './identity-rows.ts'
import { newIngestionWorld, type IngestionWorld } from './ingestion.ts'
import { addIntegration } from './integrations.ts'
import { notifyAll } from './notifications.ts'
import { newMember } from './people.ts'
import { addPlainRecord } from './plain-records.ts'
import { addRealityRows } from './reality-rows.ts'
import { addSpans, newSpan } from './usage.ts'
import { addWebhook } from './webhooks.ts'
import { buildRecord, toRecordId } from './records.ts'
import { dcs, dps, expectOk, newProduct, newWorld, odcs, odps, type World } from './world.ts'

/** The encryption key of the database, the same as in `newProduct`. */
export const FULL_STORE_KEY = Buffer.alloc(32, 7)

/** The contents of the database. */
export interface FullStore {
  world: World
  ingestion: IngestionWorld
  /** A live ingested asset with an annotation, and one that was removed from its source. */
  annotated: string
  gone: string
  /** An API key of the organization whose assets are ingested. */
  ingestionKey: string
}

/** Fills an empty database. */
export async function fillStore(store: Store): Promise<FullStore> {
  const product = newProduct(store)
  // As at every start.
  await ensureIndex(store.db)
  const box = await openSecretBox(testConfig(), store.db)
  const world = await newWorld(product)
  await addDocuments(world)
  // Later entries are not sealed yet.
  await sealActivity(product.services)
  await addIdentityRows(store.db, box, world)
  // With a password, which is sealed.
  const integration = await addIntegration(world, 'a')
  await addRealityRows(store.db, box, {
    organizationId: world.organizationId,
    integration,
    contractId: 'promise',
    assetId: 'made',
    productId: 'kept',
  })
  // With a secret, which is sealed too.
  await addWebhook(world, { url: 'https://192.0.2.1/größe', teamId: 'a' })
  const ingestion = await newIngestionWorld(store)
  const { annotated, gone } = await ingestAssets(ingestion)
  const owner = await newMember(product, ingestion.organizationId, 'Owner')
  const body = { description: 'Added by people', tags: ['x', 'größe'] }
  await expectOk(owner.browser.ask('PUT', `/ui/assets/${annotated}/annotation`, body))
  const created = owner.browser.ask('POST', '/ui/api-keys', {
    scope: 'organization',
    displayName: 'Key',
  })
  const { key: ingestionKey } = await readJson<{ key: string }>(created, 201)
  return { world, ingestion, annotated, gone, ingestionKey }
}

/** Returns the settings with which a command can decrypt the credentials of the database. */
export function testConfig(encryptionKey: Buffer = FULL_STORE_KEY) {
  return { encryptionKey, dataDirectory: '/nonexistent' } as Parameters<typeof openSecretBox>[0]
}

async function addDocuments(world: World): Promise<void> {
  const put = (path: string, body: object): Promise<Response> =>
    expectOk(world.as('O', 'PUT', `/api/${path}`, { body }))
  await put('dataproducts/kept', odps('kept', { outputPorts: [{ name: 'out', version: '1' }] }))
  await put('dataproducts/kept', odps('kept', { tags: ['später', '😀'], domain: 'Rail' }))
  for (const kind of RECORDS) {
    const path = `${kind.collection.slice('/api/'.length)}/${toRecordId(kind, 'kept')}`
    await put(path, buildRecord(kind, toRecordId(kind, 'kept')))
    await put(path, buildRecord(kind, toRecordId(kind, 'kept'), { tags: ['später', '😀'] }))
  }
  for (const kind of PLAIN_RECORDS) {
    await addPlainRecord(world, kind, { id: `${kind.kind}-kept`, team: 'a', more: { x: '😀' } })
  }
  const filters = 'dataProduct: {customFilters: [{displayName: Größe, customField: size}]}'
  await expectOk(world.as('O', 'PUT', '/api/settings/customization', { yaml: filters }))
  await put('organization/features', { managedTagsPolicy: null })
  await addSpans(world, 'kept', [newSpan({ user: 'größe 😀', rows: 5 })])
  await world.as('Um', 'PUT', '/api/dataproducts/kept/star')
  await world.asPerson('Um', 'PUT', '/ui/notification-digest', { body: { hour: 8 } })
  await addAgreements(world)
  await addNotifications(world)
  await put('dataproducts/gone', dps('gone'))
  await expectOk(world.as('O', 'DELETE', '/api/dataproducts/gone'))
  await put('datacontracts/promise', odcs('promise'))
  await put('datacontracts/promise', odcs('promise', { tags: ['x'] }))
  await put('datacontracts/older', dcs('older'))
  const yaml = `apiVersion: v3.1.0\nkind: DataContract\nid: yaml\nname: Yaml\nversion: 1.0.0\nstatus: active\nteam: {name: a}\n`
  await expectOk(world.as('O', 'PUT', '/api/datacontracts/yaml', { yaml }))
  await put('dataproducts/user', dps('user', { assets: ['made'] }))
  await put('assets/made', { info: { name: 'Made', owner: 'a' } })
  await expectOk(world.as('O', 'PUT', '/api/assets/made/assigned-tags/kept'))
  const event = { run: { runId: 'r' }, job: { namespace: 'n', name: 'größe', size: 1.0 } }
  const body = { ...event, eventType: 'START', eventTime: '2026-01-01T00:00:00Z', inputs: 5 }
  await expectOk(world.as('O', 'POST', '/api/v1/lineage?dataProductId=kept', { body }))
  const dataset = { eventType: 1, dataset: { namespace: 'n', name: 'd' } }
  await expectOk(world.as('O', 'POST', '/api/v1/lineage', { body: dataset }))
  const result = { id: 'tested', dataContractId: 'promise', server: 'größe', result: 'Failed' }
  for (const body of [result, { id: 'gone', dataContractId: 'unknown', result: 'skipped' }]) {
    await expectOk(world.as('O', 'POST', '/api/test-results', { body }))
  }
  const branchResults = '/api/datacontracts/promise/branches/b/test-results'
  // With the byte order mark that some editors add.
  await expectOk(world.as('O', 'POST', branchResults, { body: '\uFEFF{"id":"branch"}' }))
  await expectOk(world.as('O', 'DELETE', '/api/test-results/gone'))
  // A team that was created before its parent.
  await put('teams/c', { name: 'C' })
  const members = [
    { emailAddress: 'Ada@Velmora.Example', role: 'Owner' },
    { emailAddress: 'jo@velmora.example', role: 'Member' },
  ]
  await put('teams/d', { name: 'D', members, description: 'Rolling stock', tags: ['rail'] })
  await put('teams/b', { name: 'B', parent: 'c' })
}

async function addAgreements(world: World): Promise<void> {
  const more = { info: { purpose: 'Für größe 😀', size: 1.0 }, roles: ['ä'] }
  const product = await addProvider(world, 'a')
  const active = await addAgreement(world, { product, more, isApproved: true })
  const started = `${active}/provisioning/provisioning-started`
  await expectOk(world.as('O', 'POST', started, { body: { platform: 'größe' } }))
  await expectOk(world.as('O', 'POST', `${active}/cancel`))
  await addAgreement(world, { product, consumer: { dataProductId: 'kept' }, isApproved: true })
  const yaml = `info: {purpose: Reports, endDate: 2999-01-01}
provider: {dataProductId: ${product}, outputPortId: out}
consumer: {userId: ${world.userIds.Um}}
`
  await expectOk(world.as('O', 'PUT', '/api/access/yaml', { yaml }))
  const oaas = `# As it was sent.
apiVersion: v0.9.0
kind: AccessAgreement
id: oaas
status: requested
description: {purpose: Models, usage: Reading}
provider: {teamId: a, dataProductId: ${product}, outputPortId: out}
consumer: {teamId: b}
`
  await expectOk(world.as('O', 'PUT', '/api/access/oaas', { yaml: oaas }))
  await expectOk(world.as('O', 'DELETE', await addAgreement(world)))
}

async function addNotifications(world: World): Promise<void> {
  const setting = { kind: 'mention', onPage: true, email: 'digest' }
  await expectOk(world.asPerson('Um', 'PUT', '/ui/notification-settings', { body: setting }))
  const channel = '/ui/teams/a/channels/notification-channel-kept/notifications'
  const body = { kind: 'mention', isEnabled: true }
  await expectOk(world.asPerson('Uo', 'PUT', channel, { body }))
  const follow = { kind: 'search', id: 'query=größe', muted: false }
  await expectOk(world.asPerson('Um', 'PUT', '/ui/follow', { body: follow }))
  const mentioning = odps('mentioning', { description: { purpose: 'Für @a 😀' } })
  await expectOk(world.as('O', 'PUT', '/api/dataproducts/mentioning', { body: mentioning }))
  await notifyAll(world)
}

async function ingestAssets(
  ingestion: IngestionWorld,
): Promise<{ annotated: string; gone: string }> {
  const { source } = ingestion
  source.put(['d', 'sales', 'orders'], {
    columns: [
      { name: 'id', type: 'integer', required: true },
      { name: 'note', type: 'text' },
    ],
    description: 'All orders',
    tags: ['pii'],
    rowCount: 12,
  })
  source.put(['d', 'sales', 'old.orders'])
  source.put(['d', 'archive', 'orders'])
  await ingestion.run()
  const before = await ingestion.assets()
  source.drop(['d', 'sales', 'old.orders'])
  source.rename(['d', 'sales', 'orders'], ['d', 'sales', 'orders_2026'])
  source.dropSchema('d', 'archive')
  await ingestion.run({ forced: true })
  const after = await ingestion.assets()
  return {
    annotated: after.get('d.sales.orders_2026')?.id ?? '',
    gone: before.get('d.sales.old.orders')?.id ?? '',
  }
}
