import assert from 'node:assert/strict'
import test from 'node:test'
import { describeAction, describeChange, describeTallies } from './activity-words.ts'

const tally = (kind: string, action: string, count: number) => ({ kind, action, count })

test('describeTallies › counts what an actor did in a minute', () => {
  const expected = [
    [[tally('team', 'created', 200)], 'created 200 teams'],
    [[tally('data-product', 'created', 1200)], 'created 1,200 data products'],
    [
      [tally('team', 'created', 2), tally('data-contract', 'updated', 1)],
      'created 2 teams and updated 1 data contract',
    ],
    [[tally('team', 'created', 3), tally('asset', 'created', 2)], 'created 3 teams and 2 assets'],
    [[tally('ingestion-run', 'ingested', 1)], 'ran 1 ingestion'],
    [
      [
        tally('team', 'created', 9),
        tally('asset', 'deleted', 8),
        tally('data-product', 'updated', 7),
        tally('data-contract', 'updated', 6),
        tally('team', 'updated', 5),
      ],
      'created 9 teams, deleted 8 assets, updated 7 data products, and 11 more changes',
    ],
  ] as const
  for (const [tallies, words] of expected) assert.equal(describeTallies(tallies), words)
})

test('describeChange and describeAction › name the kind and what happened to it', () => {
  const change = { kind: 'data-product', action: 'updated', version: 3 }
  assert.equal(describeChange(change), 'updated the data product')
  assert.equal(describeAction(change), 'data product updated to version 3')
  assert.equal(describeAction({ ...change, action: 'deleted' }), 'data product deleted')
  const run = { kind: 'ingestion-run', action: 'ingested', version: null }
  assert.equal(describeChange(run), 'ran an ingestion of')
})
