import type { Server } from '../../../formats/data-contract/data-contract.ts'
import { Empty } from '../../parts/notice.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { Tag } from '../../parts/status.tsx'
import { ValueView } from '../../parts/value-view.tsx'
import { serverFacts } from './server-facts.ts'

/** The places where the data is. */
export function ServersView({ servers }: { servers: readonly Server[] }) {
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
        <ServerPanel key={`${server.origin} ${server.name}`} server={server} />
      ))}
    </div>
  )
}

function ServerPanel({ server }: { server: Server }) {
  const { name, type, environment, description } = server
  const facts = serverFacts(server).map(
    ([title, value]) => [title, <ValueView key={title} value={value} depth={1} />] as const,
  )
  return (
    <Panel
      title={name}
      marks={
        <span className="flex flex-wrap gap-1">
          {type !== undefined && <Tag>{type}</Tag>}
          {environment !== undefined && <Tag>{environment}</Tag>}
        </span>
      }
    >
      <div className="grid gap-3">
        {description !== undefined && <p className="user-text">{description}</p>}
        {facts.length > 0 && <Facts facts={facts} />}
      </div>
    </Panel>
  )
}
