/** The rows of the permission matrix for addresses that serve existing clients. */

import {
  CONTRACT,
  PRODUCT,
  type RequestMaker,
  atPath,
  existingOne,
  newGeneration,
  type PermissionRow,
} from './requests.ts'
import { row } from './row.ts'
import {
  OWNERS_OF_A,
  OWNERS_OF_B,
  POSTED,
  READ,
  STAR,
  UNTESTED_OF_A,
  UNTESTED_OF_B,
} from './statuses.ts'

const PRODUCT_OF_A = existingOne('dataproducts', 'a', '/stargazers')
const ofB = (part: string): RequestMaker => existingOne('dataproducts', 'b', part)
const contractTest = (owner: string): RequestMaker => existingOne('datacontracts', owner, '/test')

/** The rows. */
export const CLIENT_ROWS: readonly PermissionRow[] = [
  row('POST', `${CONTRACT}/generate`, 'from one of B', POSTED, newGeneration('b')),
  row('POST', `${CONTRACT}/test`, 'of A', UNTESTED_OF_A, contractTest('a')),
  row('POST', `${CONTRACT}/test`, 'of B', UNTESTED_OF_B, contractTest('b')),
  row('GET', '/api/catalog.ttl', 'the first page', READ, atPath('/api/catalog.ttl')),
  row('GET', '/api/catalog.jsonld', 'the first page', READ, atPath('/api/catalog.jsonld')),
  row('GET', '/api/schemas/{file}', 'one', READ, atPath('/api/schemas/odcs.schema.json')),
  row(
    'GET',
    '/api/semantics/experimental/namespaces',
    'list',
    READ,
    atPath('/api/semantics/experimental/namespaces'),
  ),
  row('GET', `${PRODUCT}/star`, 'of B', READ, ofB('/star')),
  row('PUT', `${PRODUCT}/star`, 'of B', STAR, ofB('/star')),
  row('DELETE', `${PRODUCT}/star`, 'of B', STAR, ofB('/star')),
  row('GET', `${PRODUCT}/stargazers`, 'of A', OWNERS_OF_A, PRODUCT_OF_A),
  row('GET', `${PRODUCT}/stargazers`, 'of B', OWNERS_OF_B, ofB('/stargazers')),
]
