import { Download, ScrollText } from 'lucide-react'
import { useCallback, useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { classNames } from '../../parts/class-names.ts'
import { newDateFormat } from '../../parts/date-format.ts'
import { Checkbox } from '../../parts/field.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { ToneIcon } from '../../parts/status.tsx'
import { countText } from '../../parts/number-text.ts'
import { download } from '../../parts/download.ts'
import { VirtualRows } from '../../parts/virtual-rows.tsx'
import { logText, type LogLine } from './statements.ts'
import { getPollInterval, type RunName } from './use-run.ts'

/** The log of a run, live while it runs. */
export function LogView({ name, isRunning }: { name: RunName; isRunning: boolean }) {
  const log = useLog(name, isRunning)
  const [follows, setFollows] = useState(isRunning)
  const leaveEnd = useCallback(() => setFollows(false), [])
  const lines = log.data ?? []
  const fileName = `${name.externalId}-${name.ingestionRunId}.log`
  return (
    <QueryPanel
      title="Log"
      marks={log.data === undefined ? undefined : countText(lines.length, 'line')}
      flush
      actions={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Checkbox
            label="Follow"
            checked={follows}
            onChange={(event) => setFollows(event.target.checked)}
          />
          <Button
            icon={Download}
            reason={lines.length === 0 ? 'The log is empty.' : undefined}
            onClick={() => download(logText(lines), 'text/plain', fileName)}
          >
            Download
          </Button>
        </div>
      }
      query={log}
      empty={
        <Empty icon={ScrollText} title="The log is empty">
          {isRunning
            ? 'Lines appear as soon as a worker has claimed the run.'
            : 'Logs are kept for 90 days. A run that was cancelled before it started has none.'}
        </Empty>
      }
    >
      {(found) => (
        <VirtualRows
          label="Log lines"
          rows={found}
          getKey={(_, at) => String(at)}
          rowHeight={28}
          className="max-h-[32rem] py-1"
          follows={follows}
          onLeaveEnd={leaveEnd}
        >
          {(line) => <Line line={line} />}
        </VirtualRows>
      )}
    </QueryPanel>
  )
}

/** Loads the log of a run, and polls it while the run is in progress. */
export function useLog({ externalId, ingestionRunId }: RunName, isRunning: boolean) {
  return api.useQuery(
    'get',
    '/ui/integrations/{externalId}/runs/{ingestionRunId}/log',
    { params: { path: { externalId, ingestionRunId } } },
    { refetchInterval: getPollInterval(isRunning), staleTime: 0 },
  )
}

const CLOCK = newDateFormat({ timeStyle: 'medium' })

function Line({ line: { at, level, text } }: { line: LogLine }) {
  const isWarning = level === 'warn'
  return (
    <div className="flex gap-3 px-4 py-0.5 font-mono text-sm">
      <time dateTime={at} className="shrink-0 text-faint">
        {CLOCK.format(new Date(at))}
      </time>
      <span className={classNames('flex w-5 shrink-0 justify-center pt-1')}>
        {isWarning && <ToneIcon tone="caution" />}
        <span className="sr-only">{isWarning ? 'Warning' : 'Information'}</span>
      </span>
      <span
        className={classNames('user-text min-w-0 whitespace-pre-wrap', isWarning && 'text-caution')}
      >
        {text}
      </span>
    </div>
  )
}
