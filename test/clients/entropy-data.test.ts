/**
 * Every command of the public command line `entropy-data`, as its help describes it: the exit code, the
 * output, and the effect that the API shows.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ACCESS_ROWS } from './cli/access.ts'
import { CATALOG_ROWS } from './cli/catalog.ts'
import { fillCatalog } from './cli/fill.ts'
import { GOVERNANCE_ROWS } from './cli/governance.ts'
import { LATER_ROWS } from './cli/later.ts'
import { OPERATION_ROWS } from './cli/operations.ts'
import { ORGANIZATION_ROWS } from './cli/organization.ts'
import { checkRow, type CommandRow, type RowContext } from './command-rows.ts'
import { addTestedContract, type TestedContract } from '../tested-contract.ts'
import { onClient, startCommands, type CommandProcess } from './client.ts'

/** The tables, each run in its order on a separate organization. */
const TABLES: Readonly<Record<string, readonly CommandRow[]>> = {
  catalog: CATALOG_ROWS,
  governance: GOVERNANCE_ROWS,
  operations: OPERATION_ROWS,
  organization: ORGANIZATION_ROWS,
  access: ACCESS_ROWS,
  'not served yet': LATER_ROWS,
}

/** Commands on a contract in a real PostgreSQL. */
const TESTED_ROWS: readonly CommandRow[] = [
  {
    command: 'datacontracts test',
    args: ['tested'],
    prints: [/"result": "failed"/, /"server": "production"/],
    shows: [
      '/api/test-results?dataContractId=tested',
      [{ result: 'failed', checkCount: 2, passedCount: 1, server: 'production' }],
    ],
  },
  {
    command: 'datacontracts test',
    args: ['tested', '--server', 'production'],
    prints: [/failed/],
    shows: ['/api/test-results?dataContractId=tested', [{}, { result: 'failed' }]],
  },
  { command: 'test-results list', args: ['--data-contract-id', 'tested'], prints: [/failed/] },
]

onClient('entropy-data', (installation) => {
  let commands: CommandProcess
  before(() => {
    const environment = { ENTROPY_DATA_HOST: installation().url }
    commands = startCommands('entropy-data', 'entropy-data', environment)
  })
  after(() => commands.close())

  test('every command has a row', async () => {
    const rows = Object.values(TABLES).flat()
    const names = new Set(rows.map(({ command }) => command))
    // These change whole organizations: see whole-catalog.test.ts.
    for (const command of WHOLE_CATALOG) names.add(command)
    assert.deepEqual([...names].toSorted(), (await commands.listCommands()).toSorted())
  })

  describe('tests without a client', () => {
    let context: RowContext
    let contract: TestedContract
    before(async () => {
      const { newOrganization, url, store } = installation()
      const world = await newOrganization()
      contract = await addTestedContract(world, store)
      context = { world, url, values: new Map() }
    })
    after(() => contract.drop())
    for (const row of TESTED_ROWS) {
      test([row.command, ...(row.args ?? [])].join(' '), async () => {
        await checkRow(commands, context, row)
      })
    }
  })

  for (const [name, rows] of Object.entries(TABLES)) {
    describe(name, () => {
      let context: RowContext
      before(async () => {
        const { newOrganization, url } = installation()
        context = await fillCatalog(await newOrganization(), url)
      })
      for (const row of rows) {
        const line = [row.command, ...(row.args ?? [])].join(' ')
        test(line, async () => {
          await checkRow(commands, context, row)
        })
      }
    })
  }
})

const WHOLE_CATALOG = ['export dir', 'apply dir', 'import zip', 'sync']
