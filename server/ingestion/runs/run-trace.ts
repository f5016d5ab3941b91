import { SourceFailure } from '../../connectors/connector.ts'
import { getErrorType, getSpan, traceRoot, type Tracer } from '../../platform/kit/tracing.ts'
import type { Claim } from './claim.ts'
import { ClaimLost, HandedBack, RunCancelled, RunPostponed } from './engine.ts'

/** The ends of an attempt that are not failures. */
const OUTCOMES = [
  [ClaimLost, 'lost'],
  [HandedBack, 'handed_back'],
  [RunCancelled, 'cancelled'],
  [RunPostponed, 'postponed'],
] as const

/** Runs an attempt at a run as a trace, if there is a tracer. Its lines in the log name the run. */
export function traceAttempt(
  tracer: Tracer | undefined,
  { kind, attempt }: Claim,
  work: () => Promise<void>,
): Promise<void> {
  const attributes = { 'portbook.run.kind': kind, 'portbook.run.attempt': attempt }
  return traceRoot(tracer, `run ${kind}`, { attributes }, work)
}

/** Records the kind of source of the attempt. */
export function noteSource(source: string): void {
  getSpan()?.setAttributes({ 'portbook.run.source': source })
}

/** Records how the attempt ended; undefined = well. */
export function noteOutcome(error?: unknown): void {
  const span = getSpan()
  if (span === undefined) return
  const usual = OUTCOMES.find(([kind]) => error instanceof kind)?.[1]
  const outcome = error === undefined ? 'success' : (usual ?? 'failed')
  span.setAttributes({ 'portbook.run.outcome': outcome })
  if (outcome !== 'failed') return
  span.fail(error instanceof SourceFailure ? error.kind : getErrorType(error))
}
