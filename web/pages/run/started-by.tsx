import type { Run } from '../../api/runs.ts'
import { usePrincipalName } from '../../api/session.ts'

/** The person, the API key or the schedule that started a run. */
export function StartedBy({ run: { startedBy } }: { run: Run }) {
  const name = usePrincipalName(startedBy)
  if (startedBy === 'system') return <span>Started by schedule</span>
  if (name === undefined) return null
  const isKey = startedBy.startsWith('api-key:')
  if (name === null)
    return <span>Started by {isKey ? 'a deleted API key' : 'a former member'}</span>
  return (
    <span className="user-text">
      Started by {isKey && 'the API key '}
      {name}
    </span>
  )
}
