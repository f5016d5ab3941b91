import { useState } from 'react'
import { api, client, readBody } from '../api/client.ts'
import { may, usePrincipalName, useSession, type SignedIn } from '../api/session.ts'
import { Input } from '../parts/field.tsx'
import { Link } from '../parts/link.tsx'
import { Panel } from '../parts/page.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { paths } from '../paths.ts'
import { ActionButton } from '../shell/action-dialog.tsx'
import { describeAudience, describeCause, type Incident } from './incident-words.ts'
import { TeamLink } from './team-link.tsx'
import { TRUST_DATA } from './trust-data.ts'

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
  const session = useSession()
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
        {status !== 'resolved' && mayAcknowledge(session, incident) && (
          <span className="sm:ml-auto">
            <Acknowledge incident={incident} />
          </span>
        )}
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

// Consumers see the note; a button that they cannot press would not help them.
function mayAcknowledge(session: SignedIn, { ownerId, providerIds }: Incident): boolean {
  return (
    may(session, 'DATACONTRACT_EDIT', ownerId).allowed ||
    providerIds.some((team) => may(session, 'DATAPRODUCT_EDIT', team).allowed)
  )
}

function IncidentFacts({ incident }: { incident: Incident }) {
  const lines = describeCause(incident)
  return (
    <div className="grid gap-0.5 text-sm">
      {lines.length > 0 && (
        <ul>
          {lines.map(({ text, at }) => (
            <li key={text} className="user-text">
              {text}
              {at !== undefined && (
                <>
                  {' '}
                  <Time at={at} />.
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <CauseLink incident={incident} />
    </div>
  )
}

function CauseLink({ incident: { kind, facts, dataContractId } }: { incident: Incident }) {
  const look = 'flex min-h-6 w-fit items-center'
  if (kind === 'test' && typeof facts.resultId === 'string') {
    return (
      <Link href={paths.testResult(facts.resultId)} className={look}>
        Test result
      </Link>
    )
  }
  if (kind === 'access') {
    return (
      <p>
        The <Link href={paths.dataContract(dataContractId)}>data products of the contract</Link>{' '}
        show in their view <em>Access</em> who has it.
      </p>
    )
  }
  return (
    <Link href={paths.dataContract(dataContractId, { view: 'reality' })} className={look}>
      {kind === 'drift' ? 'Compare contract and tables' : 'Freshness of its tables'}
    </Link>
  )
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

// The newest occasion: the opening, or the resolution.
function Notified({ incident: { notified } }: { incident: Incident }) {
  const last = notified.at(-1)
  if (last === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <span>
        Notified <Time at={last.at} />
        {last.teams.length > 0 ? ':' : `: ${describeAudience(last)}`}
      </span>
      {last.teams.slice(0, TEAMS_SHOWN_MAX).map((team) => (
        <TeamLink key={team} id={team} />
      ))}
      {last.teams.length > 0 && <span>{describeAudience(last)}</span>}
    </div>
  )
}

const TEAMS_SHOWN_MAX = 5

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
      refresh={['/api/incidents', ...TRUST_DATA]}
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
