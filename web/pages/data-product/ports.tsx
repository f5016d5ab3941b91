import { useQuery } from '@tanstack/react-query'
import type {
  DataProduct,
  InputPort,
  OutputPort,
} from '../../../formats/data-product/data-product.ts'
import { jsonText, type Value } from '../../../formats/value.ts'
import { api, type Schemas } from '../../api/client.ts'
import { Link } from '../../parts/link.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { DocumentStatus, Status, Tag } from '../../parts/status.tsx'
import { paths } from '../../paths.ts'
import { LongList } from './long-list.tsx'
import { PortConsumers } from './port-consumers.tsx'
import { PortModel } from './port-model.tsx'

type PortContract = Schemas['PortContract']

interface PortsProps {
  id: string
  product: DataProduct
}

/** The ports by which others get the data, each with its contract and who reads it. */
export function OutputPorts({ id, product: { outputPorts } }: PortsProps) {
  const contracts = usePortContracts(id)
  return (
    <Panel title="Output ports" marks={outputPorts.length === 0 ? undefined : outputPorts.length}>
      {outputPorts.length === 0 ? (
        <Empty title="No output ports">
          An output port tells where others get the data. Add one in the editor, and attach a data
          contract to it: then consumers know what they can rely on.
        </Empty>
      ) : (
        <LongList items={outputPorts} keyOf={({ key }) => key}>
          {(port) => (
            <>
              <PortHead port={port} />
              {port.description !== undefined && (
                <p className="user-text max-w-prose">{port.description}</p>
              )}
              <PortFacts port={port} />
              <PortPromise port={port} contracts={contracts} direction="output" />
              <PortConsumers productId={id} port={port} />
            </>
          )}
        </LongList>
      )}
    </Panel>
  )
}

/** The ports by which the product gets its data. */
export function InputPorts({ id, product: { inputPorts } }: PortsProps) {
  const contracts = usePortContracts(id)
  return (
    <Panel title="Input ports" marks={inputPorts.length === 0 ? undefined : inputPorts.length}>
      {inputPorts.length === 0 ? (
        <p className="text-muted">
          It names no input ports. With the contracts that it reads under, its neighbours upstream
          show in the lineage, and its team is told before they break something.
        </p>
      ) : (
        <LongList items={inputPorts} keyOf={({ key }) => key}>
          {(port) => (
            <>
              <PortHead port={port} />
              {port.description !== undefined && (
                <p className="user-text max-w-prose">{port.description}</p>
              )}
              {port.sourceSystemId !== undefined && (
                <p className="user-text">
                  <span className="text-muted">Reads from the source system </span>
                  {port.sourceSystemId}
                </p>
              )}
              <PortPromise port={port} contracts={contracts} direction="input" />
            </>
          )}
        </LongList>
      )}
    </Panel>
  )
}

/** Asks for the contracts of a product's ports. */
export function portContractsQuery(id: string) {
  return api.queryOptions('get', '/api/dataproducts/{id}/contracts', { params: { path: { id } } })
}

function usePortContracts(id: string): readonly PortContract[] | undefined {
  return useQuery(portContractsQuery(id)).data
}

function PortHead({ port }: { port: InputPort | OutputPort }) {
  const status = 'status' in port ? port.status : undefined
  const hasPii = 'containsPii' in port && (port.containsPii ?? false)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h3 className="user-text text-base">{port.name}</h3>
      {port.version !== undefined && <span className="user-text text-muted">{port.version}</span>}
      {port.type !== undefined && <Tag>{port.type}</Tag>}
      <DocumentStatus status={status} />
      {hasPii && <Status tone="caution">personal data</Status>}
      {port.tags.map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
    </div>
  )
}

function PortFacts({ port }: { port: OutputPort }) {
  const server = Object.entries(port.server ?? {}).map(
    ([name, value]): readonly [string, string] => [name, plainText(value)],
  )
  const location: readonly (readonly [string, string | undefined])[] = [['location', port.location]]
  if (server.length === 0 && port.location === undefined) return null
  return <Facts facts={[...location, ...server]} />
}

function plainText(value: Value): string {
  if (typeof value === 'string') return value
  return jsonText(value)
}

interface PortPromiseProps {
  port: InputPort | OutputPort
  direction: 'input' | 'output'
  contracts: readonly PortContract[] | undefined
}

function PortPromise({ port, direction, contracts }: PortPromiseProps) {
  const { contractId } = port
  if (contractId === undefined) {
    return <p className="text-muted">No data contract is named.</p>
  }
  const named = contracts?.find(
    (one) => one.direction === direction && one.contractId === contractId,
  )
  if (named !== undefined && named.contract === null) {
    return (
      <p className="flex flex-wrap items-center gap-2">
        <Status tone="caution">unresolved</Status>
        <span className="user-text">
          Names the data contract <code>{contractId}</code>, which does not exist yet.{' '}
          <Link href={paths.newDataContract()}>Create it</Link>
        </span>
      </p>
    )
  }
  const version = named?.contract?.version
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap items-center gap-2">
        <span className="text-muted">Data contract</span>
        <Link href={paths.dataContract(contractId)} className="user-text">
          {named?.contract?.name ?? contractId}
        </Link>
        {version !== null && version !== undefined && (
          <span className="user-text text-muted">{version}</span>
        )}
        <DocumentStatus status={named?.contract?.status} />
      </p>
      {named !== undefined && <PortModel contractId={contractId} portName={port.name} />}
    </div>
  )
}
