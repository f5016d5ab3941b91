import { randomUUIDv7 } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import type { ChangeCounts } from '../assets/change.ts'
import { deleteHeld, undoPublished } from '../assets/undo-service.ts'
import { notFound, Refusal } from '../errors.ts'
import { findIntegration, requireIngestionEdit } from '../integrations/service.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import { closeRun } from './claim-store.ts'
import { decideHeld, isUndoable } from './correction-store.ts'
import { findRun } from './run-store.ts'
import { runOf, UNDO_RUNS_MAX, type IngestionRun } from '../integrations/run.ts'
import { beginRun, getRun } from './service.ts'

/** What corrections need: they may touch every asset of an integration. */
export interface CorrectionServices {
  bulkDb: Database
  clock: Clock
}

/** What a correction came to, and what to say of it. */
interface Corrected {
  counts: ChangeCounts
  message: string
}

/**
 * Takes back what a run published, as far as no later run has changed it. The correction is a run of
 * its own. Errors: not_found, permission_missing, run_in_progress, in_use.
 */
export async function undoRun(
  { bulkDb, clock }: CorrectionServices,
  caller: Caller,
  externalId: string,
  runId: string,
): Promise<IngestionRun> {
  return await correct(
    { bulkDb, clock },
    caller,
    { externalId, runId, kind: 'undo' },
    async (db, correction) => {
      const { organizationId, integrationId } = correction
      if (!(await isUndoable(db, organizationId, integrationId, runId))) {
        throw new Refusal(
          'invalid_state',
          `Only the last ${UNDO_RUNS_MAX} runs that published changes can be undone.`,
        )
      }
      const { counts, leftCount } = await undoPublished(db, clock, correction, runId)
      const left = leftCount === 0 ? '' : ` ${leftCount} changes stay: later ones stand on them.`
      return { counts, message: `Undid run ${runId}.${left}` }
    },
  )
}

/** Deletes what a run held. Errors: not_found, permission_missing, run_in_progress, in_use. */
export async function confirmHeld(
  { bulkDb, clock }: CorrectionServices,
  caller: Caller,
  externalId: string,
  runId: string,
): Promise<IngestionRun> {
  return await correct(
    { bulkDb, clock },
    caller,
    { externalId, runId, kind: 'confirm' },
    async (db, correction) => {
      const { organizationId, integrationId } = correction
      const decided = await decideHeld(db, organizationId, integrationId, runId, 'confirmed')
      if (!decided) throw nothingHeld()
      const counts = await deleteHeld(db, clock, correction, runId)
      return { counts, message: `Deleted what run ${runId} held.` }
    },
  )
}

/** Keeps what a run held. Errors: not_found, permission_missing, in_use. */
export async function rejectHeld(
  { bulkDb }: CorrectionServices,
  caller: Caller,
  externalId: string,
  runId: string,
): Promise<IngestionRun> {
  const { organizationId } = caller
  const integration = await findIntegration(bulkDb, organizationId, externalId)
  requireIngestionEdit(caller, integration)
  await getRun(bulkDb, caller, externalId, runId)
  if (!(await decideHeld(bulkDb, organizationId, integration.id, runId, 'rejected'))) {
    throw nothingHeld()
  }
  return await getRun(bulkDb, caller, externalId, runId)
}

function nothingHeld(): Refusal {
  return new Refusal('invalid_state', 'This run has no held deletes.')
}

type Correct = (
  db: Database,
  correction: { organizationId: string; integrationId: string; runId: string; principal: string },
) => Promise<Corrected>

/** Runs a correction as a run of its own, from its beginning to its end in one transaction. */
async function correct(
  { bulkDb, clock }: CorrectionServices,
  caller: Caller,
  subject: { externalId: string; runId: string; kind: 'undo' | 'confirm' },
  work: Correct,
): Promise<IngestionRun> {
  const { organizationId, principal } = caller
  const integration = await findIntegration(bulkDb, organizationId, subject.externalId)
  requireIngestionEdit(caller, integration)
  await getRun(bulkDb, caller, subject.externalId, subject.runId)
  const run = {
    organizationId,
    id: randomUUIDv7(),
    integrationId: integration.id,
    kind: subject.kind,
    principal,
    forced: false,
    subjectRunId: subject.runId,
  }
  return await bulkDb.transaction().execute(async (transaction) => {
    // While it is RUNNING no other run of the integration can begin.
    if ((await beginRun(transaction, clock, run)) === undefined) {
      throw new Refusal('run_in_progress', 'A run is in progress. Wait for its end, or cancel it.')
    }
    const correction = { organizationId, integrationId: integration.id, runId: run.id, principal }
    const { counts, message } = await work(transaction, correction)
    const processed = counts.created + counts.updated + counts.deleted
    const end = { status: 'SUCCESS' as const, message, counts: { ...counts, processed, held: 0 } }
    const claim = { ...run, runId: run.id, attempt: 0, sourceFailures: 0, fence: 0 }
    await closeRun(transaction, clock, claim, end)
    const row = await findRun(transaction, organizationId, integration.id, run.id)
    if (row === undefined) throw notFound()
    return runOf(row, subject.externalId)
  })
}
