import { useState } from 'react'
import { client } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { ActionButton } from '../../shell/action-dialog.tsx'
import { paths } from '../../paths.ts'
import { AcceptDialog } from './accept-dialog.tsx'
import { getLastDay } from './acceptance-days.ts'
import { DRIFT_DATA } from './drift-data.ts'
import { describeResolution, describeSides, getFindingState, type Finding } from './drift-words.ts'
import { getAspectTitle, nameFinding } from './finding-names.ts'

/** The text of one side of a finding. */
export function FindingSide({ finding, side }: { finding: Finding; side: 'promised' | 'actual' }) {
  const text = describeSides(finding)[side]
  const isAbsent = finding[side] === null
  return isAbsent ? (
    <span className="text-muted">{text}</span>
  ) : (
    <code className="user-text line-clamp-4 [overflow-wrap:anywhere]">{text}</code>
  )
}

/** The kind of a difference, with its level. */
export function FindingAspect({ finding: { aspect, level } }: { finding: Finding }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {getAspectTitle(aspect)}
      {level === 'breaking' ? (
        <Status tone="critical">Breaking</Status>
      ) : (
        <Status tone="neutral">Keeps the promise</Status>
      )}
    </span>
  )
}

/** The first time a difference was seen, with the run that found it. */
export function FindingSince({ finding }: { finding: Finding }) {
  const { since, firstRunId, integration } = finding
  return (
    <span className="grid">
      <Time at={since} />
      <span className="text-sm text-muted">
        {firstRunId === null ? (
          'by a change of the contract'
        ) : integration === null ? (
          'by a run'
        ) : (
          <Link
            href={paths.run(integration, firstRunId)}
            className="inline-flex min-h-6 items-center"
          >
            Run
          </Link>
        )}
      </span>
    </span>
  )
}

/** The acceptance of a finding in full: its end, reason and author. */
export function AcceptanceText({ acceptance }: { acceptance: NonNullable<Finding['acceptance']> }) {
  const { until, reason, byName } = acceptance
  return (
    <span className="user-text block text-sm text-muted">
      Accepted until {getLastDay(until)}
      {byName === null ? '' : ` by ${byName}`}: {reason}
    </span>
  )
}

/** The state of a finding in lists of all states. */
export function FindingStatus({ finding }: { finding: Finding }) {
  const { acceptance, resolvedAt, resolvedBecause } = finding
  switch (getFindingState(finding)) {
    case 'resolved':
      return (
        <span className="grid gap-0.5">
          <Status tone="positive">Resolved</Status>
          <span className="text-sm text-muted">
            <Time at={resolvedAt} />: {describeResolution(resolvedBecause)}
          </span>
        </span>
      )
    case 'accepted':
      return (
        <span className="grid justify-items-start gap-0.5">
          <Status tone="caution">Accepted</Status>
          {acceptance !== null && <AcceptanceText acceptance={acceptance} />}
        </span>
      )
    case 'open':
      return <Status tone={finding.level === 'breaking' ? 'critical' : 'neutral'}>Open</Status>
  }
}

/** The buttons that accept a difference, or change and end its acceptance. */
export function FindingActions({ finding }: { finding: Finding }) {
  const [isOpen, setOpen] = useState(false)
  const { reason } = may(useSession(), 'DATACONTRACT_EDIT', finding.ownerId)
  const state = getFindingState(finding)
  if (state === 'resolved' || finding.level === 'additive') return null
  const name = nameFinding(finding)
  return (
    <span className="flex flex-wrap gap-2">
      <Button
        reason={reason}
        aria-label={`${state === 'accepted' ? 'Change acceptance' : 'Accept'}: ${name}`}
        onClick={() => setOpen(true)}
      >
        {state === 'accepted' ? 'Change…' : 'Accept…'}
      </Button>
      {state === 'accepted' && <EndAcceptance finding={finding} reason={reason} />}
      {isOpen && <AcceptDialog findings={[finding]} onClose={() => setOpen(false)} />}
    </span>
  )
}

function EndAcceptance({ finding, reason }: { finding: Finding; reason: string | undefined }) {
  const { id } = finding
  return (
    <ActionButton
      label="End acceptance"
      reason={reason}
      title="End acceptance"
      button="End acceptance"
      request={() => client.DELETE('/api/drift/{id}/acceptance', { params: { path: { id } } })}
      notice="Acceptance ended."
      refresh={DRIFT_DATA}
    >
      <span className="user-text">
        {nameFinding(finding)} counts again at once: for the contract, its incident, and builds.
      </span>
    </ActionButton>
  )
}
