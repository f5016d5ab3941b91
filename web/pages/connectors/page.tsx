import { Plug, Plus } from 'lucide-react'
import { api, type Schemas } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { NameLink } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Tag } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { HealthStatus } from './health.tsx'

type Connector = Schemas['Connector']

/** All connectors of the organization, with the health that they report. */
export function ConnectorsPage() {
  const query = api.useQuery('get', '/api/connectors')
  const { reason } = may(useSession(), 'INGESTION_EDIT', null)
  return (
    <Page
      title="Connectors"
      facts="Programs that synchronize Portbook with other platforms. They register themselves."
      actions={
        <ButtonLink look="primary" icon={Plus} href={paths.newConnector} reason={reason}>
          Register connector
        </ButtonLink>
      }
    >
      <QueryPanel
        title="All connectors"
        marks={query.data?.length || undefined}
        flush
        query={query}
        skeleton={{ lines: 4, label: 'Loading the connectors' }}
        empty={
          <Empty icon={Plug} title="No connectors yet">
            A connector appears here when it starts for the first time. It needs an API key of the
            organization or of a team.
          </Empty>
        }
      >
        {(connectors) => (
          <Table
            label="Connectors"
            columns={COLUMNS}
            rows={connectors}
            getKey={(connector) => getId(connector)}
          />
        )}
      </QueryPanel>
    </Page>
  )
}

const COLUMNS: readonly Column<Connector>[] = [
  {
    title: 'Connector',
    cell: (connector) => (
      <>
        <NameLink href={paths.connector(getId(connector))} name={getId(connector)} lines={2} />
        <p className="user-text line-clamp-2 text-sm text-muted">{connector.info?.description}</p>
      </>
    ),
  },
  {
    title: 'Type',
    cell: ({ info }) => (info?.type ? <Tag>{info.type}</Tag> : <NoValue />),
  },
  {
    title: 'Version',
    cell: ({ info }) =>
      info?.connectorVersion ? (
        <span className="user-text figures">{info.connectorVersion}</span>
      ) : (
        <NoValue />
      ),
  },
  { title: 'Health', cell: ({ health }) => <HealthStatus status={health?.status} /> },
  {
    title: 'Last reported',
    cell: ({ health }) => (
      <span className="text-muted">
        <Time at={health?.updatedAt} />
      </span>
    ),
  },
]

function NoValue() {
  return <span className="text-faint">–</span>
}

// A connector that left its id out of its document cannot be linked.
function getId({ id }: Connector): string {
  return id ?? ''
}
