/**
 * Ingestion with workers in processes of their own, which a test kills, stops and ends: an
 * organization on a PostgreSQL store, integrations made as a person makes them, and what every fault
 * ends with: no run is RUNNING, the counts are right, and the store agrees with itself.
 */

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { Client } from 'pg'
import { openDatabase } from '../../server/kit/database.ts'
import type { IngestionRun } from '../../server/integrations/run.ts'
import type { Store } from '../../server/store.ts'
import type { Tables } from '../../server/tables.ts'
import { verifyStore } from '../../server/transfer/verify.ts'
import { jsonOf, textOf } from '../answers.ts'
import { eventually } from '../eventually.ts'
import { addIntegration } from '../integrations.ts'
import { startWorker, type WorkerProcess } from '../process.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'
import { newProduct, newWorld, type World } from '../world.ts'

/** A change of a run's change set, as the pages get it. */
export interface ListedChange {
  assetId: string
  action: string
  heldBecause: string | null
  pathBefore: string[] | null
  pathAfter: string[] | null
}

/** An organization whose runs are worked on by other processes. */
export interface FaultWorld {
  place: StorePlace
  store: Store
  world: World
  /** Starts a worker, which the end of the world ends if nothing else does. */
  startWorker(more?: Record<string, string>): Promise<WorkerProcess>
  close(): Promise<void>
}

/** An integration whose runs a test starts and watches as a client does. */
export interface WatchedIntegration {
  externalId: string
  /** Asks for a run; the id of the run that is RUNNING then. */
  trigger(): Promise<string>
  cancel(): Promise<void>
  latest(): Promise<IngestionRun>
  /** Waits for the end of the last run; fails when it does not come within the time. */
  ended(limitMs?: number): Promise<IngestionRun>
  /** Waits until the last run is in a phase. */
  inPhase(phase: IngestionRun['phase']): Promise<void>
  /** Moves the end of the last run's lease into the past, as if nobody had beaten for long. */
  expireLease(): Promise<void>
  changes(runId: string): Promise<ListedChange[]>
  /** The native paths of the live assets, dotted and sorted. */
  livePaths(): Promise<string[]>
}

const CONNECTIONS_MAX = 10
const ENDED_MS_MAX = 30_000

/** Makes an empty organization on a store: one of its own, or on the server whose URL is given. */
export async function newFaultWorld(databaseUrl?: string): Promise<FaultWorld> {
  const made = await newStorePlace()
  const url = databaseUrl ?? made.environment['DATABASE_URL'] ?? ''
  const place = { ...made, environment: { ...made.environment, DATABASE_URL: url } }
  const connection = { connectionString: url }
  const database = openDatabase<Tables>(
    connection,
    {
      connectionsMax: CONNECTIONS_MAX,
      waitingMax: 1000,
      connectTimeoutMs: 30_000,
      queryTimeoutMs: 30_000,
    },
    // Tests end PostgreSQL under it.
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

/** Connects an Iceberg catalog, or what else `more` says. */
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
    await jsonOf<IngestionRun>(world.as('T', 'GET', `${path}/runs/latest`))
  return {
    externalId,
    latest,
    async trigger() {
      const told = world.as('T', 'POST', `${path}/run`)
      return (await jsonOf<{ ingestionRunId: string }>(told, 202)).ingestionRunId
    },
    async cancel() {
      await textOf(world.as('T', 'POST', `${path}/cancel`), 204)
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
      return await jsonOf<ListedChange[]>(world.asPerson('Uo', 'GET', at))
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

/** What a person fills in for a catalog that the test runs. */
export function icebergBody(url: string): object {
  return { source: 'iceberg', configuration: { uri: url }, secrets: {} }
}

/** What is in the tables that runs write, to be compared. */
export async function tablesOf({ store }: FaultWorld): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const table of WRITTEN_BY_RUNS) {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(one) as row from ${sql.table(table)} as one order by to_jsonb(one)::text
    `.execute(store.db)
    found[table] = rows.map(({ row }) => row)
  }
  return found
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
 * No run is RUNNING, the counts of each are those of its change set, nothing staged is left of runs
 * that ended, and the store is verified.
 */
export async function assertSound({ store }: FaultWorld): Promise<void> {
  for (const [flaw, statement] of Object.entries(FLAWS)) {
    assert.deepEqual((await sql.raw(statement).execute(store.db)).rows, [], flaw)
  }
  const broken = (await verifyStore(store.db)).filter(({ findings }) => findings.length > 0)
  assert.deepEqual(broken, [])
}

// Each statement finds what contradicts itself; none may find a row.
const FLAWS: Readonly<Record<string, string>> = {
  'a run is RUNNING': `select id from ingestion_run where status = 'RUNNING'`,
  'a run that ended has a lease': `
    select id from ingestion_run where status <> 'RUNNING' and lease_until is not null`,
  'a run counts something else than its change set': `
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

/** Holds a lock on a table's row in the catalog until the result is called: what publishes it waits. */
export async function lockAnAsset({ place }: FaultWorld): Promise<() => Promise<void>> {
  const holder = new Client({ connectionString: place.environment['DATABASE_URL'] })
  // Tests end PostgreSQL under it.
  holder.on('error', () => undefined)
  await holder.connect()
  await holder.query('begin')
  await holder.query(`select from asset where kind = 'table' order by path limit 1 for update`)
  return () => holder.end()
}
