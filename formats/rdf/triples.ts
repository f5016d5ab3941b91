// Data products as RDF: DCAT 3 (https://www.w3.org/TR/vocab-dcat-3/) with the product vocabulary DPROD
// (https://ekgf.github.io/dprod/). A contract that an output port names is a dataset, the port is the service that
// provides it, and a distribution connects the two.

import type { DataProduct, InputPort, OutputPort } from '../data-product/data-product.ts'
import { getEffectiveStatus } from '../data-product/standing.ts'
import { findPortAddress } from './address.ts'
import type { DatasetFacts } from './dataset.ts'
import {
  nodeProperties,
  textProperties,
  textProperty,
  type GraphNode,
  type Property,
} from './graph.ts'
import { encode, Fragments, type Iris } from './iris.ts'

/** A data product with its facts from the catalog. */
interface CatalogProduct {
  product: DataProduct
  /** External id of the owning team. */
  ownerId: string | undefined
  /** The instant of its last change, as `xsd:dateTime`. */
  modifiedAt: string
}

/**
 * Describes a data product with its ports and distributions. `contracts` are the existing contracts that its ports name,
 * by id; a port whose contract does not exist has none. The nodes refer to its team, its effective status, its domain and
 * these contracts, which the caller describes once for all products.
 */
export function describeProduct(
  iris: Iris,
  { product, ownerId, modifiedAt }: CatalogProduct,
  contracts: ReadonlyMap<string, Pick<DatasetFacts, 'addresses'>>,
): GraphNode[] {
  const { id, name, description, version, domain, tags, format } = product
  const iri = iris.product(id)
  const fragments = new Fragments()
  const outputs = product.outputPorts.map((port) =>
    toService(iris, product, { port, kind: 'port', page: iri, fragments, contracts }),
  )
  const inputs = product.inputPorts.map((port) =>
    toService(iris, product, { port, kind: 'input-port', page: iri, fragments, contracts }),
  )
  const node: GraphNode = {
    iri,
    types: ['dprod:DataProduct', 'dcat:Resource'],
    properties: [
      ...textProperty('dct:title', name),
      ...textProperty('rdfs:label', name),
      ...textProperty('dct:identifier', id),
      ...textProperty('dct:description', description),
      // The description of ODPS is its purpose.
      ...textProperty('dprod:purpose', format === 'odps' ? description : undefined),
      ['dct:modified', [{ text: modifiedAt, datatype: 'xsd:dateTime' }]],
      ...textProperty('dcat:version', version),
      ...textProperties('dcat:keyword', distinct(tags)),
      ...optionalNode('dprod:dataProductOwner', ownerId, iris.team),
      ...optionalNode('dprod:domain', domain, iris.domain),
      ...optionalNode('dprod:lifecycleStatus', getEffectiveStatus(product), iris.status),
      ...nodeProperties('dprod:inputPort', toIris(inputs)),
      ...nodeProperties('dprod:outputPort', toIris(outputs)),
      ...nodeProperties('dprod:inputDataset', listDatasets(inputs)),
      ...nodeProperties('dprod:outputDataset', listDatasets(outputs)),
    ],
  }
  const services = [...outputs, ...inputs]
  return [node, ...services.flatMap(({ nodes }) => nodes)]
}

/** A port as a service. */
interface Service {
  iri: string
  /** The contract, if it exists. */
  dataset: string | undefined
  /** The port, and for an output port with a contract its distribution. */
  nodes: GraphNode[]
}

function toService(
  iris: Iris,
  product: DataProduct,
  {
    port,
    kind,
    page,
    fragments,
    contracts,
  }: {
    port: InputPort | OutputPort
    kind: 'port' | 'input-port'
    /** The IRI of the product. */
    page: string
    fragments: Fragments
    contracts: ReadonlyMap<string, Pick<DatasetFacts, 'addresses'>>
  },
): Service {
  const { contractId, id, name, version, description, tags } = port
  const part = getPartName(product, port)
  const iri = `${page}#${fragments.take(`${kind}-${part}`)}`
  const contract = contractId === undefined ? undefined : contracts.get(contractId)
  const dataset =
    contract === undefined || contractId === undefined ? undefined : iris.contract(contractId)
  const own = findPortAddress(port)
  const addresses = own === undefined ? (contract?.addresses ?? []) : [own]
  const distribution =
    kind === 'port' && dataset !== undefined
      ? `${page}#${fragments.take(`distribution-${part}`)}`
      : undefined
  const service: GraphNode = {
    iri,
    types: ['dcat:DataService'],
    properties: [
      ...textProperty('dct:title', name),
      ...textProperty('dct:identifier', id),
      ...textProperty('dct:description', description),
      ...textProperty('dcat:version', version),
      ...textProperties('dcat:keyword', distinct(tags)),
      ...nodeProperties('dcat:endpointURL', addresses.length === 0 ? [page] : addresses),
      ...nodeProperties('dcat:servesDataset', dataset === undefined ? [] : [dataset]),
      ...nodeProperties(
        'dprod:isAccessServiceOf',
        distribution === undefined ? [] : [distribution],
      ),
    ],
  }
  if (distribution === undefined || dataset === undefined) return { iri, dataset, nodes: [service] }
  const access = { iri: distribution, title: name, page, service: iri, dataset }
  return { iri, dataset, nodes: [service, ...describeDistribution(access)] }
}

function describeDistribution({
  iri,
  title,
  page,
  service,
  dataset,
}: {
  iri: string
  title: string
  page: string
  service: string
  dataset: string
}): GraphNode[] {
  return [
    {
      iri,
      types: ['dcat:Distribution'],
      properties: [
        ...textProperty('dct:title', title),
        ...nodeProperties('dcat:accessURL', [page]),
        ...nodeProperties('dcat:accessService', [service]),
        ...nodeProperties('dprod:isDistributionOf', [dataset]),
      ],
    },
    { iri: dataset, types: [], properties: nodeProperties('dcat:distribution', [iri]) },
  ]
}

function distinct(texts: readonly string[]): readonly string[] {
  return texts.length < 2 ? texts : [...new Set(texts)]
}

// The key of a port of ODPS is its name, in which two characters are encoded, with its version after `@`. Display names
// may change.
function getPartName({ format }: DataProduct, { key, version }: InputPort | OutputPort): string {
  if (format !== 'odps') return encode(key)
  const ending = version === undefined ? '' : `@${version}`
  const name = key.slice(0, key.length - ending.length).replaceAll('%40', '@')
  const named = encode(name.replaceAll('%25', '%'))
  return version === undefined ? named : `${named}-${encode(version)}`
}

function listDatasets(services: readonly Service[]): string[] {
  return [...new Set(services.flatMap(({ dataset }) => dataset ?? []))]
}

function toIris(services: readonly Service[]): string[] {
  return services.map(({ iri }) => iri)
}

function optionalNode(
  name: Property[0],
  id: string | undefined,
  toIri: (id: string) => string,
): Property[] {
  return id === undefined ? [] : nodeProperties(name, [toIri(id)])
}
