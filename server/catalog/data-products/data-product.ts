import { listOutputAssets, namedAssets } from '../../../formats/asset/named-assets.ts'
import type {
  ComparablePort,
  ComparableProduct,
} from '../../../formats/data-product/data-product.ts'
import { listProductParts } from '../../../formats/data-product/deprecated-parts.ts'
import { listObjects } from '../../../formats/data-product/fields.ts'
import { readDataProduct } from '../../../formats/data-product/read.ts'
import { diffAsOdps, diffDataProducts } from '../../../formats/diff/diff.ts'
import { NODES_MAX } from '../../../formats/text/json-scan.ts'
import {
  newDocumentReading,
  type DocumentReader,
  type PlannedChange,
  type OwnColumns,
  type ReadDocument,
} from '../../documents/document.ts'
import type { NewEvent } from '../../ledger/events/event.ts'
import { getField } from '../../../formats/text/value.ts'
import { isEnding, readEnding } from '../../ledger/history/ending.ts'
import type { PortName } from '../../ledger/ports/task.ts'
import { findIdProblem } from '../../../formats/name/document-id.ts'
import {
  type ContractPlace,
  contractPlaces,
  linkedPorts,
  type LinkedPort,
} from '../../ledger/ports/port.ts'
import { productEntry } from '../../documents/search/entry.ts'
import type { ProductFormat } from '../../../formats/data-product/data-product.ts'
import { odpsFromDps } from '../../../formats/data-product/convert.ts'
import { type OdpsVersion, toOdpsVersion } from '../../../formats/data-product/versions.ts'
import { jsonText } from '../../../formats/text/text.ts'
import { listReplacementPlaces, type ReplacementPlace } from '../deprecations/target.ts'
import { newDocumentTasks } from '../../documents/task.ts'
import { readStored, type StoredText } from '../../requests/http/document.ts'
import type { Task, TextOutput } from '../../requests/http/offload.ts'

/**
 * The columns of a data product that are derived from its document (list filters, contracts of its ports,
 * assets), and the events of its changes.
 */

/** A product as it was read from its document. */
interface ReadProduct extends ReadDocument {
  product: ComparableProduct
}

const PORT_CHARACTERS_MAX = 200
const PORT_KEYS_MAX = 1000

// The columns that only products have.
function buildColumns({ product, value }: ReadProduct): OwnColumns {
  return {
    archetype: product.archetype ?? null,
    maturity: product.maturity ?? null,
    input_contracts: listContractIds(product.inputPorts).filter(isId),
    output_contracts: listContractIds(product.outputPorts).filter(isId),
    assets: namedAssets(value).filter(isId),
    output_assets: listOutputAssets(value, product.outputPorts),
  }
}

// What a version needs to find the output ports whose end the next version announces.
function buildFacts({ product, value }: ReadProduct): object {
  const { outputPorts } = product
  const items = listObjects(getField(value, 'outputPorts'))
  const endingPorts = items.flatMap(({ item }, at) => {
    const port = outputPorts[at]
    const ending = readEnding(item, port?.status)
    if (port === undefined || !isEnding(ending)) return []
    const { key, id, name, contractId = null } = port
    return [
      {
        key: key.slice(0, PORT_CHARACTERS_MAX),
        id,
        name: name.slice(0, PORT_CHARACTERS_MAX),
        contractId,
        ...ending,
      },
    ]
  })
  const keys = outputPorts.map(({ key }) => key.slice(0, PORT_CHARACTERS_MAX))
  return {
    ending: readEnding(value, product.status),
    endingPorts,
    ...(keys.length > PORT_KEYS_MAX ? {} : { portKeys: keys }),
  }
}

// An invalid id links to nothing, and a text of any length would not fit into an index.
function isId(named: string): boolean {
  return findIdProblem(named) === undefined
}

/** The contracts that some ports name, each once. */
function listContractIds(ports: readonly { contractId?: string }[]): string[] {
  return [...new Set(ports.map((port) => port.contractId).filter((id) => id !== undefined))]
}

/**
 * Returns the events of a change: of the product, and of each output port that changed. A creation if
 * `before` is undefined; a deletion if `after` is, with the events of the ports first.
 */
function listChangeEvents(
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
function touchedPorts(before: ComparableProduct, after: ComparableProduct): ComparablePort[] {
  const now = new Map(after.outputPorts.map((port) => [port.key, port.canonical]))
  return before.outputPorts.filter((port) => now.get(port.key) !== port.canonical)
}

function portEvents(
  before: readonly ComparablePort[],
  after: readonly ComparablePort[],
): NewEvent[] {
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

/** The data of a product's change that a dry run needs. */
export interface ProductPlanData {
  /** The ports that name a contract, and where they do. */
  ports: LinkedPort[]
  places: ContractPlace[]
  /** The changed or removed output ports, by id, and their contracts. */
  touchedPortIds: string[]
  touchedContracts: string[]
  replacements: ReplacementPlace[]
  portNames: PortName[]
}

/** Reads data products. */
export const PRODUCT_READER: DocumentReader<ReadProduct, ProductPlanData> = {
  kind: 'data-product',
  nodesMax: NODES_MAX,
  read(source, options) {
    const reading = readDataProduct(source, options)
    if (!reading.ok) return reading
    const { product } = reading
    return newDocumentReading({ product }, product, reading)
  },
  ownerPath: ({ product }) => (product.format === 'odps' ? ['team', 'name'] : ['info', 'owner']),
  buildColumns,
  buildFacts,
  listParts: ({ product, value }) => listProductParts(product, value),
  getEntry: ({ product }) => productEntry(product),
  diff: diffDataProducts,
  standard: { kind: 'DataProduct', diff: diffAsOdps },
  getEvents: listChangeEvents,
  listRemovedParts,
  // Access is granted to ports by their ids.
  listDecidingParts: ({ product }) =>
    product.outputPorts.filter(({ autoApprove }) => autoApprove === true).map(({ id }) => id),
  hasDecisions: ({ product }) => product.outputPorts.length > 0,
  getPlanData,
}

// Access is granted to ports by their ids, so that a port with a new id is another port.
function listRemovedParts(before: ReadProduct, after: ReadProduct): string[] {
  const kept = new Set(after.product.outputPorts.map(({ id }) => id))
  return [...new Set(before.product.outputPorts.map(({ id }) => id))].filter((id) => !kept.has(id))
}

function getPlanData({
  source,
  before,
  after,
  isSame,
}: PlannedChange<ReadProduct>): ProductPlanData {
  const { product } = after
  const touched = before === undefined || isSame ? [] : touchedPorts(before.product, product)
  return {
    ports: linkedPorts(product),
    places: contractPlaces(source, product),
    touchedPortIds: touched.map(({ id }) => id),
    touchedContracts: listContractIds(touched),
    replacements: listReplacementPlaces(source),
    portNames: product.outputPorts.map(({ key, id, name }) => ({ key, id, name })),
  }
}

/** Reading and comparing data products. */
export const PRODUCT_TASKS = newDocumentTasks(PRODUCT_READER)

/** A stored product, and the version of ODPS that it is written in; absent = the usual one, for DPS. */
interface OdpsInput extends StoredText {
  id: string
  format: ProductFormat
  version: OdpsVersion | undefined
}

/** Writes a stored document as ODPS; one that has the version is returned as it was sent. */
export const writeOdps: Task<OdpsInput, TextOutput> = {
  name: 'data-product/writeOdps',
  run({ id, format, version, ...stored }) {
    const value = readStored(stored).spelled()
    const odps =
      version === undefined ? odpsFromDps(value, id) : toOdpsVersion(value, { id, format, version })
    if (odps === value) return { text: stored.document, mediaType: stored.mediaType, headers: {} }
    return { text: jsonText(odps), mediaType: 'application/json', headers: {} }
  },
}
