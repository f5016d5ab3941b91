import { useId, useState } from 'react'
import { listActs, type ActsSource } from '../../documents/access/history-acts.ts'
import { Fold, FoldButton } from '../../parts/fold.tsx'
import { ToneIcon } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'

/** The acts of an agreement, the newest first; folded. */
export function HistoryPanel({ agreement }: { agreement: ActsSource }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const acts = listActs(agreement)
  return (
    <section className="min-w-0 rounded-lg border border-line bg-surface">
      <header className="flex min-h-11 items-center gap-2 px-4 py-1.5">
        <h2 className="text-base">
          <FoldButton isOpen={isOpen} controls={id} onToggle={() => setOpen(!isOpen)}>
            History
            <span className="figures ml-2 font-normal text-muted">{acts.length}</span>
          </FoldButton>
        </h2>
      </header>
      <Fold id={id} isOpen={isOpen} onFound={() => setOpen(true)}>
        <ol className="grid gap-3 border-t border-line p-4">
          {acts.map(({ key, word, tone, at, byName }) => (
            <li key={key} className="flex gap-2">
              <span className="mt-0.5">
                <ToneIcon tone={tone} />
              </span>
              <div className="min-w-0">
                <p>{word}</p>
                <p className="user-text text-sm text-muted">
                  {byName ?? 'Deleted account'}, <Time at={at} />
                </p>
              </div>
            </li>
          ))}
        </ol>
      </Fold>
    </section>
  )
}
