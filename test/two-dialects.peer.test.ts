/**
 * One shop in PostgreSQL and in MariaDB, ingested into one catalog: its tables have the same models, except
 * where the platforms differ in meaning.
 */

import { settleReality } from '../server/reality/settle-service.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Model } from '../formats/schema/model.ts'
import { CONNECTORS } from '../server/connectors/connectors.ts'
import { USUAL_TIMING } from '../server/ingestion/runs/engine.ts'
import type { IngestionRun } from '../server/ingestion/integrations/run.ts'
import { startWorkers, type Workers } from '../server/ingestion/runs/worker.ts'
import { readJson } from './answers.ts'
import { eventually } from './eventually.ts'
import { addIntegration } from './integrations.ts'
import { onMariadb } from './mariadb.ts'
import { differingPaths } from './model-equality.ts'
import { SourceDatabase } from './postgres-source.ts'
import { onStore } from './stores.ts'
import { DIFFERENCES, MARIADB_SHOP, POSTGRES_SHOP, SHOP_TABLES } from './two-dialects.ts'
import { newProduct, newWorld, type World } from './world.ts'

const INGESTED_MS_MAX = 30_000

onMariadb((mariadb) => {
  let postgres: SourceDatabase
  before(async () => {
    const server = process.env['PORTBOOK_TEST_POSTGRES'] ?? ''
    postgres = await SourceDatabase.create(
      server,
      `create schema shop; set search_path = shop; ${POSTGRES_SHOP}`,
    )
    await mariadb().execute(`create database shop; use shop; ${MARIADB_SHOP}`)
  })
  after(async () => postgres.drop())

  onStore((store) => {
    let world: World
    let workers: Workers
    before(async () => {
      world = await newWorld(newProduct(store()))
      const { db, clock, log, secretBox, dialer, runSignals: signals } = world.services
      const parts = { db, beatDb: db, clock, log, secretBox, dialer, signals }
      workers = startWorkers(
        {
          ...parts,
          isDiskFull: () => false,
          isPaused: () => false,
          settleReality,
          connectors: CONNECTORS,
          timing: USUAL_TIMING,
        },
        2,
      )
    })
    after(async () => workers.stop(0))

    test('GET /api/assets/{id}/model › is the same for PostgreSQL and MariaDB, except for known differences', async () => {
      const { hostname, port } = postgres.url
      const [ofPostgres, ofMariadb] = await Promise.all([
        ingest(world, 'postgres_schema', {
          source: 'postgres',
          configuration: {
            host: hostname,
            port: Number(port),
            database: [postgres.name],
            user: postgres.user,
            sslMode: 'disable',
          },
          secrets: { password: postgres.password },
        }),
        ingest(world, 'mariadb_database', {
          source: 'mariadb',
          configuration: {
            host: mariadb().host,
            port: mariadb().port,
            user: mariadb().user,
            ssl: 'off',
          },
          filters: { include: { database: ['shop'] }, exclude: {} },
          secrets: { password: mariadb().password },
        }),
      ])
      assert.deepEqual(
        ofPostgres.map(({ name }) => name),
        SHOP_TABLES,
      )
      assert.deepEqual(
        ofMariadb.map(({ name }) => name),
        SHOP_TABLES,
      )
      assert.deepEqual(
        differingPaths(ofPostgres, ofMariadb).toSorted(),
        Object.keys(DIFFERENCES).toSorted(),
      )
    })
  })
})

/** Connects a source, runs it, and returns the models of its container `shop`, by name. */
async function ingest(world: World, type: string, body: object): Promise<Model[]> {
  const externalId = await addIntegration(world, null, body)
  const path = `/api/integrations/ingest/${externalId}`
  await readJson(world.as('O', 'POST', `${path}/run`), 202)
  const latest = async (): Promise<IngestionRun> =>
    await readJson(world.as('O', 'GET', `${path}/runs/latest`))
  const hasEnded = async (): Promise<boolean> => (await latest()).status !== 'RUNNING'
  await eventually(INGESTED_MS_MAX, hasEnded, 'the run ends')
  const { status, message } = await latest()
  assert.equal(status, 'SUCCESS', message ?? '')
  const assets = await readJson<{ id: string; info: { name: string; type: string } }[]>(
    world.as('O', 'GET', '/api/assets'),
  )
  const shop = assets.find(({ info }) => info.name === 'shop' && info.type === type)
  assert.ok(shop !== undefined)
  const answer = world.as('O', 'GET', `/api/assets/${shop.id}/model`)
  const { models } = await readJson<{ models: Model[] }>(answer)
  return models.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
