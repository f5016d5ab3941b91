/** Differences between ODCS 2.2 and 3, whose names and structure differ. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { odcs3FromOdcs2 } from '../data-contract/convert/odcs-2.ts'
import { listContractChanges } from '../../test/contract-versions.ts'

const ODCS_2 = {
  apiVersion: 'v2.2.2',
  kind: 'DataContract',
  uuid: 'x',
  version: '1',
  status: 'active',
  type: 'tables',
  datasetName: 'shop',
  quantumName: 'Orders',
  datasetDomain: 'sales',
  sourcePlatform: 'PostgreSQL',
  server: 'db',
  database: 'shop',
  driver: 'd',
  slaDefaultColumn: 'orders.id',
  stakeholders: [{ username: 'ada', role: 'owner' }],
  slaProperties: [{ property: 'retention', value: 3, unit: 'y', column: 'orders.id' }],
  dataset: [
    {
      table: 'orders',
      columns: [
        { column: 'id', logicalType: 'STRING', physicalType: 'varchar(9)', isNullable: false },
      ],
    },
  ],
}
const place = { type: 'postgres', host: 'db', database: 'shop', port: 5432 }
const odcs3 = (physicalType: string, host = 'db', server = 'production') => ({
  apiVersion: 'v3.1.0',
  kind: 'DataContract',
  id: 'x',
  version: '1',
  status: 'active',
  name: 'Orders',
  domain: 'sales',
  slaDefaultElement: 'orders.id',
  team: { members: [{ username: 'ada', role: 'owner' }] },
  servers: [{ server, ...place, host }],
  slaProperties: [{ property: 'retention', value: 3, unit: 'y', element: 'orders.id' }],
  schema: [
    {
      name: 'orders',
      physicalType: 'table',
      properties: [{ name: 'id', logicalType: 'string', physicalType, required: true }],
    },
  ],
})

test('ODCS 2.2 and 3 › a renamed key is not a change; other changes are reported', () => {
  const same = ['wording changed ', 'additive added /servers/0/port']
  assert.deepEqual(listContractChanges(ODCS_2, odcs3('varchar(9)')), same)
  assert.deepEqual(listContractChanges(odcs3('varchar(9)'), ODCS_2), [
    'wording changed ',
    'breaking removed /servers/0/port',
  ])
  assert.deepEqual(listContractChanges(ODCS_2, odcs3('varchar(10)')), [
    'wording changed ',
    'breaking changed /schema/0/properties/0',
    'additive added /servers/0/port',
  ])
  assert.ok(
    listContractChanges(ODCS_2, odcs3('varchar(9)', 'other')).includes(
      'breaking removed /servers/0',
    ),
  )
  assert.deepEqual(listContractChanges(ODCS_2, odcs3FromOdcs2(ODCS_2, 'x')), ['wording changed '])
  // The server of 2.2 may have been its address or its name.
  assert.deepEqual(listContractChanges(ODCS_2, odcs3('varchar(9)', 'db.example.com', 'db')), [
    'wording changed ',
    'additive added /servers/0/host',
    'additive added /servers/0/port',
  ])
  // Two documents of 2.2 are compared without conversion.
  assert.deepEqual(listContractChanges(ODCS_2, { ...ODCS_2, database: 'store' }), [
    'breaking changed /database',
  ])
})
