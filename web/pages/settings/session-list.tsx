import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'

/** A session in a list. */
export type ListedSession = Schemas['ListedSession']

interface SessionListProps {
  sessions: readonly ListedSession[]
  /** The id of the session that is being ended; undefined = none. */
  endingId: string | undefined
  onEnd: (session: ListedSession) => void
}

/** Sessions with their devices, each with a button that ends it. */
export function SessionList({ sessions, endingId, onEnd }: SessionListProps) {
  return (
    <ul className="divide-y divide-line">
      {sessions.map((session) => (
        <li key={session.id} className="flex flex-wrap items-start justify-between gap-3 py-3">
          <div className="min-w-0">
            <p className="user-text font-medium">
              {session.device ?? 'Unknown device'}
              {session.isCurrent && (
                <span className="ml-2">
                  <Status tone="positive">This session</Status>
                </span>
              )}
            </p>
            <p className="user-text text-sm text-muted">
              {[describeStart(session), session.client].filter((one) => one !== null).join(' · ')}
            </p>
            <p className="text-sm text-muted">
              Began <Time at={session.startedAt} />, last used <Time at={session.lastUsedAt} />,
              ends <Time at={session.endsAt} />
            </p>
          </div>
          {!session.isCurrent && (
            <Button busy={endingId === session.id} onClick={() => onEnd(session)}>
              End session
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

const METHODS = {
  password: 'Password',
  invitation: 'Invitation',
  reset: 'Reset link',
  'set-up': 'Setup link',
} as const

function describeStart({ method, provider, organization }: ListedSession): string | null {
  if (method === null) return null
  if (method !== 'provider') return METHODS[method]
  return `${provider ?? 'Identity provider'}, only for ${organization ?? 'its organization'}`
}
