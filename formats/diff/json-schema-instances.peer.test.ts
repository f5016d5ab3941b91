// Levels of JSON Schema against generated data, with a new seed, by ajv and by Python's jsonschema, which also has the
// older drafts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { checkWidening, getWideningLevel } from '../../test/json-schema-levels.ts'
import { AJV_DRAFTS } from '../../test/json-schema-oracle.ts'
import {
  draftPairs,
  FIELD_INSTANCES,
  INSTANCES,
  type SchemaPair,
  schemaPairs,
} from '../../test/json-schema-pairs.ts'
import { createRealPairs } from '../../test/json-schema-samples.ts'
import { createLevelRuns } from '../../test/level-runs.ts'
import { onPeers, runPeerScript } from '../../test/peers/peers.ts'

const PYTHON_DRAFTS = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'] as const

test('JSON Schema › a change that allows new instances of ajv is breaking', () => {
  checkWidening(schemaPairs, createLevelRuns('JSON Schema', 600))
})

test('JSON Schema › a change of the draft that allows new instances of ajv is breaking', () => {
  checkWidening(draftPairs(AJV_DRAFTS), createLevelRuns('Drafts of JSON Schema', 300))
})

test('JSON Schema › a change of a real schema that allows new instances of ajv is breaking', () => {
  const witnesses = checkWidening(createRealPairs(), createLevelRuns('Real JSON Schemas', 100))
  assert.ok(witnesses > 0, 'no change let new instances in')
})

onPeers(['python'], () => {
  test('JSON Schema › a change of the draft that allows new instances of jsonschema is breaking', async () => {
    const runs = createLevelRuns('Drafts of JSON Schema, by Python', 500)
    const pairs = fc.sample(draftPairs(PYTHON_DRAFTS), runs)
    const witnesses = await findWitnesses(pairs)
    const wrong = pairs.flatMap((pair, at) => {
      const level = witnesses[at] === null ? undefined : getWideningLevel(pair)
      return level === undefined || level === 'breaking'
        ? []
        : [{ ...pair, level, at: witnesses[at] }]
    })
    assert.deepEqual(wrong, [])
    const found = witnesses.filter((witness) => witness !== null)
    assert.ok(found.length > runs.numRuns / 20, `${found.length} changes let new instances in`)
  })
})

/** Returns the position of the first new instance of each pair; null if there is none. */
async function findWitnesses(pairs: readonly SchemaPair[]): Promise<(number | null)[]> {
  const instances = { field: FIELD_INSTANCES, model: INSTANCES }
  return (await runPeerScript('json_schema.py', { instances, pairs })) as (number | null)[]
}
