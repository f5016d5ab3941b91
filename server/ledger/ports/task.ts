import type { OutputPort } from '../../../formats/data-product/data-product.ts'
import { readDataProduct } from '../../../formats/data-product/read.ts'
import { readStored } from '../../requests/http/document.ts'
import type { Offload, Task } from '../../requests/http/offload.ts'
import { splitBySize } from '../../platform/kit/batches.ts'
import { listLineagePorts, type LineageProduct } from './lineage.ts'
import { linkedPorts, type LinkedPort } from './port.ts'

/** A stored data product in JSON. */
export interface StoredProduct {
  id: string
  document: string
}

type LineagePorts = Pick<LineageProduct, 'inputs' | 'outputs'>

/** Lists the ports of each product that name a contract; none if a product cannot be read. */
export const listLinkedPortsOfEach: Task<readonly StoredProduct[], LinkedPort[][]> = {
  name: 'ports/listLinkedPortsOfEach',
  run: (products) =>
    products.map((product) => {
      const { reading } = readProduct(product)
      return reading.ok ? linkedPorts(reading.product) : []
    }),
}

/** Lists the lineage ports of each product; none if a product cannot be read. */
export const listLineagePortsOfEach: Task<readonly StoredProduct[], LineagePorts[]> = {
  name: 'ports/listLineagePortsOfEach',
  run: (products) =>
    products.map((product) => {
      const { reading, source } = readProduct(product)
      return reading.ok
        ? listLineagePorts(reading.product, source.value)
        : { inputs: [], outputs: [] }
    }),
}

/** An output port with the names by which others refer to it. */
export type PortName = Pick<OutputPort, 'key' | 'id' | 'name'>

/** Lists the output ports of each product; none if a product cannot be read. */
export const listPortNamesOfEach: Task<readonly StoredProduct[], PortName[][]> = {
  name: 'ports/listPortNamesOfEach',
  run: (products) =>
    products.map((product) => {
      const { reading } = readProduct(product)
      return reading.ok
        ? reading.product.outputPorts.map(({ key, id, name }) => ({ key, id, name }))
        : []
    }),
}

function readProduct({ id, document }: StoredProduct) {
  const source = readStored({ document, mediaType: 'application/json' })
  return { source, reading: readDataProduct(source, { id, strict: false, isAccepted: true }) }
}

// The characters of products that one task reads, so that it stays far below the time limit.
const BATCH_CHARS_MAX = 2 * 1024 * 1024

/**
 * Runs a task on products, in batches, and returns one result for each product in their order.
 * Errors: document_too_costly, overloaded.
 */
export async function runOnProducts<Output>(
  offload: Offload,
  organizationId: string,
  task: Task<readonly StoredProduct[], Output[]>,
  products: readonly StoredProduct[],
): Promise<Output[]> {
  const outputs: Output[] = []
  const stored = products.map(({ id, document }) => ({ id, document }))
  for (const batch of splitBySize(stored, BATCH_CHARS_MAX, ({ document }) => document.length)) {
    const texts = batch.map(({ document }) => ({ document, mediaType: 'application/json' }))
    outputs.push(...(await offload.run(organizationId, task, batch, texts)))
  }
  return outputs
}
