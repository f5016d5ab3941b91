import { randomUUIDv7 } from 'node:crypto'
import type { Caller } from '../../requests/access/caller.ts'
import type { AssetChange } from '../../catalog/assets/change.ts'
import { listChanges } from '../../catalog/assets/undo-service.ts'
import { notFound } from '../../platform/errors.ts'
import type { Integration } from '../integrations/integration.ts'
import { findEditableIntegration, findVisibleIntegration } from '../integrations/service.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import { violatedConstraint } from '../../platform/kit/store-errors.ts'
import type { Signals } from '../../platform/kit/signals.ts'
import type { Database } from '../../platform/tables.ts'
import * as store from './run-store.ts'
import type { LogRow, ScopeRow } from './run-store.ts'
import {
  toIngestionRun,
  type IngestionRun,
  type RunKind,
  type RunRow,
} from '../integrations/run.ts'

/** The services for starting and ending runs. */
interface RunServices {
  db: Database
  clock: Clock
  runSignals: Signals
}

/** A request to start a run. */
interface Trigger {
  kind: Extract<RunKind, 'ingest' | 'preview'>
  /** Whether a person confirmed that an empty source is right. */
  forced: boolean
  /** Absent = the catalog itself. */
  requestId?: string
}

/** Finds an integration that the caller may run. Errors: not_found, permission_missing. */
export async function requireRunnable(
  db: Database,
  caller: Caller,
  externalId: string,
): Promise<Integration> {
  return await findEditableIntegration(db, caller, externalId)
}

/**
 * Starts a run of an integration; it is stored as RUNNING when this returns. Undefined = one is in
 * progress. Errors: not_found, permission_missing.
 */
export async function triggerRun(
  { db, clock, runSignals }: RunServices,
  caller: Caller,
  externalId: string,
  trigger: Trigger,
): Promise<IngestionRun | undefined> {
  const integration = await requireRunnable(db, caller, externalId)
  const { organizationId, principal } = caller
  const id = randomUUIDv7()
  const run = { organizationId, id, integrationId: integration.id, principal, ...trigger }
  const row = await beginRun(db, clock, run)
  if (row === undefined) return undefined
  runSignals.send(id)
  return toIngestionRun(row, externalId)
}

/**
 * Inserts a run as RUNNING. Undefined = one is in progress. Errors: not_found if the integration
 * was deleted in the meantime.
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

/** Cancels the run in progress, if any. Errors: not_found, permission_missing. */
export async function cancelRun(
  { db, clock, runSignals }: RunServices,
  caller: Caller,
  externalId: string,
  requestId: string,
): Promise<void> {
  const { organizationId, principal } = caller
  const integration = await findEditableIntegration(db, caller, externalId)
  const actor = { principal, requestId }
  const id = await store.cancelRun(db, clock, organizationId, integration.id, actor)
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
  return rows.map((row) => toIngestionRun(row, externalId))
}

/**
 * Returns the last ingestion of an integration; previews and corrections must not mislead a client
 * that waits for a run. Errors: not_found, also if it never ran.
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

/** Returns a run of an integration. Errors: not_found, also for a run of another integration. */
export async function getRun(
  db: Database,
  caller: Caller,
  externalId: string,
  runId: string,
): Promise<IngestionRun> {
  const { id: integrationId } = await findVisibleIntegration(db, caller, externalId)
  const row = isUuid(runId)
    ? await store.findRun(db, caller.organizationId, integrationId, runId)
    : undefined
  if (row === undefined) throw notFound()
  return toIngestionRun(row, externalId)
}

/** Returns the ledger of a run. Errors: not_found. */
export async function listRunScopes(
  db: Database,
  caller: Caller,
  externalId: string,
  runId: string,
): Promise<ScopeRow[]> {
  await getRun(db, caller, externalId, runId)
  return await store.listScopes(db, caller.organizationId, runId)
}

/** Returns the log of a run, oldest line first. Errors: not_found. */
export async function listRunLog(
  db: Database,
  caller: Caller,
  externalId: string,
  runId: string,
): Promise<LogRow[]> {
  await getRun(db, caller, externalId, runId)
  return await store.listLogLines(db, caller.organizationId, runId)
}

/**
 * Returns a page of the changes and held deletes of a run, sorted by asset id. Errors: not_found.
 */
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
