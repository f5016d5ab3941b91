/** Tests of clients whose part of the API is not complete: they may fail. */

// The beginnings of the tests' names.
const PENDING: readonly string[] = [
  'dataproducts star',
  'dataproducts unstar',
  'assets tags',
  'whole catalogs › export dir',
  'AssetsApi.addAssignedTag',
  'AssetsApi.getAssignedTags',
  'AssetsApi.deleteAssignedTag',
  'DataProductsApi.star',
  'DataProductsApi.unstar',
  'DataProductsApi.getStar',
  'DataProductsApi.getDataProductStar',
]

// To see what works: PORTBOOK_PENDING=fails npm test -- test/clients
const mayFail = process.env.PORTBOOK_PENDING !== 'fails'

/** Returns whether a test may fail. */
export function isPending(name: string): boolean {
  return mayFail && PENDING.some((start) => name.startsWith(start))
}
