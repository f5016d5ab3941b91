import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type {
  DataProduct,
  InputPort,
  OutputPort,
} from '../../../formats/data-product/data-product.ts'
import { jsonText, type Value } from '../../../formats/text/value.ts'
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
export function OutputPorts({ id, product: { outputPorts, ownerTeamId } }: PortsProps) {
  const contracts = usePortContracts(id)
  return (
    <Panel title="Output ports" marks={outputPorts.length === 0 ? undefined : outputPorts.length}>
      {outputPorts.length === 0 ? (
        <Empty title="No output ports">
          An output port describes where consumers get the data. Add one in the editor and attach a
          data contract to it, so that consumers know what they can rely on.
        </Empty>
      ) : (
        <LongList items={outputPorts} keyOf={({ key }) => key}>
          {(port) => (
            <>
              <PortHead port={port} />
              {port.description !== undefined && (
                <p className="user-text max-w-prose">{port.description}</p>
              )}
              <Facts
                facts={[
                  ...whereOf(port),
                  contractFact(port, namedBy(port, 'output', contracts), ownerTeamId),
                  ['Read by', <PortConsumers key="readers" productId={id} port={port} />],
                ]}
              />
              <PortFields port={port} named={namedBy(port, 'output', contracts)} />
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
          No input ports. Add one to show upstream lineage, and to see this product in the plan of a
          change that would break it.
        </p>
      ) : (
        <LongList items={inputPorts} keyOf={({ key }) => key}>
          {(port) => (
            <>
              <PortHead port={port} />
              {port.description !== undefined && (
                <p className="user-text max-w-prose">{port.description}</p>
              )}
              <Facts
                facts={[
                  ['Source system', port.sourceSystemId],
                  contractFact(port, namedBy(port, 'input', contracts)),
                ]}
              />
              <PortFields port={port} named={namedBy(port, 'input', contracts)} />
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

type Fact = readonly [name: string, value: ReactNode]

// Where the data is: the document's own words for it.
function whereOf({ location, server }: OutputPort): Fact[] {
  const told = Object.entries(server ?? {}).map(([name, value]): Fact => [name, plainText(value)])
  return [['location', location], ...told]
}

function plainText(value: Value): string {
  if (typeof value === 'string') return value
  return jsonText(value)
}

function namedBy(
  { contractId }: InputPort | OutputPort,
  direction: PortContract['direction'],
  contracts: readonly PortContract[] | undefined,
): PortContract | undefined {
  return contracts?.find((one) => one.direction === direction && one.contractId === contractId)
}

// The contract of an output port usually belongs to the team of the product.
function contractFact(
  { contractId }: InputPort | OutputPort,
  named: PortContract | undefined,
  team?: string,
): Fact {
  return [
    'Data contract',
    contractId === undefined ? (
      <span key="contract" className="text-muted">
        None
      </span>
    ) : (
      <PortPromise key="contract" contractId={contractId} named={named} team={team} />
    ),
  ]
}

interface PortPromiseProps {
  contractId: string
  /** Undefined = not loaded yet. */
  named: PortContract | undefined
  /** The team to own the contract if it is created. */
  team: string | undefined
}

function PortPromise({ contractId, named, team }: PortPromiseProps) {
  if (named !== undefined && named.contract === null) {
    return (
      <span className="flex flex-wrap items-center gap-2">
        <Status tone="caution">unresolved</Status>
        <span className="user-text">
          <code>{contractId}</code> does not exist yet.{' '}
          <Link href={paths.newDataContract({ id: contractId, team })}>Create it</Link>
        </span>
      </span>
    )
  }
  const version = named?.contract?.version
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <Link href={paths.dataContract(contractId)} className="user-text">
        {named?.contract?.name ?? contractId}
      </Link>
      {version !== null && version !== undefined && (
        <span className="user-text text-muted">{version}</span>
      )}
      <DocumentStatus status={named?.contract?.status} />
    </span>
  )
}

interface PortFieldsProps {
  port: InputPort | OutputPort
  named: PortContract | undefined
}

function PortFields({ port: { contractId, name }, named }: PortFieldsProps) {
  // Keeps the place of the fields until it is known whether the contract exists.
  if (contractId === undefined || named?.contract === null) return null
  return <PortModel contractId={contractId} portName={name} />
}
