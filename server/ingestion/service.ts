import { randomUUIDv7 } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import type { AssetChange } from '../assets/change.ts'
import { listChanges } from '../assets/undo-service.ts'
import { notFound } from '../errors.ts'
import {
  findIntegration,
  findVisibleIntegration,
  requireIngestionEdit,
} from '../integrations/service.ts'
import type { Clock } from '../kit/clock.ts'
import { violatedConstraint } from '../kit/connection.ts'
import type { Signals } from '../kit/signals.ts'
import type { Database } from '../tables.ts'
import * as store from './run-store.ts'
import type { LogRow, ScopeRow } from './run-store.ts'
import { runOf, type IngestionRun, type RunKind, type RunRow } from '../integrations/run.ts'

/** What starting and ending runs needs. */
export interface RunServices {
  db: Database
  clock: Clock
  runSignals: Signals
}

/** A run that is asked for. */
export interface Trigger {
  kind: Extract<RunKind, 'ingest' | 'preview'>
  /** A person said that an empty source is right. */
  forced: boolean
}

/**
 * Starts a run of an integration; it is there, RUNNING, when this returns. Undefined = one is in
 * progress. Errors: not_found, permission_missing.
 */
export async function triggerRun(
  { db, clock, runSignals }: RunServices,
  caller: Caller,
  externalId: string,
  trigger: Trigger,
): Promise<IngestionRun | undefined> {
  const integration = await findIntegration(db, caller.organizationId, externalId)
  requireIngestionEdit(caller, integration)
  const { organizationId, principal } = caller
  const id = randomUUIDv7()
  const run = { organizationId, id, integrationId: integration.id, principal, ...trigger }
  const row = await beginRun(db, clock, run)
  if (row === undefined) return undefined
  runSignals.send(id)
  return runOf(row, externalId)
}

/**
 * Adds a run, RUNNING. Undefined = one is in progress. Errors: not_found when the integration was
 * deleted meanwhile.
 */
export async function beginRun(
  db: Database,
  clock: Clock,
  run: store.NewRun,
): Promise<RunRow | undefined> {
  try {
    return await store.insertRun(db, clock, run)
  } catch (error) {
    if (violatedConstraint(error) === 'ingestion_run_integration') throw notFound()
    throw error
  }
}

/** Asks for the end of the run in progress; fine when there is none. Errors: not_found, permission_missing. */
export async function cancelRun(
  { db, clock, runSignals }: RunServices,
  caller: Caller,
  externalId: string,
): Promise<void> {
  const integration = await findIntegration(db, caller.organizationId, externalId)
  requireIngestionEdit(caller, integration)
  const id = await store.cancelRun(db, clock, caller.organizationId, integration.id)
  if (id !== undefined) runSignals.send(id)
}

/** Lists the runs of an integration, newest first. Errors: not_found. */
export async function listRuns(
  db: Database,
  caller: Caller,
  externalId: string,
  filter: Pick<store.RunFilter, 'status' | 'kind' | 'limit'>,
): Promise<IngestionRun[]> {
  const { organizationId } = caller
  const { id: integrationId } = await findVisibleIntegration(db, caller, externalId)
  const rows = await store.listRuns(db, { organizationId, integrationId, ...filter })
  return rows.map((row) => runOf(row, externalId))
}

/**
 * Returns the last ingestion of an integration: a client that waits for one must not take a preview or
 * a correction for it. Errors: not_found, also when it never ran.
 */
export async function getLatestRun(
  db: Database,
  caller: Caller,
  externalId: string,
): Promise<IngestionRun> {
  const [latest] = await listRuns(db, caller, externalId, { kind: 'ingest', limit: 1 })
  if (latest === undefined) throw notFound()
  return latest
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/** A run of an integration. Errors: not_found, also for a run of another integration. */
export async function getRun(
  db: Database,
  caller: Caller,
  externalId: string,
  runId: string,
): Promise<IngestionRun> {
  const { id: integrationId } = await findVisibleIntegration(db, caller, externalId)
  const row = UUID.test(runId)
    ? await store.findRun(db, caller.organizationId, integrationId, runId)
    : undefined
  if (row === undefined) throw notFound()
  return runOf(row, externalId)
}

/** The ledger of a run: what it came to know of each scope. Errors: not_found. */
export async function listRunScopes(
  db: Database,
  caller: Caller,
  externalId: string,
  runId: string,
): Promise<ScopeRow[]> {
  await getRun(db, caller, externalId, runId)
  return await store.listScopes(db, caller.organizationId, runId)
}

/** The log of a run, oldest line first. Errors: not_found. */
export async function listRunLog(
  db: Database,
  caller: Caller,
  externalId: string,
  runId: string,
): Promise<LogRow[]> {
  await getRun(db, caller, externalId, runId)
  return await store.listLogLines(db, caller.organizationId, runId)
}

/** A page of what a run changed, or held, in the order of the assets' ids. Errors: not_found. */
export async function listRunChanges(
  db: Database,
  caller: Caller,
  externalId: string,
  runId: string,
  page: { afterId: string; limit: number },
): Promise<AssetChange[]> {
  await getRun(db, caller, externalId, runId)
  return await listChanges(db, caller.organizationId, runId, page)
}
