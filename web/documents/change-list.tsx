import type { Schemas } from '../api/client.ts'
import { ChangeLevel } from '../parts/status.tsx'

type Change = Schemas['Change']

const ORDER = ['breaking', 'additive', 'wording']
const SHOWN_MAX = 200

/** The changes by meaning in words, breaking ones first. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const sorted = changes.toSorted((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level))
  const rest = sorted.length - SHOWN_MAX
  return (
    <ul className="grid gap-2">
      {sorted.slice(0, SHOWN_MAX).map((change, at) => (
        <li key={`${change.path} ${at}`} className="grid gap-x-3 gap-y-0.5 sm:grid-cols-[8rem_1fr]">
          <span>
            <ChangeLevel level={change.level} />
          </span>
          <div className="min-w-0">
            <p className="user-text">{change.message}</p>
            {change.path !== '' && (
              <code className="user-text line-clamp-2 text-xs text-faint">{change.path}</code>
            )}
          </div>
        </li>
      ))}
      {rest > 0 && <li className="text-muted">And {rest} more changes.</li>}
    </ul>
  )
}
