/**
 * Ingestion in this process from a scripted source, or from a real one: a test starts runs and controls when
 * they are processed.
 */

import { settleReality } from '../server/reality/settle-service.ts'
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import { claimRun } from '../server/ingestion/runs/claim-store.ts'
import type { Claim } from '../server/ingestion/runs/claim.ts'
import { processRun, type ActiveRun } from '../server/ingestion/runs/attempt-service.ts'
import type { Engine } from '../server/ingestion/runs/engine.ts'
import { findRun, insertRun } from '../server/ingestion/runs/run-store.ts'
import type { Connector } from '../server/connectors/connector.ts'
import { upsertSecrets } from '../server/ingestion/integrations/credential-store.ts'
import { toSecretContext } from '../server/ingestion/integrations/service.ts'
import type { RunKind, RunRow } from '../server/ingestion/integrations/run.ts'
import { storeClock } from '../server/platform/kit/clock.ts'
import { newDialer } from '../server/platform/kit/dialer.ts'
import { secretBox } from '../server/platform/kit/secret-box.ts'
import { newSignals } from '../server/platform/kit/signals.ts'
import { createOrganization } from '../server/people/organizations/service.ts'
import type { Store } from '../server/store.ts'
import { ScriptedSource } from './scripted-connector.ts'
import { uniqueId } from './world.ts'

/** One integration with its source, and functions to run it. */
export interface IngestionWorld {
  engine: Engine
  source: ScriptedSource
  organizationId: string
  integrationId: string
  /** Starts a run; returns undefined if one is in progress. */
  trigger(options?: { kind?: RunKind; forced?: boolean }): Promise<string | undefined>
  /** Claims the next run and starts to work on it. */
  start(): Promise<{ claim: Claim; working: ActiveRun }>
  /** Starts and claims a run, and works on it until it ends. */
  run(options?: { kind?: RunKind; forced?: boolean }): Promise<RunRow>
  find(runId: string): Promise<RunRow>
  setFilters(filters: object): Promise<void>
  /** Returns the live assets by their dotted names, with the last names of their columns. */
  assets(): Promise<Map<string, LiveAsset>>
  eventCount(): Promise<number>
}

/** An asset in the form that tests compare. */
export interface LiveAsset {
  id: string
  version: number
  document: {
    id: string
    columns?: { name: string }[]
    relationships?: { assetId: string }[]
    info: { description?: string; name: string }
  }
}

/** The connection of an integration to a real source. */
export interface RealSource {
  connector: Connector
  configuration: object
  secrets: Readonly<Record<string, string>>
}

/**
 * Creates an integration with its own source; by default, a scripted one, in an organization of its own.
 */
export async function newIngestionWorld(
  store: Store,
  options: { log?: Engine['log']; real?: RealSource; organizationId?: string } = {},
): Promise<IngestionWorld> {
  const { db } = store
  const source = new ScriptedSource()
  const { connector, configuration, secrets } = options.real ?? {
    connector: source.connector,
    configuration: {},
    secrets: {},
  }
  const organizationId =
    options.organizationId ?? (await createOrganization(db, `Organization ${uniqueId()}`))
  const integrationId = randomUUIDv7()
  await sql`
    insert into integration (
      organization_id, id, external_id, name, source, configuration, schedule_time_zone, enabled,
      version, created_at, updated_at, updated_by
    )
    values (
      ${organizationId}, ${integrationId}, ${`scripted-${uniqueId()}`}, 'Scripted',
      ${connector.source}, ${JSON.stringify(configuration)}::jsonb, 'UTC', false, 1, now(), now(), 'test'
    )
  `.execute(db)
  const box = secretBox(Buffer.alloc(32, 7))
  const sealed = Object.entries(secrets).map(([field, value]) => ({
    field,
    sealed: box.seal(value, toSecretContext({ organizationId, integrationId, field })),
  }))
  await upsertSecrets(db, storeClock, { organizationId, integrationId, keyId: box.keyId }, sealed)
  const engine: Engine = {
    db,
    beatDb: db,
    clock: storeClock,
    log: options.log ?? pino({ level: 'silent' }),
    secretBox: box,
    dialer: newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined }),
    connectors: new Map([[connector.source, connector]]),
    signals: newSignals(),
    isDiskFull: () => false,
    isPaused: () => false,
    settleReality,
    timing: { beatMs: 50, pollMs: 50, retryMs: [0, 0], patienceMs: 50 },
  }
  const world: IngestionWorld = {
    engine,
    source,
    organizationId,
    integrationId,
    async trigger({ kind = 'ingest', forced = false } = {}) {
      const id = randomUUIDv7()
      const run = { organizationId, id, integrationId, kind, principal: 'test', forced }
      return (await insertRun(db, storeClock, run))?.id
    },
    async start() {
      const claim = await claimRun(db, storeClock)
      if (claim === undefined) throw new Error('no run to claim')
      return { claim, working: processRun(engine, claim) }
    },
    async run(wish) {
      const id = await world.trigger(wish)
      if (id === undefined) throw new Error('a run is in progress')
      const { working } = await world.start()
      await working.done
      return await world.find(id)
    },
    async find(runId) {
      const row = await findRun(db, organizationId, integrationId, runId)
      if (row === undefined) throw new Error('run not found')
      return row
    },
    async setFilters(filters) {
      await sql`
        update integration
        set configuration = ${JSON.stringify({ filters })}::jsonb
        where id = ${integrationId}
      `.execute(db)
    },
    async assets() {
      const { rows } = await sql<{ id: string; path: string; version: number; document: string }>`
        select external_id as id, path, version, document
        from asset
        where organization_id = ${organizationId}
          and integration_id = ${integrationId}
          and deleted_at is null
      `.execute(db)
      return new Map(
        rows.map(({ id, path, version, document }) => [
          (JSON.parse(path) as string[]).join('.'),
          { id, version, document: JSON.parse(document) as LiveAsset['document'] },
        ]),
      )
    },
    async eventCount() {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from event where organization_id = ${organizationId}
      `.execute(db)
      return rows[0]?.count ?? 0
    },
  }
  return world
}

/** The path of a table in a scripted source. */
export type TablePath = [string, string, string]

/** Adds tables to a schema of the database `shop`. */
export function fill({ source }: IngestionWorld, schema: string, count: number): TablePath[] {
  const paths = Array.from({ length: count }, (_, at): TablePath => ['shop', schema, `table_${at}`])
  for (const path of paths) source.put(path)
  return paths
}

/** Returns the numbers of assets that a run created, updated, deleted and held. */
export function getCounts(run: RunRow): number[] {
  return [run.assets_created, run.assets_updated, run.assets_deleted, run.held_count]
}
