/** Checks of sources: steps that yield findings, and what to do about a failure. */

import { SourceFailure, type FailureKind, type Finding, type Setup } from './connector.ts'

const CHECK_TIMEOUT_MS = 10_000

/** Returns the finding of a step that works. */
export function pass(what: string): Finding {
  return { state: 'ok', what }
}

/** Returns the finding of what runs leave out or do less safely. */
export function warn(what: string, hint: string): Finding {
  return { state: 'warning', what, hint }
}

/** Returns the finding of what keeps runs from working. */
export function reject(what: string, hint: string): Finding {
  return { state: 'error', what, hint }
}

/** Returns the finding of a server that belongs to another platform of the same protocol. */
export function warnOfPlatform(what: string, expected: string): Finding {
  const hint = `Its assets will have the types of ${expected}. Choose the platform that the server runs.`
  return warn(what, hint)
}

/** A check of a source. */
interface SourceCheck<Session extends { close(): unknown }> {
  setup: Setup
  /** Connects. Errors: SourceFailure. */
  open(bounded: Setup): Promise<Session>
  /** Yields what works and what does not. An error ends the check. */
  steps(session: Session, bounded: Setup): AsyncIterable<Finding>
  /** Describes the error that ended the check, or throws it. */
  explain(error: unknown, progress: CheckProgress): Finding
}

/** The point at which a check failed. */
interface CheckProgress {
  /** Whether the time of the check was up. */
  isLate: boolean
  isOpen: boolean
}

/** Runs a check for at most ten seconds. Findings before a failure are kept. */
export async function runCheck<Session extends { close(): unknown }>({
  setup,
  open,
  steps,
  explain,
}: SourceCheck<Session>): Promise<Finding[]> {
  const late = AbortSignal.timeout(CHECK_TIMEOUT_MS)
  const bounded = { ...setup, signal: AbortSignal.any([setup.signal, late]) }
  const findings: Finding[] = []
  let session: Session | undefined
  try {
    session = await open(bounded)
    for await (const finding of steps(session, bounded)) findings.push(finding)
  } catch (error) {
    const isLate = late.aborted && !setup.signal.aborted
    findings.push(explain(error, { isLate, isOpen: session !== undefined }))
  } finally {
    await session?.close()
  }
  return findings
}

/** The advice for each kind of failure, which may depend on the failure. */
export type Advice = Readonly<
  Partial<Record<FailureKind, string | ((failure: SourceFailure) => string)>>
>

const USUAL_ADVICE: Advice = { rate_limited: 'Try again later' }

/** A check of a service: its failures are findings, with advice for each kind. */
interface ServiceCheck<Session extends { close(): unknown }> extends Omit<
  SourceCheck<Session>,
  'explain'
> {
  /** The subject of messages. */
  service: string
  advice: Advice
  /** Advice that precedes the one for the kind; undefined if it does not apply. */
  findAdvice?(failure: SourceFailure): string | undefined
  /** The addresses to which credentials are sent, and what they are. */
  addresses?: { urls: readonly (string | undefined)[]; place: string; sent?: string }
}

/** Runs the check of a service. */
export async function checkService<Session extends { close(): unknown }>(
  check: ServiceCheck<Session>,
): Promise<Finding[]> {
  const findings = await runCheck({ ...check, explain: (...what) => explain(check, ...what) })
  return [...listClearText(check), ...findings]
}

function explain<Session extends { close(): unknown }>(
  { service, advice, findAdvice }: ServiceCheck<Session>,
  failure: unknown,
  { isLate }: CheckProgress,
): Finding {
  if (!(failure instanceof SourceFailure)) throw failure
  if (isLate) return reject(`${service} did not answer within ten seconds`, 'Retry')
  const found = { ...USUAL_ADVICE, ...advice }[failure.kind] ?? 'Try again'
  const hint = typeof found === 'string' ? found : found(failure)
  return reject(failure.message, findAdvice?.(failure) ?? hint)
}

function listClearText<Session extends { close(): unknown }>({
  addresses,
}: ServiceCheck<Session>): Finding[] {
  if (!addresses?.urls.some((url) => url?.startsWith('http:'))) return []
  const { place, sent = 'The credentials are' } = addresses
  const hint = `Use https unless the network to the ${place} is private`
  return [warn(`${sent} sent without encryption`, hint)]
}

/** Returns a number with its noun: `1 catalog`, `2 catalogs`. */
export function describeCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
