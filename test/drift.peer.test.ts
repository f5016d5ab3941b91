/** The tables that the SQL of a contract creates keep the contract: on real PostgreSQL and MariaDB. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listExampleContracts, listTestContracts, roundTrip } from './drift-contracts.ts'
import { type DriftDatabase, newMariadbDatabase, newPostgresDatabase } from './drift-databases.ts'
import { onMariadb } from './mariadb.ts'
import { onEveryPostgres } from './postgres-source.ts'

// Statements that were sent with the contract, for extensions and tables that these databases do not have.
const NOT_HERE =
  /(?:type "(?:citext|geometry)"|relation "customers"|schema "sales") does not exist$/

function defineTests(open: () => Promise<DriftDatabase>): void {
  let database: DriftDatabase
  before(async () => {
    database = await open()
  })
  after(async () => database.end())

  test('the tables of the example mesh keep its contracts', async () => {
    const result = await roundTrip(listExampleContracts(), database)
    assert.deepEqual(result.failures, [])
    assert.deepEqual(result.missing, [])
    assert.deepEqual(result.invented, [])
    assert.ok(result.compared >= 25, `${result.compared} models were compared`)
  })

  test('the tables of contracts with every feature keep them', async () => {
    const result = await roundTrip(listTestContracts(), database)
    assert.deepEqual(
      result.failures.filter((failure) => !NOT_HERE.test(failure)),
      [],
    )
    assert.deepEqual(result.missing, [])
    assert.deepEqual(result.invented, [])
    assert.ok(result.compared >= 200, `${result.compared} models were compared`)
  })
}

describe('contracts and their tables', () => {
  onEveryPostgres((url) => defineTests(() => newPostgresDatabase(url())))
  onMariadb((server) => defineTests(() => newMariadbDatabase(server())))
})
