import type { Caller } from '../requests/access/caller.ts'
import type { Services } from '../requests/http/endpoint.ts'
import { processRun } from '../ingestion/runs/attempt-service.ts'
import { claimRun } from '../ingestion/runs/claim-store.ts'
import { CONNECTORS } from '../connectors/connectors.ts'
import { USUAL_TIMING, type Engine } from '../ingestion/runs/engine.ts'
import type { RunStatus } from '../ingestion/integrations/run.ts'
import { getRun, triggerRun } from '../ingestion/runs/service.ts'
import { setBack } from './register.ts'

/**
 * Runs an integration to its end in this process, with a clock that is set back. Errors: if the run ends with an
 * unexpected status.
 */
export async function runOnce(
  services: Services,
  caller: Caller,
  externalId: string,
  ageMs: number,
  expected: RunStatus = 'SUCCESS',
): Promise<void> {
  const { db } = services
  const engine = newEngine(services, ageMs)
  const dated = { ...services, clock: engine.clock }
  const trigger = { kind: 'ingest' as const, forced: false }
  const run = await triggerRun(dated, caller, externalId, trigger)
  const runId = run?.ingestionRunId ?? ''
  const claim = await claimRun(db, engine.clock)
  if (claim === undefined || claim.runId !== runId) {
    throw new Error(`another run was in progress while the demo ran ${externalId}`)
  }
  await processRun(engine, claim).done
  const { status, message } = await getRun(db, caller, externalId, runId)
  if (status !== expected) {
    throw new Error(`a run of the demo ended with ${status} instead of ${expected}: ${message}`)
  }
}

// The log of past runs is silent because it does not concern the operator. The source is trusted, so it is read in
// this process: starting another process takes longer than reading.
function newEngine(services: Services, ageMs: number): Engine {
  const { db, bulkDb, log, secretBox, dialer, ownSource, runSignals, isDiskFull, settleReality } =
    services
  const age = Temporal.Duration.from({ milliseconds: Math.round(ageMs) })
  return {
    db: bulkDb,
    beatDb: db,
    clock: setBack(services.clock, ageMs),
    getLogTime: () => Temporal.Now.instant().subtract(age),
    log: log.child({}, { level: 'silent' }),
    secretBox,
    dialer,
    ownSource,
    connectors: CONNECTORS,
    signals: runSignals,
    isDiskFull,
    isPaused: () => false,
    settleReality,
    timing: USUAL_TIMING,
  }
}
