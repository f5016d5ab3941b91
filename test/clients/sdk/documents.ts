/** The calls of the Python SDK for documents, in their order. */

import { dcs, odcs, odps } from '../../world.ts'
import { listCrudRows } from './crud.ts'
import type { SdkRow } from './sdk-row.ts'

const CERTIFICATION = '0b0f4a3e-7a1c-4f0e-9a52-0d9c6f7f2f11'

/** The rows. */
export const DOCUMENTS: readonly SdkRow[] = [
  ...listCrudRows({
    group: 'teams',
    id: 'sdk',
    document: {
      id: 'sdk',
      name: 'SDK',
      type: 'Team',
      description: 'Connectors',
      tags: ['core'],
      links: { page: 'https://example.test' },
      custom: { channel: 'sdk' },
    },
  }),
  { call: 'teams.list', options: { page: 9 }, gives: [] },
  { call: 'teams.list', options: { email: 'nobody@example.test' }, gives: [] },
  ...listCrudRows({
    group: 'teams',
    names: [
      'list_notification_channels',
      'get_notification_channel',
      'put_notification_channel',
      'delete_notification_channel',
    ],
    before: ['a'],
    id: 'alerts',
    document: { id: 'alerts', name: 'Alerts', type: 'slack', enabled: false },
  }).map((row) => ({
    ...row,
    // Answers mask the address, which is a secret.
    ...(row.call.endsWith('put_notification_channel') && {
      args: [
        'a',
        'alerts',
        {
          id: 'alerts',
          name: 'Alerts',
          type: 'slack',
          endpoint: 'https://hooks.slack.com/services/T1/B2/xyz',
          enabled: false,
        },
      ],
    }),
  })),
  ...listCrudRows({
    group: 'source_systems',
    id: 'erp-core',
    document: { id: 'erp-core', name: 'ERP', owner: 'a', custom: { vendor: 'none' } },
  }),
  { call: 'source_systems.list', options: { page: 1 }, gives: [] },
  ...listCrudRows({
    group: 'definitions',
    id: 'checkout/order_id',
    document: {
      id: 'checkout/order_id',
      owner: 'a',
      title: 'Order id',
      type: 'string',
      maxLength: 20,
      example: 'A-1',
      pii: false,
    },
  }),
  { call: 'definitions.list', options: { page: 1 }, gives: [] },
  ...listCrudRows({
    group: 'tags',
    id: 'Governance/PII',
    document: { id: 'Governance/PII', info: { owner: 'a', description: 'People' } },
  }),
  { call: 'tags.list', options: { owner: 'nobody' }, gives: [] },
  { call: 'tags.list', options: { page: 1 }, gives: [] },
  ...listCrudRows({
    group: 'policies',
    id: 'GLOBAL-1',
    document: { id: 'GLOBAL-1', name: 'Naming', status: 'Accepted', content: '# Naming' },
  }),
  ...listCrudRows({
    group: 'certifications',
    id: CERTIFICATION,
    document: { id: CERTIFICATION, name: 'Gold', rank: 1, tag: 'gold', restricted: false },
  }),
  ...listCrudRows({
    group: 'classifications',
    names: ['list_schemes', 'get_scheme', 'put_scheme', 'delete_scheme'],
    id: 'confidentiality',
    document: {
      externalId: 'confidentiality',
      name: 'Confidentiality',
      classifications: [{ externalId: 'public', name: 'Public', level: 1, colorScheme: 'green' }],
    },
  }),
  ...listCrudRows({
    group: 'connectors',
    id: 'permissions',
    document: {
      id: 'permissions',
      info: { type: 'databricks', connectorVersion: '1.0.0' },
      health: { status: 'running', startedAt: '2026-01-05T08:00:00Z' },
      state: { lastEventId: '01HZX' },
    },
  }),
  ...listCrudRows({
    group: 'assets',
    id: 'shop-sales',
    document: {
      id: 'shop-sales',
      info: { name: 'sales', type: 'table', source: 'postgres', owner: 'a', status: 'active' },
      columns: [{ name: 'id', type: 'bigint', required: true, tags: ['key'] }],
      properties: { host: 'db' },
    },
  }),
  { call: 'assets.list', options: { page: 9 }, gives: [] },
  { call: 'assets.assign_tag', args: ['shop-sales', 'Governance/PII'] },
  { call: 'assets.get_assigned_tags', args: ['shop-sales'], gives: ['Governance/PII'] },
  { call: 'assets.unassign_tag', args: ['shop-sales', 'Governance/PII'] },
  { call: 'assets.get_assigned_tags', args: ['shop-sales'], gives: [] },
  ...listCrudRows({ group: 'data_contracts', id: 'sdk-contract', document: odcs('sdk-contract') }),
  { call: 'data_contracts.put', args: ['sdk-dcs', dcs('sdk-dcs')] },
  { call: 'data_contracts.list', options: { q: 'nothing-of-this' }, gives: [] },
  { call: 'data_contracts.list', options: { page: 9 }, gives: [] },
  { call: 'data_contracts.get_yaml', args: ['orders-contract'] },
  {
    call: 'data_contracts.generate',
    args: ['orders-contract', { type: 'sql-select' }],
    gives: { dataContractId: 'orders-contract', generationType: 'sql-select' },
  },
  { call: 'data_contracts.test', args: ['orders-contract'], fails: [422, 'invalid_state'] },
  ...listCrudRows({ group: 'data_products', id: 'sdk-product', document: odps('sdk-product') }),
  {
    call: 'data_products.put',
    args: [
      'sdk-typed',
      odps('sdk-typed', {
        apiVersion: 'v1.0.0',
        customProperties: [{ property: 'type', value: 'aggregate' }],
      }),
    ],
  },
  { call: 'data_products.list', options: { type: 'aggregate' }, includes: [{ id: 'sdk-typed' }] },
  { call: 'data_products.list', options: { type: 'none' }, gives: [] },
  { call: 'data_products.list', options: { archetype: 'none', status: 'none' }, gives: [] },
  { call: 'data_products.list', options: { page: 9, sort: 'name' }, gives: [] },
  { call: 'data_products.get_star', args: ['orders'], caller: 'Ue', gives: { starredByMe: false } },
  { call: 'data_products.star', args: ['orders'], caller: 'Ue' },
  { call: 'data_products.get_star', args: ['orders'], caller: 'Ue', gives: { starredByMe: true } },
  {
    call: 'data_products.stargazers',
    args: ['orders'],
    caller: 'Uo',
    keeps: { fan: [0, 'userId'] },
  },
  { call: 'data_products.unstar', args: ['orders'], caller: 'Ue' },
  { call: 'data_products.stargazers', args: ['orders'], gives: [] },
]
