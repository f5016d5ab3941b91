import { namedAssets } from '../../formats/asset/named-assets.ts'
import type { DataProduct, OutputPort } from '../../formats/data-product/data-product.ts'
import { readDataProduct } from '../../formats/data-product/read.ts'
import { diffDataProducts } from '../../formats/diff/diff.ts'
import { NODES_MAX } from '../../formats/text/json-scan.ts'
import type { Value } from '../../formats/text/value.ts'
import { factsOf, readingOf } from '../documents/document.ts'
import type { DocumentFacts, DocumentReader, PlannedChange } from '../documents/document.ts'
import type { OwnColumns, ReadDocument } from '../documents/document.ts'
import type { NewEvent } from '../events/event.ts'
import { findIdProblem } from '../../formats/name/document-id.ts'
import { type ContractPlace, contractPlaces, linkedPorts, type LinkedPort } from '../ports/port.ts'
import { productEntry } from '../search/entry.ts'

/**
 * What the catalog keeps of a data product besides the document itself: what lists filter by, which
 * contracts its ports name, which assets it names, and what a change of it has to tell. Everything
 * here follows from the document, so it can always be made again.
 */

/** A product as it was read from its document. */
export interface ReadProduct extends ReadDocument {
  product: DataProduct
}

/** A product as the rules of documents want it. */
export function readOf(reading: {
  product: DataProduct
  value: Value
  canonical: string
}): ReadProduct {
  const { product, value } = reading
  let facts: DocumentFacts | undefined
  return {
    product,
    value,
    format: product.format,
    // Of a former version these are seldom asked for.
    get canonical() {
      return reading.canonical
    },
    get facts() {
      return (facts ??= factsOf(product))
    },
  }
}

/** The columns that only products have. */
export function columnsOf({ product, value }: ReadProduct): OwnColumns {
  return {
    archetype: product.archetype ?? null,
    maturity: product.maturity ?? null,
    input_contracts: contractsOf(product.inputPorts).filter(isId),
    output_contracts: contractsOf(product.outputPorts).filter(isId),
    assets: namedAssets(value).filter(isId),
  }
}

// What can be no id leads nowhere, and a text of any length would not fit into an index.
function isId(named: string): boolean {
  return findIdProblem(named) === undefined
}

/** The contracts that some ports name, each once. */
export function contractsOf(ports: readonly { contractId?: string }[]): string[] {
  return [...new Set(ports.map((port) => port.contractId).filter((id) => id !== undefined))]
}

/**
 * The events of a change: the product's own, and one for each output port that changed. Before =
 * undefined is a creation, after = undefined a deletion, which tells the ports first.
 */
export function eventsOf(
  before: ReadProduct | undefined,
  after: ReadProduct | undefined,
): NewEvent[] {
  const then = before?.product.outputPorts ?? []
  const now = after?.product.outputPorts ?? []
  if (after === undefined) return [...portEvents(then, now), { name: 'DataProductDeletedEvent' }]
  const name = before === undefined ? 'DataProductCreatedEvent' : 'DataProductUpdatedEvent'
  return [{ name }, ...portEvents(then, now)]
}

/** The output ports that a change touched or removed, as they were before it. */
export function touchedPorts(before: DataProduct, after: DataProduct): OutputPort[] {
  const now = new Map(after.outputPorts.map((port) => [port.key, port.canonical]))
  return before.outputPorts.filter((port) => now.get(port.key) !== port.canonical)
}

function portEvents(before: readonly OutputPort[], after: readonly OutputPort[]): NewEvent[] {
  const then = new Map(before.map((port) => [port.key, port]))
  const now = new Map(after.map((port) => [port.key, port]))
  const events: NewEvent[] = []
  for (const [key, { id, canonical }] of now) {
    const former = then.get(key)
    if (former === undefined) events.push({ name: 'OutputPortCreatedEvent', outputPortId: id })
    else if (former.canonical !== canonical) {
      events.push({ name: 'OutputPortUpdatedEvent', outputPortId: id })
    }
  }
  for (const [key, { id }] of then) {
    if (!now.has(key)) events.push({ name: 'OutputPortDeletedEvent', outputPortId: id })
  }
  return events
}

/** What a dry run needs to know of a change of a product. */
export interface ProductOutlook {
  /** The ports that name a contract, and where they do. */
  ports: LinkedPort[]
  places: ContractPlace[]
  /** The contracts of the output ports that the change touches or removes. */
  touchedContracts: string[]
}

/** Reads data products. */
export const PRODUCT_READER: DocumentReader<ReadProduct, ProductOutlook> = {
  kind: 'data-product',
  called: 'data product',
  nodesMax: NODES_MAX,
  read: (source, options) => readingOf(readDataProduct(source, options), readOf),
  ownerPath: ({ product }) => (product.format === 'odps' ? ['team', 'name'] : ['info', 'owner']),
  columnsOf,
  entryOf: ({ product }) => productEntry(product),
  diff: diffDataProducts,
  eventsOf,
  outlookOf,
}

function outlookOf({ source, before, after, isSame }: PlannedChange<ReadProduct>): ProductOutlook {
  const { product } = after
  const touched = before === undefined || isSame ? [] : touchedPorts(before.product, product)
  return {
    ports: linkedPorts(product),
    places: contractPlaces(source, product),
    touchedContracts: contractsOf(touched),
  }
}
