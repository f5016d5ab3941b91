// Levels of SQL changes against PostgreSQL, with a new seed: scripts are executed, the rows that the new table accepts are
// inserted into the old one, and a consumer with another role queries the new tables.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLevelRuns } from '../../test/level-runs.ts'
import { useScratchDatabase } from '../../test/scratch-database.ts'
import { checkPairs } from '../../test/sql-pairs.ts'

const client = useScratchDatabase('pairs')

test('SQL › what PostgreSQL shows to be wider is breaking, with a new seed', async () => {
  const { seed, numRuns: pairs } = createLevelRuns('SQL', 900)
  const { passed, wider } = await checkPairs(client(), { seed, pairs })
  assert.deepEqual(passed, [])
  assert.ok(wider > pairs / 10, `${wider} pairs are wider`)
})
