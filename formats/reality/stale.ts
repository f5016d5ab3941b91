// A test result counts for a time, and for the major version of the contract that was tested.

/** The time for which a result counts if the contract states none in `testsValidFor`. */
const VALID_SECONDS_USUAL = 7 * 24 * 60 * 60

/** A test, and the contract as it is now. */
interface TestedPromise {
  testedAtMs: number
  /** The version of the contract that was tested; null = the result names none. */
  testedVersion: string | null
  nowMs: number
  /** The version of the contract now; null = it has none. */
  version: string | null
  /** The time for which a result counts; null = the usual time. */
  validSeconds: number | null
}

/** The reason why a result no longer counts: the contract has another major version, or the seconds that it counted. */
type Staleness = { because: 'version' } | { because: 'age'; validSeconds: number }

/** Returns the first millisecond since 1970 at which a test result is out of date by its age. */
export function getStaleMs({
  testedAtMs,
  validSeconds,
}: Pick<TestedPromise, 'testedAtMs' | 'validSeconds'>): number {
  // A result counts until the end of that millisecond.
  return Math.floor(testedAtMs + getValidSeconds(validSeconds) * 1000) + 1
}

function getValidSeconds(validSeconds: number | null): number {
  return validSeconds ?? VALID_SECONDS_USUAL
}

/** Returns why a test result is out of date; undefined if it counts. */
export function findStaleness(test: TestedPromise): Staleness | undefined {
  const [tested, current] = [readMajor(test.testedVersion), readMajor(test.version)]
  if (tested !== undefined && current !== undefined && tested !== current) {
    return { because: 'version' }
  }
  const ageSeconds = (test.nowMs - test.testedAtMs) / 1000
  const validSeconds = getValidSeconds(test.validSeconds)
  return ageSeconds <= validSeconds ? undefined : { because: 'age', validSeconds }
}

// `v2.1` and `2` have the same major version; other texts have none.
function readMajor(version: string | null): string | undefined {
  return /^v?(\d{1,9})(?:\.|$)/.exec(version ?? '')?.[1]
}
