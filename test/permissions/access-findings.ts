/** The rows of the permission matrix for grants of integrations and their deviations from agreements. */

import { randomUUID } from 'node:crypto'
import { addIntegration } from '../integrations.ts'
import { addProvider } from '../agreements.ts'
import { addAccessFinding } from '../grant-world.ts'
import { expectOk, uniqueId } from '../world.ts'
import { atPath, type PermissionRow, type RequestMaker } from './requests.ts'
import { row } from './row.ts'
import {
  CHANGE_OF_B,
  OF_B,
  READ,
  RESOURCE_OF_A,
  SEEN_OF_B,
  TEAM_OF_A,
  UNKNOWN,
  UNKNOWN_READ,
} from './statuses.ts'

//                        —   Uo  Ue  Um  Ur  T   Tr  O   Or
const UNMAPPED_OF_A = '401 404 404 403 403 404 403 404 403'

/** Lists the actions on findings about access. */
export function listAccessFindingRows(): PermissionRow[] {
  const list = '/api/access-findings'
  const one = `${list}/{id}`
  const of = (owner: string, more = '', body?: object): RequestMaker => {
    return async (world) => ({
      path: `${list}/${await addAccessFinding(world, owner)}${more}`,
      ...(body !== undefined && { body }),
    })
  }
  const unknown =
    (more = '', body?: object): RequestMaker =>
    async () => ({ path: `${list}/${randomUUID()}${more}`, ...(body !== undefined && { body }) })
  const reason = { reason: 'Agreed by mail' }
  const grants = '/api/dataproducts/{id}/outputports/{portId}/grants'
  return [
    row('GET', list, 'list', READ, atPath(list)),
    row('GET', one, 'of B', READ, of('b')),
    row('GET', one, 'an unknown id', UNKNOWN_READ, unknown()),
    row('PUT', `${one}/acceptance`, 'of A', TEAM_OF_A, of('a', '/acceptance', reason)),
    row('PUT', `${one}/acceptance`, 'of B', OF_B, of('b', '/acceptance', reason)),
    row('PUT', `${one}/acceptance`, 'an unknown id', UNKNOWN, unknown('/acceptance', reason)),
    row('DELETE', `${one}/acceptance`, 'of A', TEAM_OF_A, of('a', '/acceptance')),
    row('DELETE', `${one}/acceptance`, 'of B', OF_B, of('b', '/acceptance')),
    row('GET', grants, 'of B', READ, async (world) => ({
      path: `/api/dataproducts/${await addProvider(world, 'b')}/outputports/out/grants`,
    })),
    row('GET', grants, 'an unknown id', UNKNOWN_READ, async () => ({
      path: `/api/dataproducts/${uniqueId()}/outputports/out/grants`,
    })),
  ]
}

const TEST_ACCOUNT = { userName: 'tester', password: 'secret', enabled: true, isForAllTeams: true }

/** Lists the actions on the settings of grants and on the account for tests. */
export function listGrantSettingRows(): PermissionRow[] {
  const list = '/api/integrations'
  const one = `${list}/{externalId}/grants`
  const account = `${list}/{externalId}/test-account`
  const of = (owner: string, more: string, body?: object): RequestMaker => {
    return async (world) => ({
      path: `${list}/${await addIntegration(world, owner)}${more}`,
      ...(body !== undefined && { body }),
    })
  }
  const existingAccount = (owner: string): RequestMaker => {
    return async (world) => {
      const path = `${list}/${await addIntegration(world, owner)}/test-account`
      await expectOk(world.as('O', 'PUT', path, { body: TEST_ACCOUNT }))
      return { path }
    }
  }
  const settings = { enabled: true, pattern: '{team}' }
  const name = { granteeKind: 'role', granteeName: 'reader' }
  const mapping = { ...name, subject: { kind: 'platform' } }
  return [
    row('GET', account, 'of A', READ, of('a', '/test-account')),
    row('GET', account, 'of B', SEEN_OF_B, of('b', '/test-account')),
    row('PUT', account, 'of A', RESOURCE_OF_A, of('a', '/test-account', TEST_ACCOUNT)),
    row('PUT', account, 'of B', CHANGE_OF_B, of('b', '/test-account', TEST_ACCOUNT)),
    row('DELETE', account, 'of A', RESOURCE_OF_A, existingAccount('a')),
    row('DELETE', account, 'of B', CHANGE_OF_B, existingAccount('b')),
    row('GET', one, 'of A', READ, of('a', '/grants')),
    row('GET', one, 'of B', SEEN_OF_B, of('b', '/grants')),
    row('PUT', one, 'of A', RESOURCE_OF_A, of('a', '/grants', settings)),
    row('PUT', one, 'of B', CHANGE_OF_B, of('b', '/grants', settings)),
    row('PUT', `${one}/names`, 'of A', RESOURCE_OF_A, of('a', '/grants/names', mapping)),
    row('PUT', `${one}/names`, 'of B', CHANGE_OF_B, of('b', '/grants/names', mapping)),
    row('POST', `${one}/names/remove`, 'of A', RESOURCE_OF_A, async (world) => {
      const path = `${list}/${await addIntegration(world, 'a')}/grants/names`
      await expectOk(world.as('O', 'PUT', path, { body: mapping }))
      return { path: `${path}/remove`, body: name }
    }),
    row(
      'POST',
      `${one}/names/remove`,
      'of a name without a meaning',
      UNMAPPED_OF_A,
      of('a', '/grants/names/remove', name),
    ),
  ]
}
