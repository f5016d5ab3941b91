/** Rows of the permission matrix for addresses that serve existing clients. */

import {
  atPath,
  CONTRACT,
  existingOne,
  newGeneration,
  PRODUCT,
  type RequestMaker,
} from './permission-requests.ts'

/** An action: the method, the route, a name, the status for each caller, and its request. */
export type PermissionRow = readonly [
  method: string,
  route: string,
  action: string,
  statuses: string,
  request: RequestMaker,
]

//                        —   Uo  Ue  Um  Ur  T   Tr  O   Or
const READ = '401 200 200 200 200 200 200 200 200'
const POSTED = '401 200 200 200 403 200 403 200 403'
const STAR = '401 204 204 204 403 403 403 403 403'
const OWNERS_OF_A = '401 200 403 403 403 200 200 200 200'
const OWNERS_OF_B = '401 200 403 403 403 403 403 200 200'
const UNTESTED = '401 422 422 422 403 422 403 422 403'

const PRODUCT_OF_A = existingOne('dataproducts', 'a', '/stargazers')
const ofB = (part: string): RequestMaker => existingOne('dataproducts', 'b', part)
const testOfB = existingOne('datacontracts', 'b', '/test')

/** The rows. */
export const CLIENT_PERMISSIONS: readonly PermissionRow[] = [
  ['POST', `${CONTRACT}/generate`, 'from one of B', POSTED, newGeneration('b')],
  ['POST', `${CONTRACT}/test`, 'of B', UNTESTED, testOfB],
  ['GET', '/api/schemas/{file}', 'one', READ, atPath('/api/schemas/odcs.schema.json')],
  ['GET', `${PRODUCT}/star`, 'of B', READ, ofB('/star')],
  ['PUT', `${PRODUCT}/star`, 'of B', STAR, ofB('/star')],
  ['DELETE', `${PRODUCT}/star`, 'of B', STAR, ofB('/star')],
  ['GET', `${PRODUCT}/stargazers`, 'of A', OWNERS_OF_A, PRODUCT_OF_A],
  ['GET', `${PRODUCT}/stargazers`, 'of B', OWNERS_OF_B, ofB('/stargazers')],
]
