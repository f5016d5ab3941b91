/** Commands for connectors, costs, example data, test results, lineage and usage. */

import { crudRows } from './crud.ts'
import type { CommandRow } from '../command-rows.ts'

const RUN_ID = '3b452184-46f8-4a7a-9a5d-3b1a0c2f5d10'
const TEST_RUN_ID = 'd64ae6bd-9b6f-4d39-94ce-3c7b4cb8e4d7'

const CONNECTORS = crudRows({
  group: 'connectors',
  noun: 'Connector',
  id: 'permissions',
  document: {
    id: 'permissions',
    info: { type: 'snowflake', description: 'Grants', connectorVersion: '1.4.0' },
    health: { status: 'running', startedAt: '2026-01-05T08:00:00Z' },
    state: { lastEventId: '01HZX', lastRunAt: 1_767_600_000_123 },
    custom: { region: 'north' },
  },
  columns: [
    ['ID', 'permissions'],
    ['Type', 'snowflake'],
    ['Version', '1.4.0'],
  ],
})

const COST = {
  dataProductId: 'orders',
  name: 'Warehouse',
  amount: 12.5,
  currency: 'EUR',
  yearMonth: '2026-01',
  category: 'compute',
}

const COSTS: readonly CommandRow[] = [
  {
    command: 'costs add',
    input: COST,
    prints: ['Cost added.'],
    shows: ['/api/costs?dataProductId=orders', [COST]],
  },
  {
    command: 'costs list',
    args: ['--data-product-id', 'orders'],
    prints: [/ID ┃ Data Product ┃ Amount ┃ Currency/, /│ orders │ 12\.50? │ EUR/],
  },
  {
    command: 'costs list',
    args: ['--data-product-id', 'orders', '-o', 'json'],
    keeps: { cost: /"id": "([0-9a-f-]{36})"/ },
  },
  {
    command: 'costs delete',
    args: ['$cost'],
    prints: ["Cost '$cost' deleted."],
    shows: ['/api/costs?dataProductId=orders', []],
  },
  { command: 'costs delete', args: ['$cost'], fails: [1, /HTTP 404/] },
]

const EXAMPLE_DATA = crudRows({
  group: 'example-data',
  noun: 'Example data',
  id: 'orders-example',
  document: {
    id: 'orders-example',
    dataProductId: 'orders',
    outputPortId: 'current',
    dataContractId: 'orders-contract',
    schemaName: 'orders',
    data: [{ id: 1, amount: 9.5 }],
  },
  columns: [
    ['ID', 'orders-example'],
    ['Data Product', 'orders'],
    ['Schema', 'orders'],
  ],
  between: [
    {
      command: 'example-data list',
      args: ['--data-product-id', 'orders'],
      prints: [/orders-example/],
    },
    {
      command: 'example-data list',
      args: ['--data-product-id', 'other', '-o', 'json'],
      prints: [/^\[\] $/],
    },
  ],
})

const TEST_RESULT = {
  id: TEST_RUN_ID,
  runId: TEST_RUN_ID,
  datacontractCliVersion: '1.2.8',
  dataContractId: 'orders-contract',
  dataContractVersion: '1.0.0',
  server: 'production',
  timestampStart: '2026-01-05T08:00:00Z',
  timestampEnd: '2026-01-05T08:00:04Z',
  result: 'passed',
  checks: [
    { id: 'c1', category: 'schema', type: 'field_is_present', name: 'id', result: 'passed' },
  ],
  logs: [{ level: 'INFO', message: 'done', timestamp: '2026-01-05T08:00:04Z' }],
}

const TEST_RESULTS: readonly CommandRow[] = [
  {
    command: 'test-results publish',
    input: TEST_RESULT,
    prints: ['Test results published.'],
    shows: [
      `/api/test-results/${TEST_RUN_ID}`,
      { result: 'passed', checks: TEST_RESULT.checks, logs: TEST_RESULT.logs },
    ],
  },
  {
    command: 'test-results list',
    prints: [/ID ┃ Data Contract ┃ Result/, /orders-contract │ passed/],
  },
  {
    command: 'test-results list',
    args: ['--data-contract-id', 'orders-contract', '--page', '0'],
    prints: [TEST_RUN_ID],
  },
  {
    command: 'test-results list',
    args: ['--data-contract-id', 'other', '-o', 'json'],
    prints: [/^\[\] $/],
  },
  { command: 'test-results get', args: [TEST_RUN_ID], prints: [/orders-contract │ passed/] },
  {
    command: 'test-results delete',
    args: [TEST_RUN_ID],
    prints: [`Test result '${TEST_RUN_ID}' deleted.`],
    shows: [`/api/test-results/${TEST_RUN_ID}`, 404],
  },
]

const LINEAGE_EVENT = {
  eventType: 'COMPLETE',
  eventTime: '2026-01-05T08:00:00Z',
  producer: 'https://example.test/producer',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
  run: { runId: RUN_ID },
  job: { namespace: 'shop', name: 'load_orders' },
  inputs: [{ namespace: 'postgres://db', name: 'shop.sales.orders' }],
  outputs: [{ namespace: 'postgres://db', name: 'shop.sales.current' }],
}

const LINEAGE: readonly CommandRow[] = [
  {
    command: 'lineage submit',
    args: ['--data-product-id', 'orders', '--output-port-name', 'current'],
    input: LINEAGE_EVENT,
    prints: ['Lineage event submitted.'],
    shows: [`/api/v1/lineage?runId=${RUN_ID}`, [LINEAGE_EVENT]],
  },
  {
    command: 'lineage list',
    prints: [
      /Event Type ┃ Event Time ┃ Job ┃ Namespace/,
      /COMPLETE │ 2026-01-05T08:00:00Z │ load_orders │ shop/,
    ],
  },
  ...[
    ['--job-namespace', 'shop', '--job-name', 'load_orders'],
    ['--run-id', RUN_ID],
    ['--event-type', 'COMPLETE'],
    ['--data-product-id', 'orders'],
  ].map((args): CommandRow => ({ command: 'lineage list', args, prints: [/load_orders/] })),
  { command: 'lineage list', args: ['--event-type', 'FAIL', '-o', 'json'], prints: [/^\[\] $/] },
  {
    command: 'lineage delete',
    args: ['--job-namespace', 'shop', '--job-name', 'load_orders'],
    prints: ['Lineage events deleted.'],
    shows: ['/api/v1/lineage', []],
  },
  { command: 'lineage delete', args: ['--run-id', RUN_ID], prints: ['Lineage events deleted.'] },
  { command: 'lineage delete', prints: ['Lineage events deleted.'] },
]

const attribute = (key: string, stringValue: string): object => ({ key, value: { stringValue } })

// Spans are kept for 30 days.
const nanoseconds = (secondsAgo: number): string =>
  `${Math.floor(Date.now() / 1000) - secondsAgo}000000000`

const TRACES = {
  resourceSpans: [
    {
      resource: {
        attributes: [
          attribute('service.name', 'warehouse'),
          attribute('dataproduct.id', 'orders'),
          attribute('outputport.name', 'current'),
        ],
      },
      scopeSpans: [
        {
          scope: { name: 'usage', version: '1.0.0' },
          spans: [
            {
              traceId: '5b8efff798038103d269b633813fc60c',
              spanId: 'eee19b7ec3c1b174',
              name: 'query',
              kind: 'SPAN_KIND_SERVER',
              startTimeUnixNano: nanoseconds(60),
              endTimeUnixNano: nanoseconds(59),
              attributes: [
                attribute('user', 'ada'),
                attribute('query', 'select 1'),
                { key: 'rows', value: { intValue: 3 } },
              ],
            },
          ],
        },
      ],
    },
  ],
}

const USAGE: readonly CommandRow[] = [
  { command: 'usage submit', input: TRACES, prints: ['Usage traces submitted.'] },
  // The same span again replaces the first.
  { command: 'usage submit', input: TRACES, prints: ['Usage traces submitted.'] },
  { command: 'usage list', args: ['-o', 'json'], prints: [/"resourceSpans"/, /eee19b7ec3c1b174/] },
  {
    command: 'usage list',
    args: ['--scope-name', 'usage', '--data-product-id', 'orders'],
    prints: [/eee19b7ec3c1b174/],
  },
  {
    command: 'usage delete',
    args: ['--span-id', 'eee19b7ec3c1b174'],
    prints: ['Usage traces deleted (1 deleted).'],
  },
  {
    command: 'usage delete',
    args: ['--scope-name', 'usage', '--data-product-id', 'orders'],
    prints: ['Usage traces deleted (0 deleted).'],
  },
]

/** The rows of these groups, in their order. */
export const OPERATION_ROWS: readonly CommandRow[] = [
  ...CONNECTORS,
  ...COSTS,
  ...EXAMPLE_DATA,
  ...TEST_RESULTS,
  ...LINEAGE,
  ...USAGE,
]
