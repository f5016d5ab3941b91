// What all products of a catalog share, as RDF: the catalog itself, teams, statuses, domains and contracts. A page that
// refers to one of these nodes describes it, too, so that each page is valid by itself.

import { nodeProperties, textProperty, type GraphNode } from './graph.ts'
import type { Iris } from './iris.ts'

/** A contract as a dataset. */
export interface Dataset {
  id: string
  name: string
  description: string | undefined
  /** Its own words. */
  version: string | undefined
  /** The name of the JSON Schema of its standard: `odcs-3.1.0`. */
  standard: string | undefined
}

/** The catalog of an organization, and a page of its data products. */
interface Catalog {
  /** The name of the organization. */
  name: string
  /** Counted from 0. */
  page: number
  hasMore: boolean
}

/** Describes a catalog without its products. Every page has it. */
export function describeCatalog(iris: Iris, { name, page, hasMore }: Catalog): GraphNode[] {
  const view = iris.catalogPage(page)
  return [
    {
      iri: iris.catalog,
      types: ['dcat:Catalog'],
      properties: [
        ...textProperty('dct:title', name),
        ...textProperty('dct:description', `Data products of ${name}`),
        ...nodeProperties('dct:publisher', [iris.publisher]),
        ...nodeProperties('hydra:view', [view]),
      ],
    },
    { iri: iris.publisher, ...describeAgent(name) },
    {
      iri: view,
      types: ['hydra:PartialCollectionView'],
      properties: [
        ...nodeProperties('hydra:first', [iris.catalogPage(0)]),
        ...nodeProperties('hydra:previous', page === 0 ? [] : [iris.catalogPage(page - 1)]),
        ...nodeProperties('hydra:next', hasMore ? [iris.catalogPage(page + 1)] : []),
      ],
    },
  ]
}

/** Describes a team. */
export function describeTeam(iris: Iris, { id, name }: { id: string; name: string }): GraphNode {
  return { iri: iris.team(id), ...describeAgent(name) }
}

function describeAgent(name: string): Pick<GraphNode, 'types' | 'properties'> {
  return { types: ['foaf:Agent', 'prov:Agent'], properties: textProperty('foaf:name', name) }
}

/** Describes a status of data products. */
export function describeStatus(iris: Iris, word: string): GraphNode {
  return {
    iri: iris.status(word),
    types: ['dprod:DataProductLifecycleStatus', 'skos:Concept'],
    properties: textProperty('skos:prefLabel', word),
  }
}

/** Describes a domain, as the documents name it. */
export function describeDomain(iris: Iris, name: string): GraphNode {
  return {
    iri: iris.domain(name),
    types: ['skos:Concept'],
    properties: textProperty('skos:prefLabel', name),
  }
}

/** Describes a contract, and the standard that its document follows. */
export function describeDataset(iris: Iris, dataset: Dataset): GraphNode[] {
  const { id, name, description, version, standard } = dataset
  const node: GraphNode = {
    iri: iris.contract(id),
    types: ['dcat:Dataset'],
    properties: [
      ...textProperty('dct:title', name),
      ...textProperty('dct:identifier', id),
      ...textProperty('dct:description', description ?? name),
      ...textProperty('dcat:version', version),
      ...nodeProperties('dct:conformsTo', standard === undefined ? [] : [iris.standard(standard)]),
    ],
  }
  return standard === undefined ? [node] : [node, describeStandard(iris, standard)]
}

function describeStandard(iris: Iris, standard: string): GraphNode {
  const [, version = ''] = standard.split('-')
  return {
    iri: iris.standard(standard),
    types: ['dct:Standard'],
    properties: [
      ...textProperty('dct:title', `Open Data Contract Standard ${version}`),
      ...textProperty('dct:identifier', standard),
    ],
  }
}

/** Lists a product that `describeProduct` described in the catalog: itself, its output ports and their contracts. */
export function addToCatalog(iris: Iris, [product]: readonly GraphNode[]): GraphNode[] {
  if (product === undefined) return []
  const listNodes = (name: string): string[] =>
    product.properties.flatMap(([one, terms]) =>
      one === name ? terms.flatMap((term) => ('iri' in term ? [term.iri] : [])) : [],
    )
  return [
    {
      iri: iris.catalog,
      types: [],
      properties: [
        ...nodeProperties('dcat:resource', [product.iri]),
        ...nodeProperties('dcat:service', listNodes('dprod:outputPort')),
        ...nodeProperties('dcat:dataset', listNodes('dprod:outputDataset')),
      ],
    },
  ]
}

/** Selects the nodes of a product that belong to one of its datasets: the distributions, and the ports that serve them. */
export function selectDataset(nodes: readonly GraphNode[], dataset: string): GraphNode[] {
  const distributions = new Set(
    nodes
      .filter((node) => refersTo(node, 'dprod:isDistributionOf', new Set([dataset])))
      .map(({ iri }) => iri),
  )
  return nodes.filter(
    (node) =>
      node.iri === dataset ||
      distributions.has(node.iri) ||
      refersTo(node, 'dprod:isAccessServiceOf', distributions),
  )
}

function refersTo({ properties }: GraphNode, name: string, iris: ReadonlySet<string>): boolean {
  return properties.some(
    ([one, terms]) => one === name && terms.some((term) => 'iri' in term && iris.has(term.iri)),
  )
}
