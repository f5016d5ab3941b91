import { useQuery } from '@tanstack/react-query'
import type { Server } from '../../../formats/data-contract/data-contract.ts'
import { PlatformTag } from '../../parts/platform-mark.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { Tag } from '../../parts/status.tsx'
import { ValueView } from '../../parts/value-view.tsx'
import { paths } from '../../paths.ts'
import { serverSourcesQuery } from './contract-query.ts'
import { serverFacts } from './server-facts.ts'

/** The places where the data is. */
export function ServersView({ id, servers }: { id: string; servers: readonly Server[] }) {
  const { data } = useQuery(serverSourcesQuery(id))
  if (servers.length === 0) {
    return (
      <Panel title="Servers">
        <Empty title="No servers">
          A server describes where the data is: a database and schema, a topic, or a folder. Name at
          least the one that consumers read from, under <code>servers</code>.
        </Empty>
      </Panel>
    )
  }
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      {servers.map((server) => (
        <ServerPanel
          key={`${server.origin} ${server.name}`}
          server={server}
          integrations={data?.servers.find(({ name }) => name === server.name)?.integrations ?? []}
        />
      ))}
    </div>
  )
}

function ServerPanel({
  server,
  integrations,
}: {
  server: Server
  /** The integrations that read the same address. */
  integrations: readonly { externalId: string; name: string }[]
}) {
  const { name, type, environment, description } = server
  const facts = serverFacts(server).map(
    ([title, value]) => [title, <ValueView key={title} value={value} depth={1} />] as const,
  )
  return (
    <Panel
      title={name}
      marks={
        <span className="flex flex-wrap gap-1">
          {type !== undefined && <PlatformTag type={type} />}
          {environment !== undefined && <Tag>{environment}</Tag>}
        </span>
      }
    >
      <div className="grid gap-3">
        {description !== undefined && <p className="user-text">{description}</p>}
        {facts.length > 0 && <Facts facts={facts} />}
        {integrations.length > 0 && (
          <p className="flex flex-wrap gap-x-2 text-muted">
            Read by
            {integrations.map(({ externalId, name: source }) => (
              <Link key={externalId} href={paths.integration(externalId)}>
                {source}
              </Link>
            ))}
          </p>
        )}
      </div>
    </Panel>
  )
}
