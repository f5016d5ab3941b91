// Levels of Avro changes against Apache Avro's check of compatibility, with a new seed: a change is breaking if readers
// with the older schema cannot read data with the newer one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { avroPairs } from '../../test/avro-pairs.ts'
import { createLevelRuns } from '../../test/level-runs.ts'
import { onPeers, runPeerScript } from '../../test/peers/peers.ts'
import { diffSpecifications } from '../../test/specification-versions.ts'
import { highestLevel } from './level.ts'

onPeers(['python'], () => {
  test('Avro › what Apache Avro reports as incompatible is breaking', async () => {
    const pairs = fc.sample(avroPairs, createLevelRuns('Avro', 700))
    const input = pairs.map(([reader, writer]) => ({ reader, writer }))
    const compatible = (await runPeerScript('avro_compatibility.py', input)) as (boolean | null)[]
    const wrong = pairs.flatMap(([before, after], at) => {
      if (compatible[at] !== false) return []
      const level = highestLevel(diffSpecifications('avro', before, after))
      return level === 'breaking' ? [] : [{ before, after, level }]
    })
    assert.deepEqual(
      wrong.map((one) => JSON.stringify(one)),
      [],
    )
    const found = compatible.filter((one) => one === false)
    assert.ok(found.length > pairs.length / 10, `${found.length} changes are incompatible`)
  })
})
