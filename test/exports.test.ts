/** PostgreSQL creates the exported tables of many contracts, and BigQuery's published rules apply. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { writeBigQuery } from '../formats/schema/bigquery/write.ts'
import { findBigQueryProblems } from './bigquery-rules.ts'
import { EXPORT_OPTIONS, EXPORTED_CONTRACTS, writeAll } from './exported-contracts.ts'
import { useScratchDatabase } from './scratch-database.ts'

test('BigQuery accepts each table by its published rules', () => {
  const problems = EXPORTED_CONTRACTS.flatMap((models) => {
    const { text } = writeBigQuery(models, EXPORT_OPTIONS)
    return [JSON.parse(text)].flat().flatMap(findBigQueryProblems)
  })
  assert.deepEqual(problems, [])
})

describe('on PostgreSQL', () => {
  const client = useScratchDatabase('exports')

  test('all tables are created', async () => {
    for (const text of writeAll('postgresql')) {
      await client()
        .query(`begin; ${text}`)
        .catch((error: unknown) => {
          throw new Error(text, { cause: error })
        })
      await client().query('rollback')
    }
  })
})
