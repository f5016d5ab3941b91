/** A document of every kind that the command line copies between organizations. */

import { odcs, odps } from '../../world.ts'

/** The paths of the documents, in an order in which each refers only to earlier ones. */
export const DOCUMENTS: readonly (readonly [path: string, body: object | undefined])[] = [
  ['/api/teams/fleet', { id: 'fleet', name: 'Fleet', type: 'Domain', members: [] }],
  [
    '/api/teams/a',
    { id: 'a', name: 'Wagons', type: 'Team', parent: 'fleet', tags: ['core'], members: [] },
  ],
  ['/api/tags/Governance/PII', { id: 'Governance/PII', info: { description: 'People' } }],
  ['/api/tags/core', { id: 'core', info: { owner: 'a' }, links: { page: 'https://example.test' } }],
  [
    '/api/definitions/checkout/customer_email',
    {
      id: 'checkout/customer_email',
      owner: 'a',
      title: 'Customer email',
      type: 'string',
      format: 'email',
      maxLength: 200,
    },
  ],
  [
    '/api/policies/GLOBAL-1',
    { id: 'GLOBAL-1', name: 'Naming', status: 'Accepted', content: '# Naming\n\n- nouns\n' },
  ],
  [
    '/api/sourcesystems/erp',
    { id: 'erp', name: 'ERP', owner: 'a', custom: { vendor: 'none', levels: [1, 2.5, null] } },
  ],
  [
    '/api/certifications/0b0f4a3e-7a1c-4f0e-9a52-0d9c6f7f2f11',
    { id: '0b0f4a3e-7a1c-4f0e-9a52-0d9c6f7f2f11', name: 'Gold', rank: 1, tag: 'gold' },
  ],
  [
    '/api/classification-schemes/confidentiality',
    {
      externalId: 'confidentiality',
      name: 'Confidentiality',
      rank: 1,
      classifications: [
        { externalId: 'public', name: 'Public', level: 1 },
        { externalId: 'secret', name: 'Secret', level: 2, colorScheme: 'red' },
      ],
    },
  ],
  [
    '/api/assets/orders-table',
    {
      id: 'orders-table',
      info: { name: 'orders', type: 'table', source: 'postgres', owner: 'a' },
      columns: [{ name: 'id', type: 'bigint' }],
      properties: { host: 'db' },
    },
  ],
  ['/api/assets/orders-table/assigned-tags/Governance/PII', undefined],
  ['/api/datacontracts/orders', odcs('orders', { tags: ['Governance/PII'] })],
  [
    '/api/dataproducts/orders',
    odps('orders', {
      tags: ['gold'],
      outputPorts: [{ name: 'current', version: '1.0.0', contractId: 'orders' }],
    }),
  ],
  [
    '/api/example-data/orders-example',
    {
      id: 'orders-example',
      dataProductId: 'orders',
      outputPortId: 'current',
      schemaName: 'orders',
      data: [{ id: 1, amount: 9.5, note: null }],
    },
  ],
  [
    '/api/access/orders-for-a',
    {
      id: 'orders-for-a',
      info: { purpose: 'Reports', startDate: '2026-01-01', endDate: '2999-01-01' },
      provider: { dataProductId: 'orders', outputPortId: 'current' },
      consumer: { teamId: 'a' },
      roles: ['analyst'],
    },
  ],
  ['/api/organization/features', { managedTagsPolicy: null, dataContractTestsEnabled: true }],
]
