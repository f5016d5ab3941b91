import type { Run } from '../../api/runs.ts'
import { usePrincipalNames } from '../../api/session.ts'

/** The person, the API key or the schedule that started a run. */
export function StartedBy({ run: { startedBy } }: { run: Run }) {
  const getName = usePrincipalNames([startedBy])
  if (startedBy === 'system') return <span>Started by schedule</span>
  const name = getName(startedBy)
  const isKey = startedBy.startsWith('api-key:')
  // A deleted key or account has no name.
  const isKnown = name !== startedBy
  if (!isKnown) return <span>Started by {isKey ? 'a deleted API key' : 'a former member'}</span>
  return (
    <span className="user-text">
      Started by {isKey && 'the API key '}
      {name}
    </span>
  )
}
