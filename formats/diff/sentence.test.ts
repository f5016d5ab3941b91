// The verb of a message agrees with its subject.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AVRO_TRAITS } from './avro-traits.ts'
import { FIELD_ASPECTS } from './aspects.ts'
import { JSON_SCHEMA_TRAITS } from './json-schema-traits.ts'
import { PROTOBUF_TRAITS } from './protobuf-traits.ts'
import { changeSentence } from './sentence.ts'
import { SQL_TRAIT_RULES } from './sql-rules.ts'
import { WAREHOUSE_TRAITS } from './warehouse-traits.ts'

test('a property with a name in the plural was not, but were added and removed', () => {
  const traits = [
    AVRO_TRAITS,
    JSON_SCHEMA_TRAITS,
    PROTOBUF_TRAITS,
    SQL_TRAIT_RULES,
    WAREHOUSE_TRAITS,
  ].flatMap((rules) => Object.values(rules).map(({ label }) => label))
  // Keywords of JSON Schema are names: `minContains was added`.
  const keywords = new Set(
    Object.entries(JSON_SCHEMA_TRAITS).flatMap(([name, { label }]) =>
      name.endsWith(label) ? [label] : [],
    ),
  )
  const labels = [...traits, ...FIELD_ASPECTS.map(({ words }) => words), 'tags']
  const wrong = labels.flatMap((label) => {
    const [head = ''] = label.split(/ (?:of|as|in) /)
    const isPlural = head.endsWith('s') && !keywords.has(label)
    const verb = isPlural ? 'were' : 'was'
    const added = changeSentence(`Field a.b: ${label}`, undefined, 1, 'r')
    const removed = changeSentence(`Field a.b: ${label}`, 1, undefined, 'r')
    return added.includes(`${label} ${verb} added`) && removed.includes(`${label} ${verb} removed`)
      ? []
      : [added]
  })
  assert.deepEqual(wrong, [])
})
