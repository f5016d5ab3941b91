/**
 * Every method of the public Python SDK `entropy-data-sdk`: its result, which the SDK parses into strict models, and
 * that what is not served fails with the code of an unknown address.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENT_ENUMS } from '../client-enums.ts'
import { eventsSoFar } from '../feed.ts'
import { onClient } from './client.ts'
import { fillCatalog } from './cli/fill.ts'
import type { RowContext } from './command-rows.ts'
import { LATER_SDK_ROWS } from './sdk/later.ts'
import { SERVED_ROWS } from './sdk/rows.ts'
import { addTestedContract } from '../tested-contract.ts'
import { checkSdkRow, startSdk, type SdkProcess, type SdkRow } from './sdk/sdk-row.ts'

const TABLES: Readonly<Record<string, readonly SdkRow[]>> = {
  ...SERVED_ROWS,
  'not served yet': LATER_SDK_ROWS,
}

onClient('entropy-data-sdk', (installation) => {
  let sdk: SdkProcess
  before(() => {
    sdk = startSdk(installation().url)
  })
  after(() => sdk.close())

  test('every method has a row', async () => {
    const names = new Set(Object.values(TABLES).flatMap((rows) => rows.map(({ call }) => call)))
    assert.deepEqual([...names].toSorted(), (await sdk.listCalls()).toSorted())
  })

  test('the enums that documents accept are those of the SDK', async () => {
    const enums = Object.values(CLIENT_ENUMS)
    const values = await sdk.listValues(enums.map(({ source }) => source))
    assert.deepEqual(Object.fromEntries(enums.map((one) => [one.source, one.values])), values)
  })

  test('the synchronizer registers itself, saves an asset, and writes nothing in the second round', async () => {
    const { keys } = await installation().newOrganization()
    const asset = {
      id: 'sdk-table',
      info: { name: 'table', type: 'table', source: 'sdk', owner: 'a' },
      columns: [{ name: 'id', type: 'bigint', required: true }],
      properties: { rows: 3 },
    }
    assert.deepEqual(await sdk.synchronize(keys.O ?? '', asset), ['PUT'])
    assert.deepEqual(await sdk.synchronize(keys.O ?? '', asset), [])
    const changed = { ...asset, properties: { rows: 4 } }
    assert.deepEqual(await sdk.synchronize(keys.O ?? '', changed), ['PUT'])
  })

  test('the event listener goes on after the last event of its state', async () => {
    const world = await installation().newOrganization()
    const key = world.keys.O ?? ''
    await eventsSoFar(world)
    const first = await sdk.listen(key)
    assert.ok(first.includes('TeamCreatedEvent'), first.join())
    assert.deepEqual(await sdk.listen(key), [])
    // It creates a team.
    await eventsSoFar(world)
    assert.deepEqual(await sdk.listen(key), ['TeamCreatedEvent'])
  })

  test('data_contracts.test › reads the result of a test without a client', async () => {
    const { newOrganization, url, store } = installation()
    const world = await newOrganization()
    const { drop } = await addTestedContract(world, store)
    try {
      await checkSdkRow(
        sdk,
        { world, url, values: new Map() },
        {
          call: 'data_contracts.test',
          args: ['tested'],
          options: { server: 'production' },
          gives: {
            dataContractId: 'tested',
            server: 'production',
            result: 'failed',
            checks: [
              { result: 'passed', model: 'orders' },
              { result: 'failed', model: 'orders', field: 'id' },
            ],
          },
        },
      )
    } finally {
      await drop()
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
        const options = Object.keys(row.options ?? {}).join(', ')
        const failure = row.fails?.join(' ') ?? row.later ?? ''
        test(`${row.call}(${options}) › ${failure || 'works'}`, async () => {
          await checkSdkRow(sdk, context, row)
        })
      }
    })
  }
})
