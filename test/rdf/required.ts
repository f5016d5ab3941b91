/** The triples that the shapes require. */

import type { Quad } from 'n3'
import { NAMESPACES } from '../../formats/rdf/graph.ts'

const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'
const { dcat, dct, dprod, foaf, skos } = NAMESPACES

/** The required properties of each class. */
const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  [`${dcat}Catalog`]: [`${dct}title`, `${dct}description`, `${dct}publisher`],
  [`${foaf}Agent`]: [`${foaf}name`],
  [`${dcat}DataService`]: [`${dct}title`, `${dcat}endpointURL`],
  [`${dcat}Distribution`]: [`${dcat}accessURL`],
  [`${dcat}Dataset`]: [`${dct}title`, `${dct}description`],
  [`${skos}Concept`]: [`${skos}prefLabel`],
}

/** The class of the values of each property. */
const RANGES: Readonly<Record<string, string>> = {
  [`${dct}publisher`]: `${foaf}Agent`,
  [`${dct}conformsTo`]: `${dct}Standard`,
  [`${dcat}dataset`]: `${dcat}Dataset`,
  [`${dcat}service`]: `${dcat}DataService`,
  [`${dcat}distribution`]: `${dcat}Distribution`,
  [`${dcat}accessService`]: `${dcat}DataService`,
  [`${dcat}servesDataset`]: `${dcat}Dataset`,
  [`${dprod}dataProductOwner`]: NAMESPACES.prov + 'Agent',
  [`${dprod}lifecycleStatus`]: `${dprod}DataProductLifecycleStatus`,
  [`${dprod}inputPort`]: `${dcat}DataService`,
  [`${dprod}outputPort`]: `${dcat}DataService`,
  [`${dprod}inputDataset`]: `${dcat}Dataset`,
  [`${dprod}outputDataset`]: `${dcat}Dataset`,
  [`${dprod}isAccessServiceOf`]: `${dcat}Distribution`,
  [`${dprod}isDistributionOf`]: `${dcat}Dataset`,
}

/** Lists the triples of a graph that the shapes require; a property with several values is required only once. */
export function listRequired(quads: readonly Quad[]): Quad[] {
  const classes = Map.groupBy(
    quads.filter(({ predicate }) => predicate.value === RDF_TYPE),
    ({ subject }) => subject.value,
  )
  const count = Map.groupBy(quads, (one) => `${one.subject.value} ${one.predicate.value}`)
  const isRequired = ({ subject, predicate }: Quad): boolean =>
    count.get(`${subject.value} ${predicate.value}`)?.length === 1 &&
    (classes.get(subject.value) ?? []).some(({ object }) =>
      PROPERTIES[object.value]?.includes(predicate.value),
    )
  const ranges = new Set(
    quads.map(({ predicate, object }) => `${object.value} ${RANGES[predicate.value]}`),
  )
  const isRange = ({ subject, predicate, object }: Quad): boolean =>
    predicate.value === RDF_TYPE && ranges.has(`${subject.value} ${object.value}`)
  return quads.filter((quad) => isRequired(quad) || isRange(quad))
}
