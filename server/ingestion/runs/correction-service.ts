import { randomUUIDv7 } from 'node:crypto'
import type { Caller } from '../../requests/access/caller.ts'
import type { ChangeCounts } from '../../catalog/assets/change.ts'
import { deleteHeld, undoPublished } from '../../catalog/assets/undo-service.ts'
import { notFound, ApiError } from '../../platform/errors.ts'
import { findEditableIntegration } from '../integrations/service.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { SettleReality } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import { closeRun } from './claim-store.ts'
import { decideHeld, isUndoable } from './correction-store.ts'
import { findRun } from './run-store.ts'
import { toIngestionRun, UNDO_RUNS_MAX, type IngestionRun } from '../integrations/run.ts'
import { beginRun, getRun } from './service.ts'

/** The services of corrections, which may change every asset of an integration. */
interface CorrectionServices {
  bulkDb: Database
  clock: Clock
  settleReality: SettleReality
}

/** The result of a correction, with its message. */
interface CorrectionResult {
  counts: ChangeCounts
  message: string
}

/**
 * Undoes the changes of a run, except those that a later run changed again. The correction is a
 * separate run. Errors: not_found, permission_missing, run_in_progress, in_use.
 */
export async function undoRun(
  services: CorrectionServices,
  caller: Caller,
  externalId: string,
  runId: string,
  requestId = '',
): Promise<IngestionRun> {
  const { clock } = services
  return await correct(
    services,
    caller,
    { externalId, runId, kind: 'undo', requestId },
    async (db, correction) => {
      const { organizationId, integrationId } = correction
      if (!(await isUndoable(db, organizationId, integrationId, runId))) {
        throw new ApiError(
          'invalid_state',
          `This run cannot be undone: it is not one of the last ${UNDO_RUNS_MAX} that published changes.`,
        )
      }
      const { counts, leftCount } = await undoPublished(db, clock, correction, runId)
      const left =
        leftCount === 0 ? '' : ` ${leftCount} changes remain because later changes depend on them.`
      return { counts, message: `Undid run ${runId}.${left}` }
    },
  )
}

/**
 * Deletes the assets that a run held. Errors: not_found, permission_missing, run_in_progress,
 * in_use.
 */
export async function confirmHeld(
  services: CorrectionServices,
  caller: Caller,
  externalId: string,
  runId: string,
  requestId = '',
): Promise<IngestionRun> {
  const { clock } = services
  return await correct(
    services,
    caller,
    { externalId, runId, kind: 'confirm', requestId },
    async (db, correction) => {
      const { organizationId, integrationId } = correction
      const { principal } = caller
      const decision = { principal, requestId, at: clock.now }
      const held = { organizationId, integrationId, runId }
      const decided = await decideHeld(db, held, 'confirmed', decision)
      if (!decided) throw nothingHeld()
      const counts = await deleteHeld(db, clock, correction, runId)
      return { counts, message: `Deleted the assets held by run ${runId}.` }
    },
  )
}

/** Keeps the assets that a run held. Errors: not_found, permission_missing, in_use. */
export async function rejectHeld(
  { bulkDb, clock }: CorrectionServices,
  caller: Caller,
  externalId: string,
  runId: string,
  requestId = '',
): Promise<IngestionRun> {
  const { organizationId, principal } = caller
  const integration = await findEditableIntegration(bulkDb, caller, externalId)
  await getRun(bulkDb, caller, externalId, runId)
  const decision = { principal, requestId, at: clock.now }
  const held = { organizationId, integrationId: integration.id, runId }
  if (!(await decideHeld(bulkDb, held, 'rejected', decision))) {
    throw nothingHeld()
  }
  return await getRun(bulkDb, caller, externalId, runId)
}

function nothingHeld(): ApiError {
  return new ApiError('invalid_state', 'This run has no held deletes that need a decision.')
}

type Correct = (
  db: Database,
  correction: { organizationId: string; integrationId: string; runId: string; principal: string },
) => Promise<CorrectionResult>

/** Executes a correction as a separate run in one transaction. */
async function correct(
  { bulkDb, clock, settleReality }: CorrectionServices,
  caller: Caller,
  subject: { externalId: string; runId: string; kind: 'undo' | 'confirm'; requestId: string },
  work: Correct,
): Promise<IngestionRun> {
  const { organizationId, principal } = caller
  const integration = await findEditableIntegration(bulkDb, caller, subject.externalId)
  await getRun(bulkDb, caller, subject.externalId, subject.runId)
  const run = {
    organizationId,
    id: randomUUIDv7(),
    integrationId: integration.id,
    kind: subject.kind,
    principal,
    forced: false,
    subjectRunId: subject.runId,
    requestId: subject.requestId,
  }
  return await bulkDb.transaction().execute(async (transaction) => {
    // While it is RUNNING no other run of the integration can start.
    if ((await beginRun(transaction, clock, run)) === undefined) {
      throw new ApiError(
        'run_in_progress',
        'A run is in progress. Wait until it ends, or cancel it.',
      )
    }
    const correction = { organizationId, integrationId: integration.id, runId: run.id, principal }
    const { counts, message } = await work(transaction, correction)
    const change = { ...correction, requestId: subject.requestId, kind: 'run' as const }
    await settleReality(transaction, clock, change)
    const processed = counts.created + counts.updated + counts.deleted
    const end = { status: 'SUCCESS' as const, message, counts: { ...counts, processed, held: 0 } }
    const claim = { ...run, runId: run.id, attempt: 0, sourceFailures: 0, fence: 0 }
    await closeRun(transaction, clock, claim, end)
    const row = await findRun(transaction, organizationId, integration.id, run.id)
    if (row === undefined) throw notFound()
    return toIngestionRun(row, subject.externalId)
  })
}
