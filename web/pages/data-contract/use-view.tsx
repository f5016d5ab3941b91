import { api, type Schemas } from '../../api/client.ts'
import { Trusts, TrustMarks } from '../../documents/trust-strip.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { paths } from '../../paths.ts'

/** The data products that provide and consume data under a contract. */
export function UseView({ id }: { id: string }) {
  const query = api.useQuery('get', '/api/datacontracts/{id}/ports', { params: { path: { id } } })
  return (
    <Loaded query={query}>
      {({ providers, consumers }) => (
        <Trusts of={[...providers, ...consumers].map(toProduct)}>
          <div className="grid gap-5">
            <Users
              title="Provided by"
              portTitle="Output ports"
              users={providers}
              none="No output port uses this contract. Set it as the contract of the port that provides the data, so that consumers can find it from here."
            />
            <Users
              title="Consumed by"
              portTitle="Input ports"
              users={consumers}
              none="No input port uses this contract. Once one does, you see changes that would break its data product before you save."
            />
          </div>
        </Trusts>
      )}
    </Loaded>
  )
}

type User = Schemas['ContractUser']

interface UsersProps {
  title: string
  /** The direction of the ports: `Output ports`. */
  portTitle: string
  users: readonly User[]
  none: string
}

function Users({ title, portTitle, users, none }: UsersProps) {
  return (
    <Panel title={title} marks={users.length === 0 ? undefined : users.length} flush>
      {users.length === 0 ? (
        <Empty title={title === 'Provided by' ? 'No providers' : 'No consumers'}>{none}</Empty>
      ) : (
        <Table
          label={title}
          rows={users}
          getKey={(user) => user.id}
          columns={getColumns(portTitle)}
        />
      )}
    </Panel>
  )
}

function getColumns(portTitle: string): readonly Column<User>[] {
  return [
    { title: 'Data product', cell: (user) => <Product user={user} /> },
    { title: 'Owner', cell: (user) => <Owner user={user} /> },
    { title: portTitle, cell: (user) => <Ports user={user} /> },
  ]
}

function toProduct({ id }: User) {
  return { resourceType: 'DATA_PRODUCT', id }
}

function Product({ user }: { user: User }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <Link href={paths.dataProduct(user.id)} className="user-text">
        {user.name}
      </Link>
      <TrustMarks {...toProduct(user)} />
    </span>
  )
}

function Owner({ user: { ownerId, ownerName } }: { user: User }) {
  return (
    <Link href={paths.team(ownerId)} className="user-text">
      {ownerName}
    </Link>
  )
}

function Ports({ user: { ports } }: { user: User }) {
  return (
    <ul>
      {ports.map(({ id, name, version, direction }) => (
        <li key={`${direction} ${id}`} className="user-text">
          {name}
          {version !== null && <span className="text-muted"> {version}</span>}
        </li>
      ))}
    </ul>
  )
}
