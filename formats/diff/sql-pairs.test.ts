import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useScratchDatabase } from '../../test/scratch-database.ts'
import { checkPairs } from '../../test/sql-pairs.ts'

const client = useScratchDatabase('pairs')
const PAIRS = 30 * Number(process.env['LEVEL_RUNS'] ?? 1)

test('SQL › what PostgreSQL shows to be wider is breaking', async () => {
  const { passed, wider } = await checkPairs(client(), { seed: 20, pairs: PAIRS })
  assert.deepEqual(passed, [])
  // PostgreSQL finds some: a test that finds none proves nothing.
  assert.ok(wider > PAIRS / 10, String(wider))
})
