import { readStoredProduct } from '../../../formats/data-product/facts.ts'
import { addToCatalog, selectDataset } from '../../../formats/rdf/catalog.ts'
import { readDatasetFacts, type DatasetFacts } from '../../../formats/rdf/dataset.ts'
import { newIris } from '../../../formats/rdf/iris.ts'
import { SYNTAXES, type RdfMediaType } from '../../../formats/rdf/syntax.ts'
import { describeProduct } from '../../../formats/rdf/triples.ts'
import { readStored } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'
import type { ProductRow } from './rdf.ts'

/** Data products to be written, and the contracts that their ports name and that exist. */
interface ProductsInput {
  baseUrl: string
  mediaType: RdfMediaType
  /** Whether they are listed in the catalog. */
  isCatalog: boolean
  /** Only the nodes of this contract are written; undefined = all. */
  contractId: string | undefined
  products: readonly Pick<ProductRow, 'id' | 'document' | 'modifiedAt' | 'ownerId'>[]
  contracts: readonly { id: string; addresses: readonly string[] }[]
}

/** Writes data products as RDF, one after the other. A product that cannot be read is skipped. */
export const writeProducts: Task<ProductsInput, string> = {
  name: 'rdf/writeProducts',
  run({ baseUrl, mediaType, isCatalog, contractId, products, contracts }) {
    const iris = newIris(baseUrl)
    const byId = new Map(contracts.map((contract) => [contract.id, contract]))
    const texts = products.map(({ id, document, modifiedAt, ownerId }) => {
      const { value } = readStored({ document, mediaType: 'application/json' })
      const product = readStoredProduct(value, { id, owner: ownerId })
      if (product === undefined) return ''
      const nodes = describeProduct(iris, { product, ownerId, modifiedAt }, byId)
      const own = contractId === undefined ? nodes : selectDataset(nodes, iris.contract(contractId))
      return SYNTAXES[mediaType].write(isCatalog ? [...own, ...addToCatalog(iris, nodes)] : own)
    })
    return texts.join('')
  },
}

/** Reads what RDF needs of the documents of contracts. */
export const readDatasets: Task<readonly { id: string; document: string }[], DatasetFacts[]> = {
  name: 'rdf/readDatasets',
  run: (contracts) =>
    contracts.map(({ id, document }) =>
      readDatasetFacts(readStored({ document, mediaType: 'application/json' }).value, id),
    ),
}
