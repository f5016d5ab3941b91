import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Status, type Tone } from '../../parts/status.tsx'
import { numberText } from '../../parts/time.tsx'
import { VirtualRows } from '../../parts/virtual-rows.tsx'
import type { Preview } from './use-trials.ts'

type Decision = Preview['scopes'][number]['decision']

const DECISIONS: readonly { decision: Decision; title: string; tone: Tone }[] = [
  { decision: 'included', title: 'Comes in', tone: 'positive' },
  { decision: 'excluded', title: 'Left out', tone: 'off' },
  { decision: 'denied', title: 'Not readable', tone: 'critical' },
]

/** What the filters take in, leave out, and what the source does not show. */
export function PreviewResult({ preview, plural }: { preview: Preview; plural: string }) {
  const { counts, scopes, problem } = preview
  const [shown, setShown] = useState<Decision | 'all'>('all')
  const rows = shown === 'all' ? scopes : scopes.filter(({ decision }) => decision === shown)
  const total = counts.included + counts.excluded + counts.denied
  return (
    <div className="grid gap-3">
      {problem !== null && (
        <Notice tone="critical" title="The source could not be listed to its end">
          {problem}
        </Notice>
      )}
      <p>
        Of the {plural}, {numberText(counts.included)} come in, {numberText(counts.excluded)} are
        left out, {numberText(counts.denied)} are not readable.
      </p>
      {total > 0 && (
        <>
          <div role="group" aria-label="Show" className="flex flex-wrap gap-1">
            <Choice isChosen={shown === 'all'} onChoose={() => setShown('all')}>
              All {numberText(total)}
            </Choice>
            {DECISIONS.filter(({ decision }) => counts[decision] > 0).map(({ decision, title }) => (
              <Choice
                key={decision}
                isChosen={shown === decision}
                onChoose={() => setShown(decision)}
              >
                {title} {numberText(counts[decision])}
              </Choice>
            ))}
          </div>
          <VirtualRows
            label={`What of the ${plural} comes in`}
            rows={rows}
            keyOf={({ path, kind }) => JSON.stringify([kind, path])}
            rowHeight={36}
            className="max-h-80 rounded-md border border-line"
          >
            {(scope) => <ScopeRow scope={scope} />}
          </VirtualRows>
        </>
      )}
      {scopes.length < total && (
        <p className="text-sm text-muted">
          The first {numberText(scopes.length)} of {numberText(total)} are shown; the counts are of
          all.
        </p>
      )}
    </div>
  )
}

interface ChoiceProps {
  isChosen: boolean
  onChoose: () => void
  children: React.ReactNode
}

function Choice({ isChosen, onChoose, children }: ChoiceProps) {
  return (
    <Button
      aria-pressed={isChosen}
      className={isChosen ? 'border-accent! bg-accent-soft! text-accent!' : ''}
      onClick={onChoose}
    >
      {children}
    </Button>
  )
}

function ScopeRow({ scope }: { scope: Preview['scopes'][number] }) {
  const { path, kind, decision, message } = scope
  const look = DECISIONS.find((one) => one.decision === decision)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-3 py-1.5">
      <span className="user-text min-w-0 flex-1">
        {path.join('.')} <span className="text-xs text-faint">{kind}</span>
      </span>
      <Status tone={look?.tone ?? 'neutral'}>{look?.title ?? decision}</Status>
      {message !== undefined && (
        <span className="user-text w-full text-sm text-muted">{message}</span>
      )}
    </div>
  )
}
