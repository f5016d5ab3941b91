import type { Schemas } from '../../api/client.ts'
import { TestOutcome } from '../../documents/test-outcome.tsx'
import { Link } from '../../parts/link.tsx'
import { Tag } from '../../parts/status.tsx'
import { exactTime, Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'

/** A check of a contract with its newest outcomes. */
export type ContractCheck = Schemas['ContractCheck']

type Mark = ContractCheck['history'][number]

const MARKS_SHOWN = 30

/** The outcome of a check: the newest one, the marks of the last 30, and a line of the measured values. */
export function CheckHistory({
  check,
  namesServer,
}: {
  check: ContractCheck
  namesServer: boolean
}) {
  const { outcome, failingSince, testedAt, isStale, history, server } = check
  const marks = history.slice(-MARKS_SHOWN)
  const last = marks.at(-1)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <TestOutcome outcome={outcome} />
      {isStale && <Tag>Stale</Tag>}
      {namesServer && server !== '' && <span className="user-text text-muted">{server}</span>}
      <Marks marks={marks} />
      <TrendLine marks={marks} />
      {last !== undefined && last.resultId !== null && (
        <Link href={paths.testResult(last.resultId)} className="flex min-h-6 items-center">
          <Time at={testedAt} />
        </Link>
      )}
      {failingSince !== null && (
        <span className="text-muted">
          Failing since <Time at={failingSince} />
        </span>
      )}
    </div>
  )
}

const MARK_WIDTH = 6
const MARK_HEIGHT = 14

// Each outcome has a height and a color, so that it is known without the color.
const LOOKS: Readonly<Record<Mark['outcome'], { height: number; className: string }>> = {
  passed: { height: 5, className: 'fill-positive' },
  warning: { height: 9, className: 'fill-caution' },
  failed: { height: 14, className: 'fill-critical' },
  error: { height: 14, className: 'fill-critical' },
  info: { height: 3, className: 'fill-muted' },
  skipped: { height: 3, className: 'fill-muted' },
  unknown: { height: 3, className: 'fill-muted' },
}

function Marks({ marks }: { marks: readonly Mark[] }) {
  const width = marks.length * MARK_WIDTH
  return (
    <svg
      role="img"
      aria-label={describeMarks(marks)}
      width={width}
      height={MARK_HEIGHT}
      viewBox={`0 0 ${width} ${MARK_HEIGHT}`}
    >
      {marks.map(({ outcome, testedAt }, at) => {
        const { height, className } = LOOKS[outcome]
        return (
          <rect
            key={`${testedAt} ${at}`}
            x={at * MARK_WIDTH}
            y={MARK_HEIGHT - height}
            width={MARK_WIDTH - 2}
            height={height}
            className={className}
          >
            <title>{`${outcome}, ${exactTime(testedAt)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}

function describeMarks(marks: readonly Mark[]): string {
  const passed = marks.filter(({ outcome }) => outcome === 'passed').length
  return `${passed} of the last ${marks.length} tests passed`
}

const LINE_WIDTH = 80

function TrendLine({ marks }: { marks: readonly Mark[] }) {
  const values = marks.map(({ value }) => value).filter((value) => value !== null)
  if (values.length < 2) return null
  const [min, max] = [Math.min(...values), Math.max(...values)]
  const toY = (value: number): number =>
    max === min ? MARK_HEIGHT / 2 : 1 + (1 - (value - min) / (max - min)) * (MARK_HEIGHT - 2)
  const points = values.map(
    (value, at) =>
      `${((at / (values.length - 1)) * LINE_WIDTH).toFixed(1)},${toY(value).toFixed(1)}`,
  )
  return (
    <svg
      role="img"
      aria-label={`Measured from ${values[0]} to ${values.at(-1)}`}
      width={LINE_WIDTH}
      height={MARK_HEIGHT}
      viewBox={`0 0 ${LINE_WIDTH} ${MARK_HEIGHT}`}
      className="stroke-accent"
    >
      <polyline points={points.join(' ')} fill="none" strokeWidth="1.5" />
    </svg>
  )
}
