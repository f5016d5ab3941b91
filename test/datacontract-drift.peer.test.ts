/** The public client `datacontract-cli` as a second opinion about the columns of a table in PostgreSQL. */

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { stringify } from 'yaml'
import { comparePromise } from '../formats/reality/compare.ts'
import { listPromises } from '../formats/reality/promise.ts'
import { makeFolder, runProgram } from './clients/client.ts'
import { readContract } from './drift-contracts.ts'
import { type DriftDatabase, newPostgresDatabase } from './drift-databases.ts'
import { findMissingPeer } from './peers/recipes.ts'
import { onEveryPostgres } from './postgres-source.ts'

/** The promised type and that of the column; empty = the table lacks it. A row on which the client disagrees has the reason. */
const COLUMNS: readonly (readonly [promised: string, actual: string, because?: string])[] = [
  ['integer', 'integer'],
  ['integer', 'bigint'],
  ['integer', 'text'],
  ['bigint', 'bigint'],
  ['bigint', ''],
  ['smallint', 'smallint'],
  ['text', 'text'],
  ['text', ''],
  ['text', 'integer'],
  ['varchar(10)', 'varchar(10)'],
  ['varchar(10)', 'varchar(20)'],
  ['varchar(10)', 'text'],
  ['numeric(10,2)', 'numeric(10,2)'],
  ['numeric(10,2)', 'numeric(12,2)'],
  ['numeric(10,2)', 'integer'],
  ['boolean', 'boolean'],
  ['boolean', 'integer'],
  ['date', 'date'],
  ['date', 'timestamp'],
  ['timestamp', 'timestamp'],
  ['timestamptz', 'timestamptz'],
  ['timestamptz', 'timestamp', 'the client ignores time zones'],
  ['timestamp', 'date'],
  ['uuid', 'uuid'],
  ['uuid', 'text'],
  ['jsonb', 'jsonb'],
  ['jsonb', 'text'],
  ['double precision', 'double precision'],
  ['real', 'real'],
  ['bytea', 'bytea'],
  ['time', 'time'],
  ['text[]', 'text[]'],
]

interface Check {
  type: string
  field: string | null
  result: string
}

const missing = findMissingPeer('datacontract-cli')
const skip = missing === undefined || process.env.CI === 'true' ? false : missing

describe('datacontract-cli', { skip }, () => {
  onEveryPostgres((url) => {
    let database: DriftDatabase
    before(async () => {
      database = await newPostgresDatabase(url())
    })
    after(async () => database.end())

    test('agrees about missing columns and types, or the row has the reason', async () => {
      const properties = COLUMNS.map(([physicalType], at) => ({ name: `c${at}`, physicalType }))
      const columns = COLUMNS.flatMap(([, type], at) => (type === '' ? [] : [`c${at} ${type}`]))
      await database.create(['shop'])
      await database.execute('shop', `create table orders (${columns.join()})`)
      const contract = {
        apiVersion: 'v3.1.0',
        kind: 'DataContract',
        id: 'a',
        version: '1.0.0',
        status: 'active',
        servers: [database.server('shop')],
        schema: [{ name: 'orders', physicalType: 'table', properties }],
      }
      const read = readContract(contract)
      const [promise] = read === undefined ? [] : listPromises(read)
      const table = (await database.read()).get(JSON.stringify(promise?.path))
      assert.ok(promise && table)
      const { findings } = comparePromise(promise.promise, table)
      const own = new Map(
        findings.map(({ field, aspect }) => [
          field,
          aspect === 'column.missing' ? 'missing' : aspect,
        ]),
      )

      const folder = makeFolder()
      writeFileSync(join(folder, 'orders.odcs.yaml'), stringify(contract))
      await runProgram(
        'datacontract-cli',
        'datacontract',
        [
          'test',
          join(folder, 'orders.odcs.yaml'),
          '--output',
          join(folder, 'out.json'),
          '--output-format',
          'json',
        ],
        {
          environment: {
            DATACONTRACT_POSTGRES_USERNAME: new URL(url()).username,
            DATACONTRACT_POSTGRES_PASSWORD: new URL(url()).password || 'x',
          },
        },
      )
      const { checks }: { checks: Check[] } = JSON.parse(
        readFileSync(join(folder, 'out.json'), 'utf8'),
      )
      const isFailed = (type: string, at: number): boolean =>
        checks.some((one) => one.type === type && one.field === `c${at}` && one.result === 'failed')
      const disagreements = COLUMNS.flatMap(([promised, actual, because], at) => {
        const isMissing = isFailed('field_is_present', at)
        // It fails the type of a missing column, too.
        const theirs = isMissing ? 'missing' : isFailed('field_physical_type', at) ? 'type' : 'kept'
        const ours = own.get(`c${at}`) ?? 'kept'
        const isExpected = (theirs === ours) === (because === undefined)
        return isExpected ? [] : [`${promised} and ${actual}: ${theirs} there, ${ours} here`]
      })
      assert.equal(checks.filter(({ type }) => type === 'field_is_present').length, COLUMNS.length)
      assert.deepEqual(disagreements, [])
    })
  })
})
