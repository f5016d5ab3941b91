/** The rows of the permission matrix for integrations and their runs. */

import { randomUUID } from 'node:crypto'
import { readJson } from '../answers.ts'
import { addIntegration } from '../integrations.ts'
import { uniqueId } from '../world.ts'
import { type RequestMaker, atPath, type PermissionRow } from './requests.ts'
import { row } from './row.ts'
import {
  CANCEL_OF_A,
  CANCEL_OF_B,
  CANCEL_OF_NO_TEAM,
  CHANGE_OF_B,
  CHANGE_OF_NO_TEAM,
  READ,
  RESOURCE_OF_A,
  RUN_OF_A,
  RUN_OF_B,
  RUN_OF_NO_TEAM,
  SEEN_OF_B,
  SEEN_WITHOUT_OWNER,
  UNKNOWN,
  UNKNOWN_READ,
} from './statuses.ts'

/** Lists the actions on integrations and their runs below one of the two addresses. */
export function listIntegrationRows(list: string): PermissionRow[] {
  const one = `${list}/{externalId}`
  const run = `${one}/runs/{ingestionRunId}`
  const of = (owner: string | null, more = '') => integrationRequest(list, owner, more)
  const reads: [string, string][] = [
    [one, ''],
    [`${one}/runs`, '/runs'],
    [`${one}/runs/latest`, '/runs/latest'],
    [run, '/runs/{run}'],
  ]
  return [
    row('GET', list, 'list', READ, atPath(list)),
    ...reads.flatMap(([route, more]) => [
      row('GET', route, 'of A', READ, of('a', more)),
      row('GET', route, 'of B', SEEN_OF_B, of('b', more)),
      row('GET', route, 'without an owner', SEEN_WITHOUT_OWNER, of(null, more)),
      row('GET', route, 'an unknown id', UNKNOWN_READ, async () => ({
        path: `${list}/${uniqueId()}${more.replace('{run}', randomUUID())}`,
      })),
    ]),
    row('POST', `${one}/run`, 'of A', RUN_OF_A, of('a', '/run')),
    row('POST', `${one}/run`, 'of B', RUN_OF_B, of('b', '/run')),
    row('POST', `${one}/run`, 'without an owner', RUN_OF_NO_TEAM, of(null, '/run')),
    row('POST', `${one}/cancel`, 'of A', CANCEL_OF_A, of('a', '/cancel')),
    row('POST', `${one}/cancel`, 'of B', CANCEL_OF_B, of('b', '/cancel')),
    row('POST', `${one}/cancel`, 'without an owner', CANCEL_OF_NO_TEAM, of(null, '/cancel')),
    ...['run', 'cancel'].map((verb) =>
      row('POST', `${one}/${verb}`, 'an unknown id', UNKNOWN, async () => ({
        path: `${list}/${uniqueId()}/${verb}`,
      })),
    ),
  ]
}

const ADDRESSES = '/api/integrations/{externalId}/addresses'

/** Lists the actions on the addresses of integrations. */
export function listAddressRows(): PermissionRow[] {
  return [
    row('GET', ADDRESSES, 'of A', READ, integrationRequest('/api/integrations', 'a', '/addresses')),
    row(
      'GET',
      ADDRESSES,
      'of B',
      SEEN_OF_B,
      integrationRequest('/api/integrations', 'b', '/addresses'),
    ),
    row('GET', ADDRESSES, 'an unknown id', UNKNOWN_READ, unknownAddress('GET')),
    ...(['POST', 'DELETE'] as const).flatMap((method) => [
      row(method, ADDRESSES, 'of A', RESOURCE_OF_A, atAddress('a', method)),
      row(method, ADDRESSES, 'of B', CHANGE_OF_B, atAddress('b', method)),
      row(method, ADDRESSES, 'without an owner', CHANGE_OF_NO_TEAM, atAddress(null, method)),
      row(method, ADDRESSES, 'an unknown id', UNKNOWN, unknownAddress(method)),
    ]),
  ]
}

const HOST = 'db.example:5432'

function atAddress(owner: string | null, method: 'POST' | 'DELETE'): RequestMaker {
  return async (world) => {
    const path = `/api/integrations/${await addIntegration(world, owner)}/addresses`
    return method === 'POST'
      ? { path, body: { address: HOST } }
      : { path: `${path}?address=${HOST}` }
  }
}

function unknownAddress(method: string): RequestMaker {
  return async () => {
    const path = `/api/integrations/${uniqueId()}/addresses`
    if (method === 'DELETE') return { path: `${path}?address=${HOST}` }
    return method === 'POST' ? { path, body: { address: HOST } } : { path }
  }
}

/** Lists the same actions below the other address, where every endpoint is the same. */
export function listForeignIntegrationRows(list: string): PermissionRow[] {
  return listIntegrationRows(list).filter(({ action }) => action === 'list' || action === 'of B')
}

/** Creates an integration, with a run if the address needs one. */
function integrationRequest(list: string, owner: string | null, more: string): RequestMaker {
  return async (world) => {
    const path = `${list}/${await addIntegration(world, owner)}`
    if (!more.startsWith('/runs')) return { path: `${path}${more}` }
    const started = world.as('O', 'POST', `${path}/run`)
    const { ingestionRunId } = await readJson<{ ingestionRunId: string }>(started, 202)
    return { path: `${path}${more.replace('{run}', ingestionRunId)}` }
  }
}
