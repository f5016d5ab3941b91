/**
 * The main job: a database of several hundred tables is connected and ingested every night; a night
 * without changes creates no events, and a night with changes creates exactly theirs.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CloudEvent } from '../../server/ledger/events/event.ts'
import type { IngestionRun } from '../../server/ingestion/integrations/run.ts'
import { summarizeEvent } from '../feed.ts'
import { onLocalPlace, onPlace, query } from '../operator.ts'
import { startPostgres, type TestPostgres } from '../postgres.ts'
import { SourceDatabase } from '../postgres-source.ts'
import { runProduct, startProduct, type ProductProcess } from '../process.ts'
import { newOwner, openDesk, postgresIntegration, type Desk, type Owner } from '../sources.ts'
import type { StorePlace } from '../stores.ts'
import {
  assertIngested,
  ASSETS,
  CHANGED,
  CHANGES,
  listAssets,
  SALES_RELATIONS,
  SOURCE,
  type Asset,
} from './nightly.ts'

const NIGHTLY = { scheduleExpression: '0 2 * * *', timeZone: 'Europe/Berlin' }
let postgres: TestPostgres

before(async () => {
  postgres = await startPostgres()
})
after(async () => postgres.stop())

describe('a nightly ingestion', { concurrency: 2 }, () => {
  test('three nights, and a contract', async () => {
    await onPlace(async (place) => {
      const database = await SourceDatabase.create(postgres.url, SOURCE)
      const owner = await newOwner(place)
      const product = await startProduct(place.environment)
      const desk = await openDesk(product.url, owner)
      const externalId = await connect(desk, database)
      await fallDue(place)
      const first = await firstNight(desk, externalId)
      const assets = await listAssets(desk)
      assertIngested(assets, database.name)
      const seenId = (await assertEvents(desk, undefined, ASSETS, 'AssetCreatedEvent')) ?? ''

      await fallDue(place)
      const second = await desk.ended(externalId, first)
      assertQuiet(second)
      assert.deepEqual(await desk.ui('GET', changesPath(externalId, second)), [])
      assert.deepEqual(withoutStatistics(await listAssets(desk)), withoutStatistics(assets))
      const stillId = await assertEvents(desk, seenId, 0, 'AssetCreatedEvent')

      await database.execute(CHANGES)
      await desk.api('POST', `/api/integrations/ingest/${externalId}/run`)
      const third = await desk.ended(externalId, second)
      await assertChanged(desk, externalId, third, stillId)
      await assertContract(desk)
      desk.close()
      await assertInOrder(place, product)
    })
  })

  test('on its own PostgreSQL › two nights, the first while it was stopped', async () => {
    await onLocalPlace(async (place) => {
      const database = await SourceDatabase.create(postgres.url, SOURCE)
      const owner = await newOwner(place)
      let externalId = ''
      await withProduct(place, owner, async (desk) => {
        externalId = await connect(desk, database)
      })
      await fallDue(place)
      const product = await startProduct(place.environment)
      const desk = await openDesk(product.url, owner)
      const first = await firstNight(desk, externalId)
      assertIngested(await listAssets(desk), database.name)
      const seenId = await assertEvents(desk, undefined, ASSETS, 'AssetCreatedEvent')
      await desk.api('POST', `/api/integrations/ingest/${externalId}/run`)
      const second = await desk.ended(externalId, first)
      assertQuiet(second)
      const stillId = await assertEvents(desk, seenId, 0, 'AssetCreatedEvent')
      await database.execute(CHANGES)
      await desk.api('POST', `/api/integrations/ingest/${externalId}/run`)
      await assertChanged(desk, externalId, await desk.ended(externalId, second), stillId)
      desk.close()
      await assertInOrder(place, product)
    })
  })
})

async function withProduct(
  place: StorePlace,
  owner: Owner,
  work: (desk: Desk) => Promise<void>,
): Promise<void> {
  const product = await startProduct(place.environment)
  const desk = await openDesk(product.url, owner)
  await work(desk)
  desk.close()
  await product.stop()
}

/** Connects the database, after a connection test and a preview, and returns its external id. */
async function connect(desk: Desk, database: SourceDatabase): Promise<string> {
  const draft = postgresIntegration(database, NIGHTLY)
  const testResult = await desk.ui<{ ok: boolean }>('POST', '/ui/integrations/test', draft)
  assert.equal(testResult.ok, true, JSON.stringify(testResult))
  const { counts } = await desk.ui<{ counts: { included: number } }>(
    'POST',
    '/ui/integrations/scopes',
    draft,
  )
  assert.equal(counts.included, 8)
  const created = await desk.ui<{ externalId: string; nextTimes: string[] }>(
    'POST',
    '/ui/integrations',
    draft,
  )
  assert.equal(created.nextTimes.length, 3)
  for (const time of created.nextTimes) assert.match(time, /T0[01]:00:/, 'two o’clock in Berlin')
  return created.externalId
}

/** Simulates that a night has passed: the integration is due. */
async function fallDue(place: StorePlace): Promise<void> {
  const due = `
    update integration set next_due_at = now() - interval '1 hour' returning next_due_at`
  assert.equal((await query(place, due)).length, 1)
}

async function firstNight(desk: Desk, externalId: string): Promise<IngestionRun> {
  const run = await desk.ended(externalId)
  assert.deepEqual(
    { ...run, ingestionRunId: '', startedAt: '', completedAt: '' },
    {
      ingestionRunId: '',
      integrationExternalId: externalId,
      status: 'SUCCESS',
      message: '7 schemas',
      assetsProcessed: ASSETS,
      assetsCreated: ASSETS,
      assetsUpdated: 0,
      assetsDeleted: 0,
      startedAt: '',
      completedAt: '',
      kind: 'ingest',
      phase: 'publishing',
      attempt: 1,
      assetsHeld: 0,
      heldState: null,
      startedBy: 'system',
    },
  )
  const form = await desk.ui<{ nextTimes: string[] }>('GET', `/ui/integrations/${externalId}`)
  assert.ok((form.nextTimes[0] ?? '') > String(run.completedAt), 'the next run is scheduled')
  return run
}

function assertQuiet(run: IngestionRun): void {
  const { status, assetsProcessed, assetsCreated, assetsUpdated, assetsDeleted } = run
  assert.deepEqual(
    [status, assetsProcessed, assetsCreated, assetsUpdated, assetsDeleted],
    ['SUCCESS', ASSETS, 0, 0, 0],
  )
}

function withoutStatistics(assets: ReadonlyMap<string, Asset>): Asset[] {
  return [...assets.values()].map((asset) => ({ ...asset, statistic: undefined }))
}

/**
 * Asserts that since `lastEventId` the feed has `count` asset events of one type and no others; returns
 * the last event's id.
 */
async function assertEvents(
  desk: Desk,
  lastEventId: string | undefined,
  count: number,
  name: string,
): Promise<string | undefined> {
  const events = await desk.eventsAfter(lastEventId)
  const assetEvents = events.filter(isAboutAssets)
  assert.equal(assetEvents.length, count)
  assert.ok(assetEvents.every((event) => summarizeEvent(event) === name))
  return events.at(-1)?.id
}

function isAboutAssets({ type }: CloudEvent): boolean {
  return /Asset\w+Event$/.test(type)
}

function changesPath(externalId: string, run: IngestionRun): string {
  return `/ui/integrations/${externalId}/runs/${run.ingestionRunId}/changes`
}

interface Change {
  assetId: string
  action: string
  pathBefore: string[] | null
  pathAfter: string[] | null
}

const below = (path: string[] | null): string => path?.slice(1).join('.') ?? '-'

/** Asserts that the change set and the feed contain exactly the changes at the source. */
async function assertChanged(
  desk: Desk,
  externalId: string,
  run: IngestionRun,
  lastEventId: string | undefined,
): Promise<void> {
  assert.deepEqual(
    [run.status, run.assetsCreated, run.assetsUpdated, run.assetsDeleted],
    ['SUCCESS', 1, 6, 1],
  )
  const changes = await desk.ui<Change[]>('GET', changesPath(externalId, run))
  const summaries = changes.map((change) => ({
    subject: change.assetId,
    what: `${change.action}: ${below(change.pathBefore)} → ${below(change.pathAfter)}`,
  }))
  assert.deepEqual(summaries.map(({ what }) => what).toSorted(), Object.keys(CHANGED).toSorted())
  const events = (await desk.eventsAfter(lastEventId)).filter(isAboutAssets)
  assert.deepEqual(
    events.map((event) => `${event.subject} ${summarizeEvent(event)}`).toSorted(),
    summaries.map(({ subject, what }) => `${subject} ${CHANGED[what]}`).toSorted(),
  )
  const assets = await listAssets(desk)
  assert.equal(assets.size, ASSETS)
  assert.equal(assets.get('sales.returns')?.ingestion.runId, run.ingestionRunId)
  assert.equal(assets.has('sales.old_prices'), false)
  const names = assets.get('hr.t_2')?.columns?.map(({ name }) => name)
  assert.deepEqual(names, ['id', 'parent'])
  assert.match(String(assets.get('sales.open_orders')?.custom['viewDefinition']), /<> 'paid'/)
}

/**
 * Creates a contract from a schema and asserts that the catalog accepts it and that both have the same
 * model.
 */
async function assertContract(desk: Desk): Promise<void> {
  const schema = (await listAssets(desk)).get('sales')
  assert.ok(schema !== undefined)
  const draft = await desk.ui<{ id: string; status: string; schema: unknown[] }>(
    'POST',
    `/ui/assets/${schema.id}/contract`,
  )
  assert.deepEqual([draft.status, draft.schema.length], ['draft', SALES_RELATIONS])
  await desk.api('PUT', `/api/datacontracts/${draft.id}`, { body: draft })
  const contractModel = await desk.api('GET', `/api/datacontracts/${draft.id}/model`)
  const assetModel = await desk.api('GET', `/api/assets/${schema.id}/model`)
  assert.deepEqual(removeOrigins(contractModel), removeOrigins(assetModel))
}

/** Removes the origin of each part of a model. */
function removeOrigins(model: unknown): unknown {
  return JSON.parse(JSON.stringify(model), (name, value: unknown) =>
    name === 'origin' ? undefined : value,
  )
}

async function assertInOrder(place: StorePlace, product: ProductProcess): Promise<void> {
  await product.stop()
  const { code, stdout } = await runProduct(place.environment, ['verify'])
  assert.equal(code, 0, stdout)
  const problems = product.log().filter(({ level }) => level === 'error' || level === 'fatal')
  assert.deepEqual(problems, [])
}
