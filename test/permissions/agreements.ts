/** The rows of the permission matrix for access agreements. */

import { REPORT_NAMES } from '../../server/agreements/provisioning.ts'
import { addAgreement, addProvider, buildAgreement } from '../agreements.ts'
import { expectOk, uniqueId } from '../world.ts'
import { atMissing, atPath, type PermissionRow, type RequestMaker } from './requests.ts'
import { row } from './row.ts'
import {
  OF_B,
  PERSONAL,
  POSTED,
  READ,
  RESOURCE_OF_A,
  TEAM_OF_A,
  UNKNOWN,
  UNKNOWN_READ,
  UNTESTED,
} from './statuses.ts'

/** The teams of an agreement: of the data product, and of the consumer. */
interface Sides {
  owner: string
  consumer: string
}

const A_FOR_B: Sides = { owner: 'a', consumer: 'b' }
const B_FOR_A: Sides = { owner: 'b', consumer: 'a' }
const B_FOR_B: Sides = { owner: 'b', consumer: 'b' }

/** Lists the rows of one of the two names of agreements. */
export function listAgreementRows(list: string): PermissionRow[] {
  const one = `${list}/{id}`
  const existing =
    ({ owner, consumer }: Sides, part = '', isApproved = false): RequestMaker =>
    async (world) => {
      const path = await addAgreement(world, { owner, consumer: { teamId: consumer }, isApproved })
      const id = path.slice(path.lastIndexOf('/') + 1)
      return { path: `${list}/${id}${part}` }
    }
  const created =
    ({ owner, consumer }: Sides, ofProduct = false): RequestMaker =>
    async (world) => {
      const product = await addProvider(world, owner)
      const named = ofProduct
        ? { dataProductId: await addProvider(world, consumer) }
        : { teamId: consumer }
      return { path: `${list}/${uniqueId()}`, body: buildAgreement(product, named) }
    }
  const changed =
    (sides: Sides): RequestMaker =>
    async (world) => {
      const product = await addProvider(world, sides.owner)
      const consumer = { teamId: sides.consumer }
      const path = await addAgreement(world, { product, consumer, isApproved: true })
      const id = path.slice(path.lastIndexOf('/') + 1)
      return { path: `${list}/${id}`, body: buildAgreement(product, consumer, { tags: ['x'] }) }
    }
  return [
    row('GET', list, 'all', READ, atPath(list)),
    row('GET', one, 'of B', READ, existing(B_FOR_B)),
    row('GET', one, 'an unknown id', UNKNOWN_READ, atMissing(list)),
    row('PUT', one, 'a new one of A for B', TEAM_OF_A, created(A_FOR_B)),
    row('PUT', one, 'a new one of B for A', POSTED, created(B_FOR_A)),
    row('PUT', one, 'a new one of B for a data product of A', POSTED, created(B_FOR_A, true)),
    row('PUT', one, 'a new one of B for B', OF_B, created(B_FOR_B)),
    row('PUT', one, 'of an unknown data product', UNTESTED, async () => ({
      path: `${list}/${uniqueId()}`,
      body: buildAgreement(uniqueId(), { teamId: 'a' }),
    })),
    row('PUT', one, 'an approved one of A for B', RESOURCE_OF_A, changed(A_FOR_B)),
    row('PUT', one, 'an approved one of B for A', OF_B, changed(B_FOR_A)),
    ...(list === '/api/access'
      ? [
          row('GET', `${one}/connection`, 'of B', READ, existing(B_FOR_B, '/connection')),
          row(
            'GET',
            `${one}/connection`,
            'an unknown id',
            UNKNOWN_READ,
            atPath(`${list}/none/connection`),
          ),
        ]
      : []),
    row('DELETE', one, 'of A for B', TEAM_OF_A, existing(A_FOR_B)),
    row('DELETE', one, 'of B for A', OF_B, existing(B_FOR_A)),
    row('DELETE', one, 'an unknown id', UNKNOWN, atMissing(list)),
    ...(list === '/api/access' ? listProvisioningRows(existing) : []),
    ...['approve', 'reject'].flatMap((name) => [
      row('POST', `${one}/${name}`, 'of A for B', TEAM_OF_A, existing(A_FOR_B, `/${name}`)),
      row('POST', `${one}/${name}`, 'of B for A', OF_B, existing(B_FOR_A, `/${name}`)),
    ]),
    row('POST', `${one}/cancel`, 'of A for B', TEAM_OF_A, existing(A_FOR_B, '/cancel', true)),
    row('POST', `${one}/cancel`, 'of B for A', POSTED, existing(B_FOR_A, '/cancel', true)),
    row('POST', `${one}/cancel`, 'of B for B', OF_B, existing(B_FOR_B, '/cancel')),
  ]
}

function listProvisioningRows(
  existing: (sides: Sides, part?: string) => RequestMaker,
): PermissionRow[] {
  const one = '/api/access/{id}/provisioning'
  const reported =
    (sides: Sides): RequestMaker =>
    async (world) => {
      const { path } = await existing(sides)(world)
      const started = `${path}/provisioning/provisioning-started`
      await expectOk(world.as('O', 'POST', started, { body: {} }))
      return { path: `${path}/provisioning`, body: { status: 'provisioned' } }
    }
  const first = (sides: Sides): RequestMaker => existing(sides, '/provisioning')
  return [
    row('GET', one, 'of B', READ, reported(B_FOR_B)),
    row('GET', one, 'before the first report', UNKNOWN_READ, first(A_FOR_B)),
    row('PUT', one, 'of A', RESOURCE_OF_A, reported(A_FOR_B)),
    row('PUT', one, 'of B for A', OF_B, reported(B_FOR_A)),
    ...REPORT_NAMES.flatMap((name) => [
      row(
        'POST',
        `${one}/${name}`,
        'of A',
        RESOURCE_OF_A,
        existing(A_FOR_B, `/provisioning/${name}`),
      ),
      row('POST', `${one}/${name}`, 'of B for A', OF_B, existing(B_FOR_A, `/provisioning/${name}`)),
    ]),
  ]
}

/** Lists the rows of the addresses that agents use. */
export function listPortAccessRows(): PermissionRow[] {
  const port = '/api/dataproducts/{id}/outputports/{portId}'
  return [
    row('GET', `${port}/access-status`, 'of B', READ, ofB('access-status')),
    row('GET', `${port}/access-status`, 'unknown', UNKNOWN_READ, unknown('access-status')),
    row('GET', `${port}/connection`, 'of B', READ, ofB('connection')),
    row('GET', `${port}/connection`, 'unknown', UNKNOWN_READ, unknown('connection')),
    row('POST', `${port}/request-access`, 'of B', PERSONAL, ofB('request-access')),
    row('POST', '/api/access/evaluation', 'of the caller', POSTED, async () => ({
      path: '/api/access/evaluation',
      body: {
        subject: { type: 'user', id: 'current_user' },
        resource: { type: 'data_product', id: 'none', properties: { outputPortId: 'out' } },
        action: { name: 'query', properties: { sql: 'select 1' } },
      },
    })),
  ]
}

function ofB(part: string): RequestMaker {
  return async (world) => ({
    path: `/api/dataproducts/${await addProvider(world, 'b')}/outputports/out/${part}`,
    body: { purpose: 'Reports' },
  })
}

function unknown(part: string): RequestMaker {
  return atPath(`/api/dataproducts/none/outputports/out/${part}`)
}
