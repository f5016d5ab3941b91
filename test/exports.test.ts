/** PostgreSQL creates the exported tables of many contracts, and BigQuery's published rules apply. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { writeBigQuery } from '../formats/schema/bigquery/write.ts'
import { findBigQueryProblems } from './bigquery-rules.ts'
import { EXPORT_OPTIONS, exportAll, writeAll } from './exported-contracts.ts'
import { modelsArbitrary } from './model-arbitrary.ts'
import { useScratchDatabase } from './scratch-database.ts'

test('BigQuery accepts each table by its published rules', () => {
  const texts = [
    ...exportAll({ format: 'bigquery' }),
    ...fc.sample(modelsArbitrary(), { seed: 13, numRuns: 25 }).map((models) => {
      return writeBigQuery(models, EXPORT_OPTIONS).text
    }),
  ]
  const problems = texts.flatMap((text) => [JSON.parse(text)].flat().flatMap(findBigQueryProblems))
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
