import { deleteStagedComparisons, stageComparisons } from '../../reality/drift/staging-service.ts'
import { countsText } from '../../catalog/assets/change.ts'
import { StoreUnavailable } from '../../platform/kit/store-errors.ts'
import { traceChild } from '../../platform/kit/tracing.ts'
import type { Log } from '../../platform/kit/log.ts'
import { deleteStagedGrants } from '../../reality/grants/staging-service.ts'
import { findRunnable, noteAuthentication } from '../integrations/run-service.ts'
import type { Claim, RunEnd } from './claim.ts'
import {
  beat,
  closeRun,
  insertLogLines,
  postponeRun,
  releaseRun,
  updateProgress,
} from './claim-store.ts'
import { SourceFailure, type Setup } from '../../connectors/connector.ts'
import {
  ClaimLost,
  HandedBack,
  RunCancelled,
  RunFailed,
  RunPostponed,
  SourceWait,
  type Attempt,
  type Engine,
} from './engine.ts'
import { readGrants } from './grant-service.ts'
import { listSource } from './listing-service.ts'
import { publishRun } from './publish-service.ts'
import { RunLog } from './run-log.ts'
import { noteOutcome, noteSource, traceAttempt } from './run-trace.ts'
import { createSecretHider } from '../../connectors/secret-hider.ts'
import { openSourceSetup } from './setup-service.ts'
import { deleteStaged } from './staging-store.ts'

const PROGRESS_MS = 1000
const LOG_MS = 2000

/** A claimed run in progress. */
export interface ActiveRun {
  /** Checks immediately whether the run is cancelled or lost. */
  look(): void
  /** Whether it has waited for its source for some time. */
  isWaiting(): boolean
  /** Ends the attempt and hands the run back. */
  handBack(): void
  /** Resolves when the attempt is over; never rejects. */
  done: Promise<void>
}

/** Receives the events of an attempt. */
interface AttemptListener {
  /** The attempt waits for its source: another run may start beside it. */
  onWaiting(): void
  /** The run is due again after this many milliseconds. */
  onPostponed(delayMs: number): void
}

const NO_LISTENER: AttemptListener = { onWaiting: () => undefined, onPostponed: () => undefined }

/** Processes a claimed run until it ends or is cancelled, lost, postponed, or handed back. */
export function processRun(
  engine: Engine,
  claim: Claim,
  listener: AttemptListener = NO_LISTENER,
): ActiveRun {
  const ending = new AbortController()
  const log = engine.log.child({ runId: claim.runId, attempt: claim.attempt })
  const beats = startBeats(engine, claim, ending, log)
  const wait = new SourceWait(engine.timing.patienceMs, listener.onWaiting)
  const state = {
    processedCount: 0,
    log: new RunLog(createSecretHider([]), engine.getLogTime),
    wait,
    listener,
  }
  const done = traceAttempt(engine.tracer, claim, () =>
    runAttempt(engine, claim, ending.signal, state, log),
  )
    .catch((error: unknown) => {
      // The lease expires, and the run is claimed again.
      log.warn({ err: error }, 'an ingestion run could not be ended here')
    })
    .finally(() => beats.stop())
  return {
    look: () => beats.look(),
    isWaiting: () => wait.isWaiting,
    handBack: () => ending.abort(new HandedBack('the process ends')),
    done,
  }
}

function startBeats(
  engine: Engine,
  claim: Claim,
  ending: AbortController,
  log: Log,
): { look(): void; stop(): void } {
  const beatOnce = async (): Promise<void> => {
    try {
      const still = await beat(engine.beatDb, engine.clock, claim)
      if (still === undefined) ending.abort(new ClaimLost('the run is no longer this worker’s'))
      else if (still.isCancelled) ending.abort(new RunCancelled('the run was cancelled'))
    } catch (error) {
      // The lease covers several missed beats.
      log.warn({ err: error }, 'a beat of an ingestion run failed')
    }
  }
  const timer = setInterval(() => void beatOnce(), engine.timing.beatMs)
  return { look: () => void beatOnce(), stop: () => clearInterval(timer) }
}

async function runAttempt(
  engine: Engine,
  claim: Claim,
  signal: AbortSignal,
  state: AttemptState,
  log: Log,
): Promise<void> {
  const flushing = setInterval(() => void flush(engine, claim, state.log, log), LOG_MS)
  try {
    const attempt = await prepare(engine, claim, signal, state)
    state.log.add('info', `Attempt ${claim.attempt} began.`)
    const listing = await traceChild('read source', () => listSource(attempt))
    const grants = await readGrants(attempt, listing)
    await noteAuthentication(engine.db, engine.clock, claim, false)
    state.log.addSlowest()
    signal.throwIfAborted()
    await updateProgress(engine.db, engine.clock, claim, {
      phase: 'publishing',
      message: 'publishing',
      processedCount: listing.processedCount,
    })
    // The log is stored before the run ends, so that a client that sees the end can read it.
    await flush(engine, claim, state.log, log)
    await traceChild('compare', () => compareStaged(attempt))
    const counts = await traceChild('publish', () => publishRun(attempt, { ...listing, grants }))
    noteOutcome()
    engine.observer?.runEnded('SUCCESS')
    const did = claim.kind === 'preview' ? 'A run would publish' : 'Published'
    state.log.add('info', `${did}: ${countsText(counts)}.`)
    log.info({ counts, sent: state.log.sentCount }, 'an ingestion run ended well')
  } catch (error) {
    await end(engine, claim, signal.aborted ? signal.reason : error, state, log)
  } finally {
    clearInterval(flushing)
    await flush(engine, claim, state.log, log)
    await deleteStaged(engine.db, claim)
    await deleteStagedComparisons(engine.db, claim)
    await deleteStagedGrants(engine.db, claim)
  }
}

// What is published as it was compared here needs no comparison in the transaction of the publication.
async function compareStaged({ engine, claim, signal }: Attempt): Promise<void> {
  if (engine.offload === undefined || claim.kind === 'preview') return
  await stageComparisons(engine.db, engine.offload, claim, signal)
}

/** The mutable state of an attempt. */
interface AttemptState {
  processedCount: number
  log: RunLog
  readonly wait: SourceWait
  readonly listener: AttemptListener
}

async function prepare(
  engine: Engine,
  claim: Claim,
  signal: AbortSignal,
  state: AttemptState,
): Promise<Attempt> {
  const { organizationId, integrationId } = claim
  const integration = await findRunnable(engine.db, organizationId, integrationId)
  const connector = integration && engine.connectors.get(integration.source)
  if (integration === undefined || connector === undefined) {
    throw new RunFailed('This installation has no connector for the source.')
  }
  noteSource(connector.source)
  const source = await openSourceSetup(engine, claim, connector, integration.configuration)
  const { secrets } = source
  state.log = new RunLog(createSecretHider(Object.values(secrets)), engine.getLogTime)
  const setup: Setup = {
    ...source,
    signal,
    log: (level, text) => state.log.add(level, text),
    sent: (statement, durationMs) => state.log.sent(statement, durationMs),
  }
  const origin = { integrationId, source: connector.source }
  const progress = createProgress(engine, claim, state)
  return { engine, claim, connector, setup, origin, signal, wait: state.wait, progress }
}

function createProgress(engine: Engine, claim: Claim, state: AttemptState): Attempt['progress'] {
  let reportedAtMs = Number.NEGATIVE_INFINITY
  return async (message, processedCount) => {
    state.processedCount = processedCount
    if (performance.now() - reportedAtMs < PROGRESS_MS) return
    reportedAtMs = performance.now()
    const update = { phase: 'listing' as const, message, processedCount }
    if (!(await updateProgress(engine.db, engine.clock, claim, update))) {
      throw new ClaimLost('another worker has the run')
    }
  }
}

async function end(
  engine: Engine,
  claim: Claim,
  error: unknown,
  state: AttemptState,
  log: Log,
): Promise<void> {
  noteOutcome(error)
  if (error instanceof ClaimLost) {
    log.warn('an ingestion run went to another worker')
    return
  }
  if (error instanceof HandedBack) {
    await releaseRun(engine.db, claim)
    return
  }
  if (error instanceof RunPostponed) return await postpone(engine, claim, error, state, log)
  // The run waits until its lease expires and is then claimed again.
  if (error instanceof StoreUnavailable) throw error
  const { status, message } = toRunEnd(error)
  if (status === 'FAILED') logFailure(error, state, log)
  const isRefused = error instanceof SourceFailure && error.kind === 'auth'
  const isPaused =
    isRefused && (await noteAuthentication(engine.db, engine.clock, claim, isRefused))
  const text = isPaused ? `${message} ${PAUSED}` : message
  state.log.add(status === 'FAILED' ? 'warn' : 'info', text)
  const counts = { ...NOTHING_CHANGED, processed: state.processedCount }
  await flush(engine, claim, state.log, log)
  const isClosed = await closeRun(engine.db, engine.clock, claim, { status, message: text, counts })
  if (isClosed) engine.observer?.runEnded(status)
}

async function postpone(
  engine: Engine,
  claim: Claim,
  { message, delayMs, cause }: RunPostponed,
  state: AttemptState,
  log: Log,
): Promise<void> {
  logFailure(cause, state, log)
  state.log.add(
    'warn',
    `${asSentence(message)} The run continues in ${Math.ceil(delayMs / 1000)} s.`,
  )
  // After the run is postponed, its log accepts no lines of this attempt.
  await flush(engine, claim, state.log, log)
  const delay = { message: asSentence(message), delayMs }
  const isCancelled = await postponeRun(engine.db, engine.clock, claim, delay)
  if (isCancelled) engine.observer?.runEnded('CANCELLED')
  state.listener.onPostponed(delayMs)
}

const PAUSED = 'The schedule is paused until the credentials are changed or it is enabled again.'

const NOTHING_CHANGED = { created: 0, updated: 0, deleted: 0, held: 0 }

function toRunEnd(error: unknown): Pick<RunEnd, 'status' | 'message'> {
  if (error instanceof RunCancelled) {
    return { status: 'CANCELLED', message: 'Cancelled. Nothing was published.' }
  }
  if (error instanceof RunFailed) return { status: 'FAILED', message: error.message }
  if (error instanceof SourceFailure) {
    return { status: 'FAILED', message: `${asSentence(error.message)} Nothing was published.` }
  }
  return {
    status: 'FAILED',
    message: 'An unexpected error occurred; see the server log. Nothing was published.',
  }
}

function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}

// A driver's message may contain confidential data: it appears only in the server log, redacted.
function logFailure(error: unknown, state: AttemptState, log: Log): void {
  const causes: string[] = []
  for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(state.log.hide(`${cause.name}: ${cause.message}`))
  }
  const isOurs = !(error instanceof SourceFailure || error instanceof RunFailed)
  const stack = isOurs && error instanceof Error ? state.log.hide(error.stack ?? '') : undefined
  log[isOurs ? 'error' : 'warn']({ causes, stack }, 'an ingestion run failed')
}

async function flush(engine: Engine, claim: Claim, runLog: RunLog, log: Log): Promise<void> {
  const lines = runLog.take()
  if (lines.length === 0) return
  try {
    await insertLogLines(engine.db, claim, lines)
  } catch (error) {
    log.warn({ err: error }, 'lines of the log of an ingestion run are lost')
  }
}
