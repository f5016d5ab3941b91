import { useState } from 'react'
import { api, client, readBody, type Schemas } from '../api/client.ts'
import { usePrincipalName } from '../api/session.ts'
import { Input } from '../parts/field.tsx'
import { Link } from '../parts/link.tsx'
import { countText } from '../parts/number-text.ts'
import { Panel } from '../parts/page.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { paths } from '../paths.ts'
import { ActionButton } from '../shell/action-dialog.tsx'

/** An incident of a data contract. */
export type Incident = Schemas['Incident']

const STATUSES = {
  open: ['critical', 'Open'],
  acknowledged: ['caution', 'Acknowledged'],
  resolved: ['positive', 'Resolved'],
} as const

const SHOWN_MAX = 5

/** The incidents of a contract, or of the contracts of a data product, that are not resolved; nothing without any. */
export function IncidentsPanel(subject: { dataContractId: string } | { dataProductId: string }) {
  const query = api.useQuery('get', '/api/incidents', {
    params: { query: { ...subject, size: 20 } },
  })
  const incidents = (query.data ?? []).filter(({ status }) => status !== 'resolved')
  if (incidents.length === 0) return null
  return (
    <Panel
      title="Incidents"
      marks={incidents.length}
      flush
      actions={
        <Link href={paths.incidents(subject)} className="flex min-h-6 items-center text-sm">
          All incidents
        </Link>
      }
    >
      <ul>
        {incidents.slice(0, SHOWN_MAX).map((incident) => (
          <IncidentItem key={incident.id} incident={incident} />
        ))}
      </ul>
    </Panel>
  )
}

/** An incident: its state, its facts, who was notified, and the acknowledgement. */
export function IncidentItem({ incident }: { incident: Incident }) {
  const { status, title, openedAt, resolvedAt, resolvedBecause, dataContractId } = incident
  const [tone, word] = STATUSES[status]
  return (
    <li className="grid gap-1 border-b border-line px-4 py-3 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Status tone={tone}>{word}</Status>
        <Link href={paths.dataContract(dataContractId)} className="user-text font-medium">
          {title}
        </Link>
        <span className="text-sm text-muted">
          since <Time at={openedAt} />
        </span>
        {status !== 'resolved' && <Acknowledge incident={incident} />}
      </div>
      <IncidentFacts incident={incident} />
      <Acknowledgement incident={incident} />
      {resolvedAt !== null && (
        <p className="text-sm text-muted">
          Resolved <Time at={resolvedAt} />. {resolvedBecause}
        </p>
      )}
      <Notified incident={incident} />
    </li>
  )
}

function IncidentFacts({ incident: { facts } }: { incident: Incident }) {
  const { resultId, checks } = facts
  const names = (Array.isArray(checks) ? checks : []).map(toCheckName).filter((name) => name !== '')
  if (typeof resultId !== 'string') return null
  return (
    <p className="user-text text-sm">
      {names.length > 0 && `${names.join(', ')}. `}
      <Link href={paths.testResult(resultId)}>Test result</Link>
    </p>
  )
}

function toCheckName(check: unknown): string {
  if (typeof check !== 'object' || check === null || !('name' in check)) return ''
  return typeof check.name === 'string' ? check.name : ''
}

function Acknowledgement({ incident }: { incident: Incident }) {
  const { acknowledgedAt, acknowledgedBy, note } = incident
  const name = usePrincipalName(acknowledgedBy ?? '')
  if (acknowledgedAt === null) return null
  return (
    <p className="user-text text-sm">
      Acknowledged by {name} <Time at={acknowledgedAt} />
      {note !== null && `: ${note}`}
    </p>
  )
}

// The newest occasion; people of a channel are not counted.
function Notified({ incident: { notified } }: { incident: Incident }) {
  const last = notified.at(-1)
  if (last === undefined) return null
  const people = Object.values(last.people).reduce((sum, count) => sum + count, 0)
  const parts = [
    countText(people, 'person', 'people'),
    last.channelCount > 0 ? countText(last.channelCount, 'channel') : '',
    last.digestCount > 0 ? `${last.digestCount} in the digest` : '',
  ].filter((part) => part !== '')
  return <p className="text-sm text-muted">Notified: {parts.join(', ')}</p>
}

const NOTE_CHARACTERS_MAX = 1000

function Acknowledge({ incident: { id, note: former } }: { incident: Incident }) {
  const [note, setNote] = useState(former ?? '')
  return (
    <ActionButton
      label={former === null ? 'Acknowledge' : 'Change the note'}
      title="Acknowledge the incident"
      button="Acknowledge"
      request={() =>
        readBody(
          client.POST('/api/incidents/{id}/acknowledge', {
            params: { path: { id } },
            body: { note },
          }),
        )
      }
      refresh={['/api/incidents']}
    >
      <span className="grid gap-2">
        Consumers see that your team takes care of it. It stays open until its cause is gone.
        <Input
          aria-label="Note for consumers"
          placeholder="Note for consumers"
          value={note}
          maxLength={NOTE_CHARACTERS_MAX}
          onChange={(event) => setNote(event.target.value)}
        />
      </span>
    </ActionButton>
  )
}
