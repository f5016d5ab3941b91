import type { Schemas } from '../api/client.ts'
import { Link } from '../parts/link.tsx'
import { countText } from '../parts/number-text.ts'
import { Status, type Tone } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { paths } from '../paths.ts'
import { newTable } from '../../formats/name/table.ts'

/** A test result without its checks and logs. */
export type TestResult = Schemas['TestResultSummary']

const TONES = newTable<Tone>({
  passed: 'positive',
  warning: 'caution',
  failed: 'critical',
  error: 'critical',
})

const TITLES = newTable<string>({
  passed: 'Passed',
  warning: 'Warning',
  failed: 'Failed',
  error: 'Error',
  info: 'Info',
  skipped: 'Skipped',
})

/** The outcome of a test or of one of its checks. */
export function TestOutcome({ outcome }: { outcome: string }) {
  return <Status tone={TONES[outcome] ?? 'neutral'}>{TITLES[outcome] ?? 'Unknown'}</Status>
}

/** Returns how many checks passed, in words; undefined if it is not known. */
export function describeChecks({ checkCount, passedCount = 0 }: TestResult): string | undefined {
  if (checkCount === undefined || checkCount === 0) return undefined
  if (passedCount === checkCount) return `${countText(checkCount, 'check')} passed`
  return `${passedCount} of ${countText(checkCount, 'check')} passed`
}

/** The outcome of a test with its checks and time, linked to the page of the result. */
export function LatestTest({ result }: { result: TestResult }) {
  const checks = describeChecks(result)
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <TestOutcome outcome={result.result} />
      <Link href={paths.testResult(result.id)} className="flex min-h-6 items-center">
        <Time at={result.testedAt} />
      </Link>
      {checks !== undefined && <span className="text-muted">{checks}</span>}
    </span>
  )
}
