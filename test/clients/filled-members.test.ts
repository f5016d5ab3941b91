/**
 * Members that the other catalogs of this API family fill themselves: whether Portbook answers them, too. Their names are in
 * `typed-members.test.ts`; this test reads their values.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addProvider, buildAgreement } from '../agreements.ts'
import { readJson } from '../answers.ts'
import { expectOk, odcs, odps, putOne, uniqueId, type World } from '../world.ts'
import { startInstallation, type Installation } from './client.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Document = Record<string, unknown>

/** A member, its value in Portbook, and why it differs from that of other catalogs; undefined = it is equal. */
interface FilledMember {
  member: string
  value: (seen: Seen) => unknown
  expected: unknown
  because?: string
}

/** The answers that the rows read. */
interface Seen {
  requested: Document
  approved: Document
  orphaned: Document
  cost: Document
  scheme: Document
  asset: Document
  member: Document
}

/** Returns the value at the end of a path: `provider.teamId`. */
function at(document: Document, path: string): unknown {
  let value: unknown = document
  for (const name of path.split('.')) {
    value = typeof value === 'object' && value !== null ? (value as Document)[name] : undefined
  }
  return value
}

const MEMBERS: readonly FilledMember[] = [
  {
    member: 'Access.info.status',
    value: (seen) => at(seen.requested, 'info.status'),
    expected: 'requested',
  },
  {
    member: 'Access.info.active',
    value: (seen) => at(seen.approved, 'info.active'),
    expected: true,
  },
  {
    member: 'Access.info.startDate',
    value: (seen) => [at(seen.requested, 'info.startDate'), at(seen.approved, 'info.startDate')],
    expected: [undefined, undefined],
    because: 'an agreement without a first day has none, and is active from its approval on',
  },
  {
    member: 'Access.provider.teamId',
    value: (seen) => at(seen.requested, 'provider.teamId'),
    expected: 'a',
  },
  {
    member: 'Access.provider.dataContractId',
    value: (seen) => at(seen.requested, 'provider.dataContractId'),
    expected: 'contract',
  },
  {
    member: 'Access.provider.dataContractVersion',
    value: (seen) => at(seen.requested, 'provider.dataContractVersion'),
    expected: '2.3.0',
  },
  {
    member: 'Access.provider.dataProductId',
    value: (seen) => at(seen.orphaned, 'provider.dataProductId'),
    expected: 'deleted',
    because: 'the id of a deleted data product stays, instead of "unknown"',
  },
  {
    member: 'Access.consumer.teamId',
    value: (seen) => at(seen.requested, 'consumer.teamId'),
    expected: 'b',
  },
  {
    member: 'Access.provisioning',
    value: (seen) => at(seen.approved, 'provisioning'),
    expected: undefined,
  },
  { member: 'Cost.id', value: (seen) => UUID.test(String(seen.cost['id'])), expected: true },
  {
    member: 'ClassificationScheme.rank',
    value: (seen) => seen.scheme['rank'],
    expected: undefined,
    because: 'schemes without a rank come last',
  },
  {
    member: 'Asset.assignedTags',
    value: (seen) => seen.asset['assignedTags'],
    expected: undefined,
    because: 'an asset without assigned tags has no such member',
  },
  {
    member: 'OrganizationMember.userId',
    value: (seen) => UUID.test(String(seen.member['userId'])),
    expected: true,
  },
]

describe('members that the catalog fills', () => {
  let installation: Installation
  let seen: Seen
  before(async () => {
    installation = await startInstallation()
    seen = await readAll(await installation.newOrganization())
  })
  after(async () => await installation.close())

  for (const { member, value, expected, because } of MEMBERS) {
    test(`${member} › ${because ?? 'equal'}`, () => assert.deepEqual(value(seen), expected))
  }
})

async function readAll(world: World): Promise<Seen> {
  const read = <T>(method: string, path: string, body?: object): Promise<T> =>
    readJson<T>(world.as('O', method, path, body === undefined ? {} : { body }))
  await putOne(world, 'datacontracts', odcs('contract', { version: '2.3.0' }))
  const reader = await addProvider(world, 'b')
  const outputPorts = [{ name: 'out', version: '1', contractId: 'contract' }]
  await putOne(world, 'dataproducts', odps('orders', { outputPorts }))
  await putOne(world, 'dataproducts', odps('deleted', { outputPorts }))
  const request = async (product: string): Promise<string> => {
    const path = `/api/access/${uniqueId()}`
    await read('PUT', path, buildAgreement(product, { dataProductId: reader }))
    return path
  }
  const [path, orphan] = [await request('orders'), await request('deleted')]
  const requested = await read<Document>('GET', path)
  await expectOk(world.as('O', 'DELETE', '/api/dataproducts/deleted'))
  const cost = { dataProductId: 'orders', name: 'Compute', amount: 1, currency: 'EUR' }
  const scheme = { externalId: 'scheme', name: 'Scheme' }
  await expectOk(world.as('O', 'PUT', '/api/classification-schemes/scheme', { body: scheme }))
  await putOne(world, 'assets', {
    id: 'asset',
    info: { name: 'asset', type: 'table', source: 'x', owner: 'a' },
  })
  const [member] = await read<Document[]>('GET', '/api/organization/members')
  return {
    requested,
    approved: await read('POST', `${path}/approve`),
    orphaned: await read('GET', orphan),
    cost: await read('POST', '/api/costs', cost),
    scheme: await read('GET', '/api/classification-schemes/scheme'),
    asset: await read('GET', '/api/assets/asset'),
    member: member ?? {},
  }
}
