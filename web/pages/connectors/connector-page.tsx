import { useQuery } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { client } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { TeamLink } from '../../documents/team-link.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Facts, Page, Panel } from '../../parts/page.tsx'
import { Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { ValueView } from '../../parts/value-view.tsx'
import { paths } from '../../paths.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'
import { MissingThing } from '../../shell/missing-thing.tsx'
import { usePathId } from '../../shell/url-state.ts'
import { connectorQuery, readConnector, type ShownConnector } from './connector.ts'
import { HealthStatus } from './health.tsx'

const TRAIL = [{ title: 'Connectors', href: paths.connectors }]

/** A connector: its health, its version, and the state that it stored. */
export function ConnectorPage() {
  const id = usePathId() ?? ''
  const query = useQuery({ ...connectorQuery(id), select: readConnector })
  const connector = query.data
  const { reason } = may(useSession(), 'INGESTION_EDIT', connector?.owner ?? null)
  return (
    <Page
      title={id}
      trail={TRAIL}
      marks={connector?.type !== undefined && <Tag>{connector.type}</Tag>}
      facts={<span className="user-text">{connector?.description}</span>}
      actions={
        connector !== undefined && (
          <>
            <ButtonLink icon={Pencil} href={paths.editConnector(id)} reason={reason}>
              Edit
            </ButtonLink>
            <DeleteConnector id={id} connector={connector} />
          </>
        )
      }
    >
      <Loaded
        query={query}
        skeleton={{ lines: 8, label: 'Loading the connector' }}
        missing={
          <MissingThing
            called="connector"
            action={<Link href={paths.connectors}>See all connectors</Link>}
          >
            A connector registers again at its next start.
          </MissingThing>
        }
      >
        {(shown) => <Details connector={shown} />}
      </Loaded>
    </Page>
  )
}

function Details({ connector }: { connector: ShownConnector }) {
  const { health, version, owner, state, facts, more } = connector
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 gap-5">
        {health.errorMessage !== undefined && (
          <Notice tone="critical" title="The connector reports an error">
            <span className="whitespace-pre-line">{health.errorMessage}</span>
          </Notice>
        )}
        <Panel title="State">
          {state === undefined ? (
            <p className="text-muted">No state yet. The connector stores it here as it works.</p>
          ) : (
            <div className="grid gap-4">
              {facts.length > 0 && <StateFacts facts={facts} />}
              <StateText state={state} isOpen={facts.length === 0} />
            </div>
          )}
        </Panel>
        {more.length > 0 && (
          <Panel title="More">
            <dl className="grid gap-2">
              {more.map(([name, value]) => (
                <div key={name}>
                  <dt className="user-text text-muted">{name}</dt>
                  <dd className="user-text min-w-0">
                    <ValueView value={value} />
                  </dd>
                </div>
              ))}
            </dl>
          </Panel>
        )}
      </div>
      <Panel title="About">
        <Facts
          facts={[
            ['Health', <HealthStatus key="health" status={health.status} />],
            ['Reported', <Time key="reported" at={health.updatedAt} />],
            ['Started', <Time key="started" at={health.startedAt} />],
            ['Version', version],
            ['Team', owner === undefined ? 'None' : <TeamLink key="team" id={owner} />],
          ]}
        />
      </Panel>
    </div>
  )
}

const STATE_CHARS_MAX = 50_000

function StateFacts({ facts }: { facts: ShownConnector['facts'] }) {
  return (
    <Facts
      facts={facts.map(({ label, kind, text }) => [
        label,
        kind === 'time' ? (
          <Time key={label} at={text} />
        ) : (
          <span key={label} className="figures">
            {text}
          </span>
        ),
      ])}
    />
  )
}

function StateText({ state, isOpen }: { state: string; isOpen: boolean }) {
  const isLong = state.length > STATE_CHARS_MAX
  return (
    <details open={isOpen} className="grid gap-2">
      <summary className="w-fit cursor-pointer rounded text-muted hover:text-ink">
        Whole state as JSON
      </summary>
      <div className="max-h-[60vh] overflow-y-auto" tabIndex={0} role="region" aria-label="State">
        <CodeBlock
          text={isLong ? `${state.slice(0, STATE_CHARS_MAX)}…` : state}
          label="State of the connector as JSON"
        />
      </div>
      {isLong && <p className="text-sm text-muted">Read the rest with the API.</p>}
    </details>
  )
}

interface DeleteConnectorProps {
  id: string
  connector: ShownConnector
}

/** Deletes a connector after asking. */
function DeleteConnector({ id, connector: { owner } }: DeleteConnectorProps) {
  const session = useSession()
  const params = { path: { id } }
  return (
    <ActionButton
      label="Delete"
      icon={Trash2}
      reason={may(session, 'INGESTION_EDIT', owner ?? null).reason}
      title={`Delete the connector ${id}?`}
      button="Delete connector"
      danger
      request={() => client.DELETE('/api/connectors/{id}', { params, parseAs: 'text' })}
      notice="Connector deleted"
      goTo={paths.connectors}
      forget={['connector', id]}
      refresh={['/api/connectors']}
    >
      <p>
        This deletes its state, and cannot be undone. If the connector still runs, it registers
        again and starts from the beginning: it may repeat work that it has already done.
      </p>
    </ActionButton>
  )
}
