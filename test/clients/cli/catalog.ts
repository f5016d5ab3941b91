/** Commands for teams, data products, data contracts, assets, search, events and integrations. */

import { crudRows } from './crud.ts'
import type { CommandRow } from '../command-rows.ts'
import { odcs, odps } from '../../world.ts'

const TEAM: readonly CommandRow[] = crudRows({
  group: 'teams',
  noun: 'Team',
  id: 'fleet',
  document: { id: 'fleet', name: 'Fleet', type: 'Team', parent: 'a' },
  columns: [
    ['ID', 'fleet'],
    ['Name', 'Fleet'],
    ['Type', 'Team'],
    ['Parent', 'a'],
  ],
  between: [
    { command: 'teams list', args: ['--page', '0'], prints: [/teams \(page 0\)/] },
    {
      command: 'teams list',
      args: ['--member', 'nobody@example.test'],
      prints: [/teams where nobody@example.test is a member/],
    },
  ],
})

const PRODUCT: readonly CommandRow[] = crudRows({
  group: 'dataproducts',
  noun: 'Data product',
  id: 'payments',
  document: odps('payments', { status: 'draft', tags: ['money'] }),
  columns: [
    ['ID', 'payments'],
    ['Title', 'Product payments'],
    ['Status', 'draft'],
    ['Owner', 'a'],
  ],
  between: [
    { command: 'dataproducts list', args: ['--query', 'payments'], prints: [/payments/] },
    { command: 'dataproducts list', args: ['--status', 'draft'], prints: [/payments/] },
    { command: 'dataproducts list', args: ['--tag', 'money'], prints: [/payments/] },
    { command: 'dataproducts list', args: ['--sort', 'name'], prints: [/payments/] },
  ],
})

const CONTRACT: readonly CommandRow[] = crudRows({
  group: 'datacontracts',
  noun: 'Data contract',
  id: 'payments-contract',
  document: odcs('payments-contract'),
  columns: [
    ['ID', 'payments-contract'],
    ['Title', 'Contract payments-contract'],
    ['Version', '1.0.0'],
    ['Owner', 'a'],
  ],
  between: [
    { command: 'datacontracts list', args: ['--owner', 'Team A'], prints: [/payments-contract/] },
    {
      command: 'datacontracts yaml',
      args: ['payments-contract'],
      prints: [/kind: DataContract/, /id: payments-contract/],
    },
    ...['sql-select', 'sql-ddl', 'dbt-models', 'dbt-sources', 'json-schema', 'pydantic'].map(
      (type): CommandRow => ({
        command: 'datacontracts generate',
        args: ['orders-contract', '--type', type],
        prints: [/"dataContractId": "orders-contract"/, `"generationType": "${type}"`, /"content"/],
      }),
    ),
    {
      command: 'datacontracts generate',
      args: ['orders-contract', '--type', 'custom', '--prompt', 'a poem'],
      fails: [1, /HTTP 422/],
    },
    {
      command: 'datacontracts generate',
      args: ['no-contract', '--type', 'sql-ddl'],
      fails: [1, /HTTP 404/],
    },
    {
      command: 'datacontracts generate',
      args: ['orders-contract', '--type', 'cobol'],
      fails: [2, /Must be one of/],
    },
    {
      command: 'datacontracts test',
      args: ['orders-contract'],
      fails: [1, /HTTP 422 from/],
    },
    {
      command: 'datacontracts test',
      args: ['orders-contract', '--server', 'production'],
      fails: [1, /HTTP 422 from/],
    },
  ],
})

const STARS: readonly CommandRow[] = [
  {
    command: 'dataproducts star',
    args: ['orders'],
    caller: 'Ue',
    prints: ["Starred data product 'orders'."],
  },
  {
    command: 'dataproducts star-status',
    args: ['orders'],
    caller: 'Ue',
    prints: [/Stars ┃ Starred By Me/, /1 │ True/],
  },
  { command: 'dataproducts star-status', args: ['orders'], prints: [/1 │ False/] },
  {
    command: 'dataproducts stargazers',
    args: ['orders'],
    caller: 'Uo',
    prints: [/User ID ┃ Name/, /[0-9a-f-]{36} │/],
  },
  {
    command: 'dataproducts unstar',
    args: ['orders'],
    caller: 'Ue',
    prints: ["Unstarred data product 'orders'."],
    shows: ['/api/dataproducts/orders/star', { count: 0 }],
  },
  { command: 'dataproducts star', args: ['orders'], fails: [1, /HTTP 403/] },
]

const ASSETS: readonly CommandRow[] = [
  ...crudRows({
    group: 'assets',
    noun: 'Asset',
    id: 'payments-table',
    document: {
      id: 'payments-table',
      info: { name: 'payments', type: 'table', source: 'postgres', owner: 'a' },
    },
    columns: [
      ['ID', 'payments-table'],
      ['Name', 'payments'],
      ['Type', 'table'],
      ['Source', 'postgres'],
      ['Owner', 'a'],
    ],
  }),
  { command: 'tags put', args: ['Governance/PII'], input: { id: 'Governance/PII', info: {} } },
  {
    command: 'assets tags add',
    args: ['orders-table', 'Governance/PII'],
    prints: ["Tag 'Governance/PII' assigned to asset 'orders-table'."],
    shows: ['/api/assets/orders-table', { assignedTags: ['Governance/PII'] }],
  },
  { command: 'assets tags list', args: ['orders-table'], prints: [/^Governance\/PII $/] },
  {
    command: 'assets tags list',
    args: ['orders-table', '-o', 'json'],
    prints: [/^\[ "Governance\/PII" \] $/],
  },
  { command: 'assets tags add', args: ['orders-table', 'No/Tag'], fails: [1, /HTTP 422/] },
  {
    command: 'assets tags remove',
    args: ['orders-table', 'Governance/PII'],
    prints: ["Tag 'Governance/PII' removed from asset 'orders-table'."],
    shows: ['/api/assets/orders-table/assigned-tags', []],
  },
]

const SEARCH: readonly CommandRow[] = [
  {
    command: 'search query',
    args: ['orders'],
    prints: [/Type ┃ ID ┃ Title/, /DATA_PRODUCT │ orders │/],
  },
  ...[
    'DATA_PRODUCT',
    'DATA_CONTRACT',
    'TEAM',
    'DATA_ASSET',
    'TAG',
    'DEFINITION',
    'SEMANTIC_CONCEPT',
  ].map((type): CommandRow => ({
    command: 'search query',
    args: ['orders', '--resource-type', type],
    prints: [/Search Results/],
  })),
  {
    command: 'search query',
    args: ['purchases of customers', '-o', 'json'],
    prints: [/"id": "orders"/],
  },
]

const EVENTS: readonly CommandRow[] = [
  {
    command: 'events poll',
    args: ['-o', 'json'],
    prints: [/DataProductCreatedEvent/],
    keeps: { event: /"id": "([^"]+)"/ },
  },
  { command: 'events poll', prints: [/ID ┃ Type ┃ Subject ┃ Time/] },
  { command: 'events poll', args: ['--last-event-id', '$event'], prints: [/ID ┃ Type/] },
]

const INTEGRATIONS: readonly CommandRow[] = [
  { command: 'integrations list', prints: [/ID ┃ Name ┃ Source/, '$integration │'] },
  { command: 'integrations list', args: ['--source', 'postgres'], prints: ['$integration │'] },
  { command: 'integrations list', args: ['--team', 'a', '--disabled'], prints: ['$integration │'] },
  { command: 'integrations get', args: ['$integration'], prints: ['$integration'] },
  { command: 'integrations runs', args: ['$integration'], prints: ['$run', /SUCCESS/] },
  {
    command: 'integrations runs',
    args: ['$integration', '--status', 'SUCCESS', '--limit', '1'],
    prints: ['$run'],
  },
  { command: 'integrations runs-get', args: ['$integration', '$run'], prints: ['$run'] },
  { command: 'integrations runs-latest', args: ['$integration'], prints: ['$run'] },
  { command: 'integrations run', args: ['$integration'], prints: [/Run scheduled/] },
  { command: 'integrations run', args: ['$integration'], fails: [1, /Conflict: An ingestion run/] },
  { command: 'integrations cancel', args: ['$integration'], prints: ['Cancellation requested.'] },
]

/** The rows of these groups, in their order. */
export const CATALOG_ROWS: readonly CommandRow[] = [
  ...TEAM,
  ...PRODUCT,
  ...CONTRACT,
  ...STARS,
  ...ASSETS,
  ...SEARCH,
  ...EVENTS,
  ...INTEGRATIONS,
]
