import { useState } from 'react'
import { client } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'
import { AcceptanceDialog } from '../reality/acceptance-dialog.tsx'
import { AcceptanceText } from '../reality/finding-cells.tsx'
import { ConsumerName } from './consumer-name.tsx'
import { GRANT_DATA } from './grant-data.ts'
import {
  describeRights,
  getGranteeTitle,
  getKindTitle,
  nameAccessFinding,
  type AccessFinding,
} from './grant-words.ts'

interface FindingProps {
  finding: AccessFinding
}

/** A deviation of grants from agreements: its kind, its facts, its agreement, and its acceptance. */
export function AccessFindingItem({ finding }: FindingProps) {
  const { kind, outputPortId, since, accessId, acceptance, status, isRead } = finding
  const rights = describeRights(finding)
  return (
    <li className="grid gap-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:gap-x-6">
      <div className="grid min-w-0 content-start gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Status tone={status === 'accepted' ? 'caution' : 'critical'}>
            {getKindTitle(kind)}
          </Status>
          <span className="text-sm text-muted">
            since <Time at={since} />
          </span>
        </div>
        <Party finding={finding} />
        <p className="user-text text-sm">
          Output port <code>{outputPortId}</code>. {rights}
        </p>
        {accessId !== null && (
          <Link href={paths.access(accessId)} className="flex min-h-6 items-center text-sm">
            Open the agreement
          </Link>
        )}
        {!isRead && (
          <p className="text-sm text-muted">
            The last run could not read this again, so nothing can resolve it.
          </p>
        )}
        {status === 'accepted' && acceptance !== null && <AcceptanceText acceptance={acceptance} />}
      </div>
      <Actions finding={finding} />
    </li>
  )
}

function Party({ finding: { consumer, grantee, isHidden } }: FindingProps) {
  if (isHidden) {
    return (
      <p className="text-sm text-muted">
        The name is visible to those who approve access for the providing team.
      </p>
    )
  }
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      {consumer !== null && <ConsumerName consumer={consumer} />}
      {grantee?.kind === 'public' && <span>Everyone who can sign in</span>}
      {grantee !== null && grantee.kind !== 'public' && (
        <span className="min-w-0 text-sm text-muted">
          {getGranteeTitle(grantee.kind)} <code className="user-text">{grantee.name}</code>
        </span>
      )}
    </div>
  )
}

function Actions({ finding }: FindingProps) {
  const { id, ownerId, acceptance, status } = finding
  const [isOpen, setOpen] = useState(false)
  const { reason } = may(useSession(), 'ACCESS_APPROVE', ownerId)
  const isAccepted = status === 'accepted'
  const name = nameAccessFinding(finding)
  return (
    <div className="flex flex-wrap content-start items-start gap-2">
      <Button
        reason={reason}
        aria-label={`${isAccepted ? 'Change acceptance' : 'Accept'}: ${name}`}
        onClick={() => setOpen(true)}
      >
        {isAccepted ? 'Change…' : 'Accept…'}
      </Button>
      {isAccepted && <EndAcceptance finding={finding} reason={reason} />}
      {isOpen && (
        <AcceptanceDialog
          title="Accept deviation"
          label="Accept deviation"
          description={
            <span className="user-text">
              {name}. Until the last day it opens no incident; it counts again afterwards, or as
              soon as the grants become other ones. Nothing is granted or revoked.
            </span>
          }
          present={isAccepted ? acceptance : null}
          request={async (body) =>
            await client.PUT('/api/access-findings/{id}/acceptance', {
              params: { path: { id } },
              body: { ...body, changedAt: finding.changedAt },
            })
          }
          notice="Deviation accepted."
          refresh={GRANT_DATA}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

function EndAcceptance({ finding, reason }: FindingProps & { reason: string | undefined }) {
  const { id } = finding
  return (
    <ActionButton
      label="End acceptance"
      reason={reason}
      title="End acceptance"
      button="End acceptance"
      request={() =>
        client.DELETE('/api/access-findings/{id}/acceptance', { params: { path: { id } } })
      }
      notice="Acceptance ended."
      refresh={GRANT_DATA}
    >
      <span className="user-text">{nameAccessFinding(finding)}: it counts again at once.</span>
    </ActionButton>
  )
}
