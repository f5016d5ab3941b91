import { SourceFailure, type Finding, type Setup } from '../connector.ts'

const CHECK_TIMEOUT_MS = 10_000

/** The steps of a check, which add their findings. */
export type CheckSteps = (setup: Setup, findings: Finding[]) => Promise<void>

/**
 * Runs a check for at most ten seconds. A failure of the source ends it with a finding and the hint
 * for it.
 */
export async function runCheck(
  service: string,
  setup: Setup,
  steps: CheckSteps,
  getHint: (failure: SourceFailure) => string,
): Promise<Finding[]> {
  const late = AbortSignal.timeout(CHECK_TIMEOUT_MS)
  const bounded = { ...setup, signal: AbortSignal.any([setup.signal, late]) }
  const findings: Finding[] = []
  try {
    await steps(bounded, findings)
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    const isLate = late.aborted && !setup.signal.aborted
    findings.push(
      isLate
        ? { state: 'error', what: `${service} did not answer within ten seconds`, hint: 'Retry' }
        : { state: 'error', what: error.message, hint: getHint(error) },
    )
  }
  return findings
}

/** Returns a number with its noun: `1 catalog`, `2 catalogs`. */
export function describeCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
