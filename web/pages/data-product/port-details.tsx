import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { InputPort, OutputPort } from '../../../formats/data-product/data-product.ts'
import { jsonText, type Value } from '../../../formats/text/value.ts'
import { listContextParts } from '../../parts/context-view.tsx'
import { TrustStrip } from '../../documents/trust-strip.tsx'
import { Link } from '../../parts/link.tsx'
import { Facts } from '../../parts/page.tsx'
import { VariableText } from '../../parts/variable-text.tsx'
import { paths } from '../../paths.ts'
import { listPortReaders } from './lineage-nodes.ts'
import type { PortContract } from './port-contract.tsx'
import { PortExamples } from './port-examples.tsx'
import { PortModel } from './port-model.tsx'
import { PortUse } from './port-use.tsx'
import { listPortFacts, showSynonyms } from './port-more.tsx'
import { lineageQuery } from './product-query.ts'

interface PortDetailsProps<Port> {
  productId: string
  port: Port
  /** The port as the document writes it. */
  raw: Value | undefined
  /** Undefined = not loaded yet. */
  portContract: PortContract | undefined
}

/** The details of an output port that its row does not show: its place, its readers, its fields and examples. */
export function OutputPortDetails(props: PortDetailsProps<OutputPort>) {
  const { productId, port, raw, portContract } = props
  return (
    <Details port={port}>
      <TrustStrip resourceType="OUTPUT_PORT" id={port.key} dataProductId={productId} />
      <Facts
        facts={[
          ['Synonyms', port.synonyms && showSynonyms(raw, port.synonyms)],
          ...getWhere(port),
          ['Read by', <PortConsumers key="readers" productId={productId} port={port} />],
          ...listContextParts(port.context),
          ...listPortFacts(raw),
        ]}
      />
      <PortUse productId={productId} port={port} />
      <PortFields port={port} portContract={portContract} />
      <PortExamples productId={productId} port={port} />
    </Details>
  )
}

/** The details of an input port that its row does not show. */
export function InputPortDetails({ port, raw, portContract }: PortDetailsProps<InputPort>) {
  const facts = [...getWhere(port), ...listPortFacts(raw)]
  const isEmpty = port.description === undefined && facts.every(([, value]) => !value)
  return (
    <Details port={port}>
      {isEmpty && port.contractId === undefined && (
        <p className="text-muted">The document describes nothing else of this port.</p>
      )}
      <Facts facts={facts} />
      <PortFields port={port} portContract={portContract} />
    </Details>
  )
}

function Details({ port, children }: { port: InputPort | OutputPort; children: ReactNode }) {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 px-4 pb-4 sm:pl-9">
      {port.description !== undefined && (
        <p className="user-text max-w-prose">{port.description}</p>
      )}
      {children}
    </div>
  )
}

type Fact = readonly [name: string, value: ReactNode]

// The location as the document writes it.
function getWhere(port: InputPort | OutputPort): Fact[] {
  const members = 'server' in port ? Object.entries(port.server ?? {}) : []
  const { location } = port
  return [
    ['location', location && <VariableText key="location" text={location} />],
    ...members.map(([name, value]): Fact => [
      name,
      <VariableText key={name} text={typeof value === 'string' ? value : jsonText(value)} />,
    ]),
  ]
}

type PortFieldsProps = Pick<PortDetailsProps<InputPort | OutputPort>, 'port' | 'portContract'>

function PortFields({ port: { contractId, name }, portContract }: PortFieldsProps) {
  // Keeps the place of the fields until it is known whether the contract exists.
  if (contractId === undefined || portContract?.contract === null) return null
  return <PortModel contractId={contractId} portName={name} />
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
