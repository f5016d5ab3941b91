/**
 * The public client `datacontract-cli`: it publishes data contracts, tests data against them, publishes the
 * results, and resolves the business definitions that a contract refers to.
 */

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { stringify } from 'yaml'
import { readJson } from '../answers.ts'
import { dcs, expectOk, odcs } from '../world.ts'
import { checkRow, type CommandRow, type RowContext } from './command-rows.ts'
import { SENT, SENT_OUTCOMES, writeSentData } from './datacontract-sender.ts'
import { makeFolder, onClient, startCommands, type CommandProcess } from './client.ts'

const ORDERS = odcs('orders', {
  servers: [{ server: 'files', type: 'local', path: './orders.csv', format: 'csv' }],
  schema: [
    {
      name: 'orders',
      physicalType: 'table',
      properties: [
        { name: 'id', logicalType: 'integer', required: true, unique: true },
        { name: 'email', logicalType: 'string', required: true },
      ],
    },
  ],
})

/** The same with a property that takes its type and text from a definition. */
const WITH_DEFINITION = {
  ...ORDERS,
  id: 'orders-defined',
  schema: [
    {
      name: 'orders',
      physicalType: 'table',
      properties: [
        { name: 'id', logicalType: 'integer' },
        {
          name: 'email',
          authoritativeDefinitions: [
            { type: 'definition', url: '/api/definitions/checkout/customer_email' },
          ],
        },
      ],
    },
  ],
}

const FILES = {
  'orders.odcs.yaml': ORDERS,
  'orders-2.odcs.yaml': { ...ORDERS, version: '2.0.0', schema: [] },
  'invoices.dcs.yaml': dcs('invoices'),
  'defined.odcs.yaml': WITH_DEFINITION,
  'businessDefined.odcs.yaml': JSON.parse(
    JSON.stringify({ ...WITH_DEFINITION, id: 'orders-business' }).replace(
      '"definition"',
      '"businessDefinition"',
    ),
  ),
  'sent.odcs.yaml': SENT,
  'undefined.odcs.yaml': JSON.parse(
    JSON.stringify(WITH_DEFINITION).replace('customer_email', 'missing'),
  ),
}

/** Contracts that name the definition by the addresses of its page, as people copy them. */
function writeWithPages(folder: string, url: string, vanityUrl: string): void {
  const addresses = {
    pageDefined: `${url}/definitions/checkout%2Fcustomer_email`,
    organizationDefined: `${url}/${vanityUrl}/definitions/checkout/customer_email`,
  }
  for (const [name, address] of Object.entries(addresses)) {
    const text = JSON.stringify({ ...WITH_DEFINITION, id: `orders-${name}` })
    const document = text.replace('/api/definitions/checkout/customer_email', address)
    writeFileSync(join(folder, `${name}.odcs.yaml`), stringify(JSON.parse(document)))
  }
}

const PUBLISHED = 'Published data contract successfully.'
const RESULTS = '$url/api/test-results'
const LATEST = '/api/test-results?dataContractId=orders'
const PASSED = { result: 'passed' }
const FAILED = { result: 'failed' }
const FORMATS = ['jsonschema', 'dbt-models', 'sql', 'avro', 'protobuf', 'html', 'odcs', 'sodacl']

const PUBLISHING: readonly CommandRow[] = [
  {
    command: 'publish',
    args: ['orders.odcs.yaml'],
    prints: [PUBLISHED, /Open http:\S+/],
    shows: ['/api/datacontracts/orders', { id: 'orders', version: '1.0.0' }],
  },
  { command: 'publish', args: ['orders.odcs.yaml'], prints: [PUBLISHED] },
  {
    command: 'publish',
    args: ['orders-2.odcs.yaml'],
    prints: [PUBLISHED],
    shows: ['/api/datacontracts/orders', { version: '2.0.0' }],
  },
  { command: 'publish', args: ['orders.odcs.yaml'], prints: [PUBLISHED] },
  {
    command: 'publish',
    args: ['invoices.dcs.yaml'],
    prints: [PUBLISHED],
    shows: ['/api/datacontracts/invoices', { id: 'invoices' }],
  },
]

const READING: readonly CommandRow[] = [
  { command: 'lint', args: ['$url/api/datacontracts/orders'], prints: [/data contract is valid/i] },
  {
    command: 'lint',
    args: ['$url/api/datacontracts/orders/datacontract.yaml'],
    prints: [/data contract is valid/i],
  },
  { command: 'lint', args: ['$url/api/datacontracts/missing'], fails: [1, /404|not found/i] },
  ...FORMATS.map((format): CommandRow => ({
    command: 'export',
    args: [format, '$url/api/datacontracts/orders'],
    prints: [/email/],
  })),
  {
    command: 'changelog',
    args: ['$url/api/datacontracts/orders', 'orders-2.odcs.yaml'],
    prints: [/version/i],
  },
  {
    command: 'breaking',
    args: ['$url/api/datacontracts/orders', 'orders-2.odcs.yaml'],
    fails: [1, /Removed schema orders/],
  },
]

const TESTING: readonly CommandRow[] = [
  {
    command: 'test',
    args: ['orders.odcs.yaml', '--server', 'files', '--publish', RESULTS],
    prints: [/data contract is valid/i, /Open http:\S+/],
    shows: [LATEST, [{ dataContractId: 'orders', server: 'files', result: 'passed' }]],
  },
  {
    command: 'test',
    args: ['$url/api/datacontracts/orders', '--publish', RESULTS, '--checks', 'schema'],
    prints: [/data contract is valid/i],
    shows: [LATEST, [PASSED, PASSED]],
  },
  {
    command: 'test',
    // The client publishes no results of a dry run.
    args: ['orders.odcs.yaml', '--publish', RESULTS, '--dry-run'],
    shows: [LATEST, [PASSED, PASSED]],
  },
  {
    command: 'ci',
    args: ['orders.odcs.yaml', '--publish', RESULTS],
    prints: [/passed|valid/i],
    shows: [LATEST, [PASSED, PASSED, PASSED]],
  },
  {
    command: 'ci',
    args: ['orders.odcs.yaml', 'defined.odcs.yaml', '--publish', RESULTS, '--json'],
    prints: [/"result": "passed"/],
    shows: ['/api/test-results?dataContractId=orders-defined', [PASSED]],
  },
]

const FAILING: readonly CommandRow[] = [
  {
    command: 'test',
    args: ['orders.odcs.yaml', '--publish', RESULTS],
    fails: [1, /failed|invalid/i],
    shows: [LATEST, [FAILED, PASSED, PASSED, PASSED, PASSED]],
  },
  {
    command: 'ci',
    args: ['orders.odcs.yaml', '--publish', RESULTS],
    fails: [1, /failed|invalid/i],
    shows: [LATEST, [FAILED, FAILED, PASSED, PASSED, PASSED, PASSED]],
  },
]

const DEFINITIONS: readonly CommandRow[] = [
  ...['defined', 'businessDefined', 'pageDefined', 'organizationDefined'].flatMap(
    (name): CommandRow[] => [
      { command: 'lint', args: [`${name}.odcs.yaml`], prints: [/data contract is valid/i] },
      {
        command: 'export',
        args: ['jsonschema', `${name}.odcs.yaml`],
        prints: [/"format": "email"/, /The address that a customer confirmed/],
      },
      { command: 'test', args: [`${name}.odcs.yaml`], prints: [/data contract is valid/i] },
      { command: 'publish', args: [`${name}.odcs.yaml`], prints: [PUBLISHED] },
    ],
  ),
  {
    command: 'lint',
    args: ['undefined.odcs.yaml'],
    fails: [1, /definitions\/checkout\/missing|404/i],
  },
]

onClient('datacontract-cli', (installation) => {
  const folder = makeFolder()
  let commands: CommandProcess
  let context: RowContext
  before(async () => {
    const { url, newOrganization } = installation()
    const world = await newOrganization()
    context = { world, url, values: new Map() }
    for (const [name, document] of Object.entries(FILES)) {
      writeFileSync(join(folder, name), stringify(document))
    }
    const answer = world.as('O', 'GET', '/api/organization/settings')
    writeWithPages(folder, url, (await readJson<{ vanityUrl: string }>(answer)).vanityUrl)
    writeData(folder, '1,ada@example.test\n2,bob@example.test\n')
    const definition = {
      id: 'checkout/customer_email',
      owner: 'a',
      title: 'Customer email',
      description: 'The address that a customer confirmed.',
      type: 'string',
      format: 'email',
    }
    await expectOk(world.as('O', 'PUT', '/api/datacontracts/sent', { body: SENT }))
    await world.as('O', 'PUT', '/api/definitions/checkout/customer_email', { body: definition })
    const environment = { ENTROPY_DATA_HOST: url }
    commands = startCommands('datacontract-cli', 'datacontract', environment, folder)
  })
  after(() => commands.close())

  const define = (rows: readonly CommandRow[]): void => {
    for (const row of rows) {
      const line = ['datacontract', row.command, ...(row.args ?? [])].join(' ')
      test(line, async () => {
        await checkRow(commands, context, row)
      })
    }
  }
  define(PUBLISHING)
  define(READING)
  define(DEFINITIONS)
  define(TESTING)
  test('the outcomes of two runs land on the rules of the contract, one check each', async () => {
    const { world } = context
    for (const run of [0, 1] as const) {
      writeSentData(folder, run)
      await checkRow(commands, context, {
        command: 'test',
        args: ['sent.odcs.yaml', '--publish', RESULTS],
        fails: [1, /Open http:\S+/],
      })
    }
    const list = world.as('O', 'GET', '/api/datacontracts/sent/checks')
    const checks = await readJson<CheckOverTime[]>(list)
    const outcomes = checks.map(({ rulePointer, name, history }) => [
      rulePointer ?? name,
      history.map(({ outcome }) => outcome.charAt(0)).join(''),
    ])
    const columns = ['id', 'email', 'total', 'status']
    const present = columns.map((name) => [`Check that field '${name}' is present`, 'pp'])
    const expected = { ...SENT_OUTCOMES, ...Object.fromEntries(present) }
    assert.equal(outcomes.length, Object.keys(expected).length)
    assert.deepEqual(Object.fromEntries(outcomes), expected)
  })
  describe('with data that breaks the contract', () => {
    before(() => writeData(folder, '1,\n1,bob@example.test\n'))
    define(FAILING)
  })
})

interface CheckOverTime {
  rulePointer: string | null
  name: string
  history: { outcome: string }[]
}

function writeData(folder: string, rows: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'orders.csv'), `id,email\n${rows}`)
}
