import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getEffectiveStatus } from '../../../formats/data-product/standing.ts'
import type { InputPort, OutputPort } from '../../../formats/data-product/data-product.ts'
import { jsonText, type Value } from '../../../formats/text/value.ts'
import { api, type Schemas } from '../../api/client.ts'
import { ResourceStanding, useDeprecatedParts, UseInstead } from '../../documents/deprecations.tsx'
import { listContextParts } from '../../parts/context-view.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { DocumentStatus, Status, Tag } from '../../parts/status.tsx'
import { VariableText } from '../../parts/variable-text.tsx'
import { paths, pathOfResource } from '../../paths.ts'
import { listPortReaders } from './lineage-nodes.ts'
import { LongList } from './long-list.tsx'
import { PortAccess } from './port-access.tsx'
import { PortExamples } from './port-examples.tsx'
import { PortModel } from './port-model.tsx'
import { PortTest } from './port-test.tsx'
import { getRawPort, listPortFacts, showSynonyms } from './port-more.tsx'
import { lineageQuery, type ShownProduct } from './product-query.ts'

type PortContract = Schemas['PortContract']

interface PortsProps {
  id: string
  shown: ShownProduct
}

/** The ports by which consumers get the data, each with its contract and its readers. */
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
      getFacts={getWhere}
      renderAccess={(port) => <PortAccess productId={id} port={port} />}
      hasReaders
    >
      <Empty title="No output ports">
        An output port describes where consumers get the data. Add one in the editor and attach a
        data contract to it, so that consumers know what they can rely on.
      </Empty>
    </Ports>
  )
}

function getSource({ sourceSystemId }: InputPort, productId: string): Fact[] {
  if (sourceSystemId === undefined) return []
  return [
    ['Source system', <SourceSystemLink key="source" id={sourceSystemId} productId={productId} />],
  ]
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
      getFacts={(port) => getSource(port, id)}
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
  getFacts: (port: Port) => readonly Fact[]
  /** The reader's access to a port. */
  renderAccess?: (port: Port) => ReactNode
  /** Whether consumers read from the ports: the products that do and example data are shown. */
  hasReaders?: boolean
  /** Shown without any port. */
  children: ReactNode
}

function Ports<Port extends InputPort | OutputPort>(props: PortListProps<Port>) {
  const { title, id, document, direction, ports, team, getFacts, renderAccess, children } = props
  const { hasReaders = false } = props
  const { data: contracts } = useQuery(portContractsQuery(id))
  return (
    <Panel title={title} marks={ports.length === 0 ? undefined : ports.length}>
      {ports.length === 0 && children}
      <LongList items={ports} getKey={({ key }) => key}>
        {(port) => {
          const portContract = contracts?.find(
            (one) => one.direction === direction && one.contractId === port.contractId,
          )
          const contract = getContractFact(port, portContract, team)
          const list = direction === 'input' ? 'inputPorts' : 'outputPorts'
          const { raw, pointer } = getRawPort(document, list, ports.indexOf(port))
          const synonyms = 'synonyms' in port ? port.synonyms : undefined
          return (
            <>
              <PortHead port={port} productId={id} pointer={pointer} />
              {port.description !== undefined && (
                <p className="user-text max-w-prose">{port.description}</p>
              )}
              <Facts
                facts={[
                  ['Synonyms', synonyms && showSynonyms(raw, synonyms)],
                  ...getFacts(port),
                  contract,
                  ['Access', renderAccess?.(port)],
                  [
                    'Last test',
                    hasReaders && port.contractId !== undefined ? (
                      <PortTest key="test" productId={id} port={port} />
                    ) : null,
                  ],
                  [
                    'Read by',
                    hasReaders ? <PortConsumers key="readers" productId={id} port={port} /> : null,
                  ],
                  ...('context' in port ? listContextParts(port.context) : []),
                  ...listPortFacts(raw),
                ]}
              />
              <PortFields port={port} portContract={portContract} />
              {hasReaders && <PortExamples productId={id} port={port} />}
            </>
          )
        }}
      </LongList>
    </Panel>
  )
}

/** Returns the query for the contracts of a product's ports. */
export function portContractsQuery(id: string) {
  return api.queryOptions('get', '/api/dataproducts/{id}/contracts', { params: { path: { id } } })
}

interface PortHeadProps {
  port: InputPort | OutputPort
  productId: string
  /** Its JSON pointer in the document of the product. */
  pointer: string
}

function PortHead({ port, productId, pointer }: PortHeadProps) {
  const parts = useDeprecatedParts({ kind: 'data-product', id: productId })
  const status = 'status' in port ? port.status : undefined
  const hasPii = 'containsPii' in port && (port.containsPii ?? false)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h3 className="user-text text-base">{port.name}</h3>
      {port.version !== undefined && <span className="user-text text-muted">{port.version}</span>}
      {port.type !== undefined && <Tag>{port.type}</Tag>}
      <DocumentStatus status={getEffectiveStatus({ status, deprecated: port.deprecated })} />
      <UseInstead part={parts.find((part) => part.pointer === pointer)} />
      {hasPii && <Status tone="caution">personal data</Status>}
      {port.tags.map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
    </div>
  )
}

type Fact = readonly [name: string, value: ReactNode]

// The location as the document writes it.
function getWhere({ location, server }: OutputPort): Fact[] {
  const members = Object.entries(server ?? {}).map(([name, value]): Fact => [
    name,
    <VariableText key={name} text={plainText(value)} />,
  ])
  return [['location', location && <VariableText key="location" text={location} />], ...members]
}

function plainText(value: Value): string {
  if (typeof value === 'string') return value
  return jsonText(value)
}

function getContractFact(
  { contractId }: InputPort | OutputPort,
  portContract: PortContract | undefined,
  team?: string,
): Fact {
  return [
    'Data contract',
    contractId === undefined ? (
      <span key="contract" className="text-muted">
        None
      </span>
    ) : (
      <PortContractLink
        key="contract"
        contractId={contractId}
        portContract={portContract}
        team={team}
      />
    ),
  ]
}

interface PortContractLinkProps {
  contractId: string
  /** Undefined = not loaded yet. */
  portContract: PortContract | undefined
  /** The team to own the contract if it is created. */
  team: string | undefined
}

function PortContractLink({ contractId, portContract, team }: PortContractLinkProps) {
  if (portContract !== undefined && portContract.contract === null) {
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
  const version = portContract?.contract?.version
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <Link href={paths.dataContract(contractId)} className="user-text">
        {portContract?.contract?.name ?? contractId}
      </Link>
      {version !== null && version !== undefined && (
        <span className="user-text text-muted">{version}</span>
      )}
      <ResourceStanding
        resourceType="DATA_CONTRACT"
        id={contractId}
        status={portContract?.contract?.status ?? null}
      />
    </span>
  )
}

interface PortFieldsProps {
  port: InputPort | OutputPort
  portContract: PortContract | undefined
}

function PortFields({ port: { contractId, name }, portContract }: PortFieldsProps) {
  // Keeps the place of the fields until it is known whether the contract exists.
  if (contractId === undefined || portContract?.contract === null) return null
  return <PortModel contractId={contractId} portName={name} />
}

interface SourceSystemLinkProps {
  id: string
  /** The product with a port that names it. */
  productId: string
}

/** The name of a source system as a link; its id as text if it is not in the catalog. */
function SourceSystemLink({ id, productId }: SourceSystemLinkProps) {
  const { data } = useQuery(lineageQuery(productId, '1'))
  const node = data?.nodes.find((one) => one.kind === 'SOURCE_SYSTEM' && one.id === id)
  if (node?.exists === true) {
    return <Link href={pathOfResource('SOURCE_SYSTEM', id)}>{node.name}</Link>
  }
  return <span className="user-text">{node === undefined ? id : `${id} (not in the catalog)`}</span>
}

const SHOWN_MAX = 10

/** The data products that read from an output port. */
function PortConsumers({ productId, port }: { productId: string; port: OutputPort }) {
  const { data } = useQuery(lineageQuery(productId, '1'))
  if (data === undefined) return <span className="text-faint">…</span>
  const consumers = listPortReaders(data, productId, port)
  if (consumers.length === 0) {
    return <span className="text-muted">No registered data product</span>
  }
  const rest = consumers.length - SHOWN_MAX
  return (
    <span className="user-text">
      {consumers.slice(0, SHOWN_MAX).map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Link href={paths.dataProduct(id)}>{name}</Link>
        </span>
      ))}
      {rest > 0 && <span className="text-muted"> and {rest} more</span>}
    </span>
  )
}
