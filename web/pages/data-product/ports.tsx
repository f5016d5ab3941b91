import { useQuery } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import type { InputPort, OutputPort } from '../../../formats/data-product/data-product.ts'
import type { Value } from '../../../formats/text/value.ts'
import { Input } from '../../parts/field.tsx'
import { TrustLine } from '../../documents/trust-strip.tsx'
import { useFirstInput } from '../../parts/first-input.ts'
import { newChunk, takePart } from '../../parts/lazy-part.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { pathOfResource } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { LongList } from './long-list.tsx'
import { isPortOpen, matchesFilter, togglePort } from './open-ports.ts'
import { PortAccess } from './port-access.tsx'
import { PortContractLink, portContractsQuery, type PortContract } from './port-contract.tsx'
import { getRawPort } from './port-more.tsx'
import { PortRow } from './port-row.tsx'
import { lineageQuery, type ShownProduct } from './product-query.ts'

const details = newChunk(() => import('./port-details.tsx'))
const OutputPortDetails = takePart(details, (module) => module.OutputPortDetails)
const InputPortDetails = takePart(details, (module) => module.InputPortDetails)

/** More ports than this have a filter. */
const UNFILTERED_MAX = 10

interface PortsProps {
  id: string
  shown: ShownProduct
}

/** The ports by which consumers get the data, a row for each. */
export function OutputPorts({ id, shown }: PortsProps) {
  const { outputPorts, ownerTeamId } = shown.facts
  return (
    <Ports
      title="Output ports"
      id={id}
      document={shown.value}
      direction="output"
      ports={outputPorts}
      // The contract of an output port usually belongs to the team of the product.
      team={ownerTeamId}
      renderTrust={({ key }) => (
        <TrustLine resourceType="OUTPUT_PORT" id={key} dataProductId={id} />
      )}
      renderEnd={(port) => <PortAccess productId={id} port={port} />}
      renderDetails={(port, raw, portContract) => (
        <OutputPortDetails productId={id} port={port} raw={raw} portContract={portContract} />
      )}
    >
      <Empty title="No output ports">
        An output port describes where consumers get the data. Add one in the editor and attach a
        data contract to it, so that consumers know what they can rely on.
      </Empty>
    </Ports>
  )
}

/** The ports by which the product gets its data. */
export function InputPorts({ id, shown }: PortsProps) {
  return (
    <Ports
      title="Input ports"
      id={id}
      document={shown.value}
      direction="input"
      ports={shown.facts.inputPorts}
      renderEnd={({ sourceSystemId }) =>
        sourceSystemId !== undefined && <SourceSystem id={sourceSystemId} productId={id} />
      }
      renderDetails={(port, raw, portContract) => (
        <InputPortDetails productId={id} port={port} raw={raw} portContract={portContract} />
      )}
    >
      <p className="text-muted">
        No input ports. Add one to show upstream lineage, to see this product in the plan of a
        change that would break it, and to notify its team of such a change.
      </p>
    </Ports>
  )
}

interface PortListProps<Port> {
  title: string
  /** The id of the product. */
  id: string
  document: Value
  direction: PortContract['direction']
  ports: readonly Port[]
  /** The team to own a contract that does not exist yet. */
  team?: string | undefined
  /** Whether the data of a port can be trusted. */
  renderTrust?: (port: Port) => ReactNode
  /** The end of a row: the reader's access, or the source of the data. */
  renderEnd: (port: Port) => ReactNode
  renderDetails: (
    port: Port,
    raw: Value | undefined,
    portContract: PortContract | undefined,
  ) => ReactNode
  /** Shown without any port. */
  children: ReactNode
}

const OPEN_PORTS = { port: [] as readonly string[], input: [] as readonly string[] }

function Ports<Port extends InputPort | OutputPort>(props: PortListProps<Port>) {
  const { title, direction, ports, children } = props
  const [filter, setFilter] = useState('')
  const [state, setState] = useUrlState(OPEN_PORTS)
  const name = direction === 'input' ? 'input' : 'port'
  const open = state[name]
  // With the first input the details are there, so that the search of the browser finds their texts.
  const isPrepared = useFirstInput()
  const items = ports.filter((port) => matchesFilter(filter, port))
  const toggle = (port: Port): void =>
    setState({ [name]: togglePort(open, port, ports) }, { replace: true })
  if (ports.length === 0) return <Panel title={title}>{children}</Panel>
  return (
    <Panel
      flush
      title={title}
      marks={items.length < ports.length ? `${items.length} of ${ports.length}` : ports.length}
      actions={
        ports.length > UNFILTERED_MAX && (
          <Input
            type="search"
            aria-label={`Filter: ${title}`}
            placeholder="Filter by name, type or description"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            className="sm:max-w-72"
          />
        )
      }
    >
      {items.length === 0 && <p className="px-4 py-3 text-muted">No port matches the filter.</p>}
      <div className="@container">
        <LongList
          items={items}
          getKey={({ key }) => key}
          shownMin={items.findLastIndex((port) => isPortOpen(open, port)) + 1}
          className="grid grid-cols-[minmax(0,1fr)] empty:hidden @2xl:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_auto]"
        >
          {(port) => (
            <Port
              list={props}
              port={port}
              isOpen={isPortOpen(open, port)}
              isPrepared={isPrepared}
              onToggle={toggle}
            />
          )}
        </LongList>
      </div>
    </Panel>
  )
}

interface PortProps<Port> {
  list: PortListProps<Port>
  port: Port
  isOpen: boolean
  /** Whether the details are rendered though the port is not open. */
  isPrepared: boolean
  onToggle: (port: Port) => void
}

function Port<Port extends InputPort | OutputPort>(props: PortProps<Port>) {
  const { list, port, isOpen, isPrepared, onToggle } = props
  const { id, document, direction, ports, team, renderTrust, renderEnd, renderDetails } = list
  const { data: contracts } = useQuery(portContractsQuery(id))
  const portContract = contracts?.find(
    (one) => one.direction === direction && one.contractId === port.contractId,
  )
  const member = direction === 'input' ? 'inputPorts' : 'outputPorts'
  const { raw, pointer } = getRawPort(document, member, ports.indexOf(port))
  return (
    <PortRow
      productId={id}
      port={port}
      pointer={pointer}
      isOpen={isOpen}
      onToggle={() => onToggle(port)}
      onPrepare={details.prepare}
      facts={
        <>
          <div className="grid min-w-0 content-start gap-1 pl-5 @2xl:pl-0">
            <PortContractLink
              contractId={port.contractId}
              portContract={portContract}
              team={team}
            />
            {renderTrust?.(port)}
          </div>
          <div className="min-w-0 pl-5 empty:hidden @2xl:pl-0">{renderEnd(port)}</div>
        </>
      }
    >
      {(isOpen || isPrepared) && (
        <Suspense fallback={isOpen && <Skeleton lines={4} label={`Loading ${port.name}`} />}>
          {renderDetails(port, raw, portContract)}
        </Suspense>
      )}
    </PortRow>
  )
}

interface SourceSystemProps {
  id: string
  /** The product with a port that names it. */
  productId: string
}

/** The name of a source system as a link; its id as text if it is not in the catalog. */
function SourceSystem({ id, productId }: SourceSystemProps) {
  const { data } = useQuery(lineageQuery(productId, '1'))
  const node = data?.nodes.find((one) => one.kind === 'SOURCE_SYSTEM' && one.id === id)
  return (
    <span className="user-text flex min-h-7 flex-wrap items-center gap-x-1.5">
      <span className="text-muted">From</span>
      {node?.exists === true ? (
        <Link href={pathOfResource('SOURCE_SYSTEM', id)}>{node.name}</Link>
      ) : (
        <span>{node === undefined ? id : `${id} (not in the catalog)`}</span>
      )}
    </span>
  )
}
