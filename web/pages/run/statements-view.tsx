import { Timer } from 'lucide-react'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { countText } from '../../parts/number-text.ts'
import { durationText } from '../../parts/time.tsx'
import { useLog } from './log-view.tsx'
import { statementsIn } from './statements.ts'
import type { RunName } from './use-run.ts'

/** The slowest statements or requests of a run. */
export function StatementsView({ name, isRunning }: { name: RunName; isRunning: boolean }) {
  const log = useLog(name, isRunning)
  return (
    <QueryPanel title="Slowest statements" flush query={log}>
      {(lines) => {
        const found = statementsIn(lines)
        if (found === undefined) {
          return (
            <Empty icon={Timer} title="No statements to show">
              {isRunning
                ? 'They appear when the source has been read.'
                : 'The run ended before the source was read, or its log has expired.'}
            </Empty>
          )
        }
        return (
          <>
            <p className="border-b border-line px-4 py-2 text-muted">
              {countText(found.count, 'statement')} took {durationText(found.totalMs)} in total. The
              slowest:
            </p>
            <ol>
              {found.slowest.map(({ statement, durationMs }, at) => (
                <li
                  key={`${at} ${statement}`}
                  className="flex gap-4 border-b border-line px-4 py-2 last:border-0"
                >
                  <span className="w-20 shrink-0 text-right">{durationText(durationMs)}</span>
                  <code className="user-text min-w-0 whitespace-pre-wrap">{statement}</code>
                </li>
              ))}
            </ol>
          </>
        )
      }}
    </QueryPanel>
  )
}
