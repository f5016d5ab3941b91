/** Reads data written with an Avro schema with its export, in fastavro and Apache Avro. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Notes } from '../formats/text/problem.ts'
import { writeAvro } from '../formats/schema/avro/write.ts'
import { readAvro } from '../formats/schema/avro/read.ts'
import { Specification } from '../formats/schema/specification.ts'
import { getField, type Value } from '../formats/text/value.ts'
import { FEATURES } from './export-features.ts'
import { onPeers, runPeerScript } from './peers/peers.ts'

/** Converts a schema to models and back to a schema. */
function rewrite(schema: Value): Value {
  const notes = new Notes({ locate: () => ({ line: 1, column: 1 }) })
  const models = readAvro(new Specification(schema, [], notes))
  return JSON.parse(writeAvro(models).text)
}

onPeers(['python'], () => {
  test('Avro written from models › data of the original schema is read unchanged', async () => {
    const features = FEATURES.filter(({ source }) => source === 'avro')
    const pairs = features.map((feature) => {
      const writer = getField(getField(feature.with, 'schema'), 'specification') ?? null
      return { writer, reader: rewrite(writer) }
    })
    assert.ok(pairs.length > 20)
    const problems = (await runPeerScript('avro_data.py', pairs)) as (string | null)[]
    const found = problems.flatMap((problem, at) =>
      problem === null ? [] : [`${features[at]?.name}: ${problem}`],
    )
    assert.deepEqual(found, [])
  })
})
