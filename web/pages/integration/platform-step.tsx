import { ChevronRight } from 'lucide-react'
import { classNames } from '../../parts/class-names.ts'
import { PlatformMark } from '../../parts/platform-mark.tsx'
import { messageFor } from '../../parts/schema-form-values.ts'
import type { Wizard } from './use-wizard.ts'

/** The choice of the platform to connect. */
export function PlatformStep({ wizard }: { wizard: Wizard }) {
  const error = messageFor(wizard.violations, 'source')
  return (
    <>
      <p className="text-muted">
        Portbook reads the tables and columns of a platform, never their rows. Read-only access is
        enough.
      </p>
      <ul className="grid gap-3">
        {wizard.sources.map((platform) => {
          const { source, title, summary } = platform
          const isChosen = wizard.draft.source === source
          return (
            <li key={source}>
              <button
                type="button"
                aria-current={isChosen || undefined}
                className={classNames(
                  'flex w-full items-center gap-3 rounded-md border p-3 text-left hover:bg-hover',
                  isChosen ? 'border-accent bg-accent-soft' : 'border-line-strong/60',
                )}
                onClick={() => wizard.choosePlatform(platform)}
              >
                <PlatformMark source={source} size={32} />
                <span className="min-w-0 flex-1">
                  <span className="block font-medium">{title}</span>
                  <span className="block text-sm text-muted">{summary}</span>
                </span>
                <ChevronRight size={16} aria-hidden className="shrink-0 text-faint" />
              </button>
            </li>
          )
        })}
      </ul>
      {error !== undefined && (
        <p role="alert" className="text-critical">
          {error}
        </p>
      )}
    </>
  )
}
