/** The tables that the SQL of a contract creates in emulators of warehouses keep the contract, as far as the emulators keep them. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listExampleContracts, roundTrip } from './drift-contracts.ts'
import type { ContractDatabase } from './drift-databases.ts'
import { newBigQueryDatabase, newSnowflakeDatabase } from './drift-warehouses.ts'
import { onPeer } from './peers/server.ts'
import { BQEMULATOR, SNOWFLAKE } from './peers/servers.ts'

const COMPARED_MIN = 20

/** `forgotten` are the differences that come from the emulator, `rejected` the statements that it does not know. */
function defineTests(open: () => ContractDatabase, forgotten: RegExp, rejected: RegExp): void {
  test('the tables of the example mesh keep its contracts', async (t) => {
    const { invented, missing, failures, compared } = await roundTrip(
      listExampleContracts(),
      open(),
    )
    t.diagnostic(`${compared} tables compared`)
    assert.deepEqual(
      failures.filter((failure) => !rejected.test(failure)),
      [],
    )
    assert.deepEqual(missing, [])
    assert.deepEqual(
      invented.filter((line) => !forgotten.test(line)),
      [],
    )
    assert.ok(compared >= COMPARED_MIN, `${compared} models were compared`)
  })
}

describe('contracts and their tables in emulators', () => {
  onPeer(SNOWFLAKE, (peer) =>
    // fakesnow has VARCHAR without a length for CHAR, and no functions in checks.
    defineTests(
      () => newSnowflakeDatabase(peer().url),
      / type char\(\d+\) → VARCHAR$/i,
      /incident-reports/,
    ),
  )
  onPeer(BQEMULATOR, (peer) =>
    // bqemulator has neither keys nor parameters of types.
    defineTests(
      () => newBigQueryDatabase(peer().url),
      / breaking key | type (?:STRING|BYTES|NUMERIC|BIGNUMERIC)\(/i,
      /^$/,
    ),
  )
})
