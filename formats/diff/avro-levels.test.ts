// Levels of Avro changes against the data itself: a change is breaking if the older schema cannot read data that was
// written with the newer one. The library implements the schema resolution of the specification.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import avsc from 'avsc'
import * as fc from 'fast-check'
import { avroPairs } from '../../test/avro-pairs.ts'
import { NOWHERE } from '../shape/inspect.ts'
import { Notes } from '../text/problem.ts'
import { readAvro } from '../schema/avro/read.ts'
import { haveSameMeaning } from '../schema/languages.ts'
import { Specification } from '../schema/specification.ts'
import { jsonText, type Value } from '../text/value.ts'
import { highestLevel, type Level } from './level.ts'
import { diffModels } from './models.ts'

const VALUES_PER_PAIR = 5

function typeFrom(schema: Value): avsc.Type {
  return avsc.Type.forSchema(JSON.parse(jsonText(schema)), { registry: Object.create(null) })
}

function isReadable(before: Value, after: Value): boolean {
  const [reader, writer] = [typeFrom(before), typeFrom(after)]
  try {
    const resolver = reader.createResolver(writer)
    for (let count = 0; count < VALUES_PER_PAIR; count += 1) {
      const value = randomValue(writer)
      if (value !== undefined) reader.fromBuffer(writer.toBuffer(value), resolver)
    }
    return true
  } catch {
    return false
  }
}

// Some recursive types have no finite value; then only the schemas are resolved.
function randomValue(type: avsc.Type): unknown {
  try {
    return type.random()
  } catch {
    return undefined
  }
}

function getLevel(before: Value, after: Value): Level {
  const [older, newer] = [before, after].map((schema) =>
    readAvro(new Specification(schema, [], new Notes(NOWHERE))),
  )
  const level = highestLevel(diffModels(older ?? [], newer ?? []))
  return level === 'none' && haveSameMeaning('avro', before, after) === false ? 'breaking' : level
}

test('Avro › data that readers with the older schema cannot read is always a breaking change', () => {
  const counts = { readable: 0, unreadable: 0, breakingOnly: 0 }
  fc.assert(
    fc.property(avroPairs, ([before, after]) => {
      const level = getLevel(before, after)
      if (isReadable(before, after)) {
        counts.readable += 1
        if (level === 'breaking') counts.breakingOnly += 1
      } else {
        counts.unreadable += 1
        assert.equal(level, 'breaking')
      }
    }),
    { seed: 5, numRuns: 170 },
  )
  // There are readable and unreadable pairs, and not every change is breaking.
  assert.ok(counts.unreadable > 30 && counts.readable > 30, JSON.stringify(counts))
  assert.ok(counts.breakingOnly < counts.readable / 2, JSON.stringify(counts))
})
