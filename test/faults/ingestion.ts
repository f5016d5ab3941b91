/**
 * Ingestion with workers in separate processes, which tests kill, stop and terminate: an organization
 * on a PostgreSQL store, integrations created through the API, and the checks after every fault: no run
 * is RUNNING, the counts are correct, and the store is consistent.
 */

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { Client } from 'pg'
import { openDatabase } from '../../server/platform/kit/database.ts'
import type { IngestionRun } from '../../server/ingestion/integrations/run.ts'
import type { Store } from '../../server/store.ts'
import type { Tables } from '../../server/platform/tables.ts'
import { verifyStore } from '../../server/transfer/verify.ts'
import { readJson, readText } from '../answers.ts'
import { eventually } from '../eventually.ts'
import { addIntegration } from '../integrations.ts'
import { startWorker, type WorkerProcess } from '../process.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'
import { newProduct, newWorld, type World } from '../world.ts'

/** A change in a run's change set, as in responses to the pages. */
export interface ListedChange {
  assetId: string
  action: string
  heldBecause: string | null
  pathBefore: string[] | null
  pathAfter: string[] | null
}

/** An organization whose runs are executed by other processes. */
export interface FaultWorld {
  place: StorePlace
  store: Store
  world: World
  /** Starts a worker; it is killed with the world if it still runs. */
  startWorker(more?: Record<string, string>): Promise<WorkerProcess>
  close(): Promise<void>
}

/** An integration whose runs a test starts and watches through the API. */
export interface WatchedIntegration {
  externalId: string
  /** Requests a run; returns the id of the RUNNING run. */
  trigger(): Promise<string>
  cancel(): Promise<void>
  latest(): Promise<IngestionRun>
  /** Waits for the end of the latest run; fails after `limitMs`. */
  ended(limitMs?: number): Promise<IngestionRun>
  /** Waits until the latest run is in a phase. */
  inPhase(phase: IngestionRun['phase']): Promise<void>
  /** Moves the lease end of the latest run into the past, as if its worker had not sent a heartbeat. */
  expireLease(): Promise<void>
  changes(runId: string): Promise<ListedChange[]>
  /** Returns the native paths of the live assets, joined by dots and sorted. */
  livePaths(): Promise<string[]>
}

const CONNECTIONS_MAX = 10
const ENDED_MS_MAX = 30_000

/** Creates an empty organization on a store of its own, or on the server with the given URL. */
export async function newFaultWorld(databaseUrl?: string): Promise<FaultWorld> {
  const ownPlace = await newStorePlace()
  const url = databaseUrl ?? ownPlace.environment['DATABASE_URL'] ?? ''
  const place = { ...ownPlace, environment: { ...ownPlace.environment, DATABASE_URL: url } }
  const connection = { connectionString: url }
  const database = openDatabase<Tables>(
    connection,
    {
      connectionsMax: CONNECTIONS_MAX,
      connectTimeoutMs: 30_000,
      queryTimeoutMs: 30_000,
    },
    // Tests stop PostgreSQL during queries.
    () => undefined,
  )
  const store: Store = { ...database, connection, isDiskFull: () => false }
  const workers: WorkerProcess[] = []
  return {
    place,
    store,
    world: await newWorld(newProduct(store)),
    async startWorker(more = {}) {
      const worker = await startWorker({ ...place.environment, ...more })
      workers.push(worker)
      return worker
    },
    async close() {
      for (const worker of workers) await worker.kill('SIGKILL')
      await database.close()
      await place.remove()
    },
  }
}

/** Connects an Iceberg catalog, unless `more` overrides it. */
export async function watchIntegration(
  { world, store }: FaultWorld,
  more: object,
): Promise<WatchedIntegration> {
  const externalId = await addIntegration(world, 'a', more)
  const path = `/api/integrations/ingest/${externalId}`
  const running = sql`(
    select run.id
    from ingestion_run as run
    join integration on integration.id = run.integration_id
    where integration.external_id = ${externalId}
      and run.status = 'RUNNING'
  )`
  const latest = async (): Promise<IngestionRun> =>
    await readJson<IngestionRun>(world.as('T', 'GET', `${path}/runs/latest`))
  return {
    externalId,
    latest,
    async trigger() {
      const answer = world.as('T', 'POST', `${path}/run`)
      return (await readJson<{ ingestionRunId: string }>(answer, 202)).ingestionRunId
    },
    async cancel() {
      await readText(world.as('T', 'POST', `${path}/cancel`), 204)
    },
    async ended(limitMs = ENDED_MS_MAX) {
      const hasEnded = async (): Promise<boolean> => (await latest()).status !== 'RUNNING'
      await eventually(limitMs, hasEnded, 'the run ends')
      return await latest()
    },
    async inPhase(phase) {
      const isIn = async (): Promise<boolean> => (await latest()).phase === phase
      await eventually(ENDED_MS_MAX, isIn, `the run is ${phase}`)
    },
    async expireLease() {
      await sql`
        update ingestion_run set lease_until = now() - interval '1 second' where id = ${running}
      `.execute(store.db)
    },
    async changes(runId) {
      const at = `/ui/integrations/${externalId}/runs/${runId}/changes`
      return await readJson<ListedChange[]>(world.asPerson('Uo', 'GET', at))
    },
    async livePaths() {
      const { rows } = await sql<{ path: string }>`
        select asset.path
        from asset
        join integration on integration.id = asset.integration_id
        where integration.external_id = ${externalId}
          and asset.deleted_at is null
      `.execute(store.db)
      return rows.map(({ path }) => (JSON.parse(path) as string[]).join('.')).toSorted()
    },
  }
}

/** Returns the integration fields of a catalog that the test runs. */
export function icebergBody(url: string): object {
  return { source: 'iceberg', configuration: { uri: url }, secrets: {} }
}

/** Returns the content of the tables that runs write, for comparisons. */
export async function readTables({ store }: FaultWorld): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {}
  for (const table of WRITTEN_BY_RUNS) {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(one) as row from ${sql.table(table)} as one order by to_jsonb(one)::text
    `.execute(store.db)
    tables[table] = rows.map(({ row }) => row)
  }
  return tables
}

const WRITTEN_BY_RUNS = [
  'integration',
  'ingestion_run',
  'ingestion_scope',
  'ingestion_log_line',
  'missing_scope',
  'staged_asset',
  'asset',
  'asset_statistic',
  'asset_change',
  'revision',
  'event',
]

/**
 * Asserts that no run is RUNNING, that the counts of each run match its change set, that no staged data
 * of completed runs is left, and that the store is verified.
 */
export async function assertSound({ store }: FaultWorld): Promise<void> {
  for (const [flaw, statement] of Object.entries(FLAWS)) {
    assert.deepEqual((await sql.raw(statement).execute(store.db)).rows, [], flaw)
  }
  const broken = (await verifyStore(store.db)).filter(({ findings }) => findings.length > 0)
  assert.deepEqual(broken, [])
}

// Each statement finds contradictions; none may find a row.
const FLAWS: Readonly<Record<string, string>> = {
  'a run is RUNNING': `select id from ingestion_run where status = 'RUNNING'`,
  'a completed run has a lease': `
    select id from ingestion_run where status <> 'RUNNING' and lease_until is not null`,
  'the counts of a run differ from its change set': `
    select run.id, run.status, run.assets_created, run.assets_updated, run.assets_deleted
    from ingestion_run as run
    left join asset_change as change on change.organization_id = run.organization_id
      and change.run_id = run.id
      and change.held_because is null
    group by run.organization_id, run.id
    having run.assets_created <> count(*) filter (where action in ('created', 'revived'))
      or run.assets_updated <> count(*) filter (where action = 'updated')
      or run.assets_deleted <> count(*) filter (where action = 'deleted')`,
  'a change was not made': `
    select change.asset_id, change.action
    from asset_change as change
    left join revision on revision.organization_id = change.organization_id
      and revision.kind = 'asset'
      and revision.external_id = change.asset_id
      and revision.version = coalesce(change.version_after, change.version_before)
    where change.held_because is null
      and (revision.version is null
        or change.action = 'deleted' and revision.deleted_at is null)`,
  'an asset has a parent that is not live': `
    select child.external_id
    from asset as child
    left join asset as parent on parent.organization_id = child.organization_id
      and parent.external_id = child.parent_id
      and parent.deleted_at is null
    where child.deleted_at is null
      and child.parent_id is not null
      and parent.external_id is null`,
}

/**
 * Locks an asset's row in the catalog until the returned function is called: publishing the asset
 * waits.
 */
export async function lockAnAsset({ place }: FaultWorld): Promise<() => Promise<void>> {
  const holder = new Client({ connectionString: place.environment['DATABASE_URL'] })
  // Tests stop PostgreSQL during queries.
  holder.on('error', () => undefined)
  await holder.connect()
  await holder.query('begin')
  await holder.query(`select from asset where kind = 'table' order by path limit 1 for update`)
  return () => holder.end()
}
