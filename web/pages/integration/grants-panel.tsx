import { useState } from 'react'
import { api, client } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { GRANT_DATA } from '../../documents/grants/grant-data.ts'
import {
  getGranteeTitle,
  describeOrigin,
  parseNameKind,
  type GrantSettings,
  type MappedName,
} from '../../documents/grants/grant-words.ts'
import { TeamLink } from '../../documents/team-link.tsx'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { countText } from '../../parts/number-text.ts'
import { Facts } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'
import { RightNotice } from '../../shell/right-notice.tsx'
import { GrantNameDialog } from './grant-name-dialog.tsx'
import { GrantSettingsDialog } from './grant-settings-dialog.tsx'
import type { IntegrationForm } from './integration-draft.ts'

type Subject = MappedName['subject']

/** Whether and how an integration reads grants, and what the names of the platform mean. */
export function GrantsPanel({ form }: { form: IntegrationForm }) {
  const { externalId, owningTeamExternalId: owner } = form
  const permit = may(useSession(), 'INGESTION_EDIT', owner)
  const settings = api.useQuery('get', '/api/integrations/{externalId}/grants', {
    params: { path: { externalId } },
  })
  const [isOpen, setOpen] = useState(false)
  const { data } = settings
  return (
    <>
      <QueryPanel
        title="Grants"
        query={settings}
        skeleton={{ lines: 3, label: 'Loading the grants' }}
        actions={
          data !== undefined &&
          (data.isOffered || data.enabled) && (
            <Button
              reason={permit.reason}
              aria-label="Change how grants are read"
              onClick={() => setOpen(true)}
            >
              {data.enabled ? 'Change…' : 'Turn on…'}
            </Button>
          )
        }
      >
        {(found) =>
          found.isOffered ? (
            <div className="grid gap-4">
              <RightNotice permit={permit} title="You cannot change this" />
              <Settings settings={found} />
              {found.enabled && <Names id={externalId} settings={found} reason={permit.reason} />}
            </div>
          ) : (
            <p className="text-muted">
              Not offered: grants of {found.product} are not read, so they are not compared with
              access agreements.
            </p>
          )
        }
      </QueryPanel>
      {isOpen && data !== undefined && (
        <GrantSettingsDialog id={externalId} settings={data} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

function Settings({ settings }: { settings: GrantSettings }) {
  const { enabled, right, pattern, readAt, attemptedAt, incompleteBecause } = settings
  if (!enabled) {
    return (
      <div className="grid max-w-prose justify-items-start gap-2">
        <Status tone="off">Off</Status>
        <p className="text-muted">
          Runs can read who may read the tables of output ports, and compare it with access
          agreements. Portbook never grants or revokes.
        </p>
        {right !== null && <p className="user-text text-muted">{right}</p>}
      </div>
    )
  }
  return (
    <div className="grid gap-4">
      <Facts
        facts={[
          [
            'Read by runs',
            <Status key="on" tone="positive">
              On
            </Status>,
          ],
          ['Pattern', pattern === null ? 'None' : <code key="pattern">{pattern}</code>],
          ['Last reading', readAt === null ? 'None yet' : <Time key="read" at={readAt} />],
          ['Last attempt', attemptedAt === readAt ? null : <Time key="tried" at={attemptedAt} />],
          ['Open deviations', countText(settings.findingCount, 'deviation')],
          ['Names with a meaning', countText(settings.mappedCount, 'name')],
          ['Unknown identity', countText(settings.unknownCount, 'name')],
        ]}
      />
      {incompleteBecause !== null && (
        <Notice tone="caution" title="The grants are incomplete">
          <span className="user-text">{incompleteBecause}</span>
          {right !== null && <span className="user-text block">{right}</span>}
        </Notice>
      )}
    </div>
  )
}

interface NamesProps {
  id: string
  settings: GrantSettings
  reason: string | undefined
}

const NAMES_STEP = 25

/** The names of the platform, first those without a known meaning. */
function Names({ id, settings: { names, readAt }, reason }: NamesProps) {
  const [shownMax, setShownMax] = useState(NAMES_STEP)
  const [mapped, setMapped] = useState<MappedName>()
  if (names === null) {
    return (
      <p className="text-muted">
        Names are visible to owners of the organization, and to those who approve access for the
        team of a data product.
      </p>
    )
  }
  if (names.length === 0) {
    return (
      <p className="text-muted">
        {readAt === null
          ? 'The next run reads the grants.'
          : 'No name has a grant on a table of an output port.'}
      </p>
    )
  }
  const rest = names.length - shownMax
  return (
    <div className="-mx-4 -mb-4 border-t border-line">
      <Table
        label="Names of the platform"
        columns={listColumns(id, reason, setMapped)}
        rows={names.slice(0, shownMax)}
        getKey={({ kind, name }) => `${kind} ${name}`}
      />
      {rest > 0 && (
        <p className="px-4 py-3">
          <Button onClick={() => setShownMax(shownMax + NAMES_STEP)}>
            Show {Math.min(rest, NAMES_STEP)} more
          </Button>
        </p>
      )}
      {mapped !== undefined && (
        <GrantNameDialog id={id} name={mapped} onClose={() => setMapped(undefined)} />
      )}
    </div>
  )
}

function listColumns(
  id: string,
  reason: string | undefined,
  onMap: (name: MappedName) => void,
): Column<MappedName>[] {
  return [
    {
      title: 'Name',
      cell: ({ kind, name }) => (
        <span className="grid">
          <code className="user-text [overflow-wrap:anywhere]">{name}</code>
          <span className="text-sm text-muted">{getGranteeTitle(kind)}</span>
        </span>
      ),
    },
    {
      title: 'Means',
      cell: ({ subject, origin, isAdministrator }) => (
        <span className="grid justify-items-start">
          {(subject !== null || !isAdministrator) && <Meaning subject={subject} />}
          {origin !== null && <span className="text-sm text-muted">{describeOrigin(origin)}</span>}
          {isAdministrator && <Administrator />}
        </span>
      ),
    },
    {
      title: 'Change',
      cell: (name) => (
        <span className="flex flex-wrap gap-2">
          <Button reason={reason} aria-label={`Map ${name.name}`} onClick={() => onMap(name)}>
            Map…
          </Button>
          {name.origin === 'hand' && <RemoveMeaning id={id} name={name} reason={reason} />}
        </span>
      ),
    },
  ]
}

function Administrator() {
  return (
    <>
      <Status tone="off">Administrator of the source</Status>
      <span className="text-sm text-muted">Reads everything, so this is never a deviation</span>
    </>
  )
}

function Meaning({ subject }: { subject: Subject }) {
  if (subject === null) return <Status tone="neutral">Unknown identity</Status>
  const { kind, id } = subject
  if (id === null) return <>The platform itself</>
  if (kind === 'team') return <TeamLink id={id} />
  if (kind === 'data-product')
    return (
      <Link href={paths.dataProduct(id)} className="user-text">
        {id}
      </Link>
    )
  if (kind === 'agreement')
    return (
      <Link href={paths.access(id)} className="user-text">
        Access agreement {id}
      </Link>
    )
  return <Person id={id} />
}

function Person({ id }: { id: string }) {
  const { data } = api.useQuery('get', '/ui/members')
  return <span className="user-text">{data?.find(({ userId }) => userId === id)?.name ?? id}</span>
}

interface RemoveMeaningProps {
  id: string
  name: MappedName
  reason: string | undefined
}

function RemoveMeaning({ id, name: { kind, name }, reason }: RemoveMeaningProps) {
  return (
    <ActionButton
      label="Remove…"
      reason={reason}
      title="Remove the meaning"
      button="Remove"
      request={() =>
        client.POST('/api/integrations/{externalId}/grants/names/remove', {
          params: { path: { externalId: id } },
          body: { granteeKind: parseNameKind(kind), granteeName: name },
        })
      }
      notice="Meaning removed."
      refresh={GRANT_DATA}
    >
      <span className="user-text">
        <code>{name}</code> then means what a provisioning report or the pattern gives, if anything.
        Grants are compared again at once.
      </span>
    </ActionButton>
  )
}
