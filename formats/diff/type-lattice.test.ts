// The order of all types of all platforms: a harmless change never allows values that were not allowed, its level is the
// same for all names of a type, and harmless changes never add up to a breaking one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildFields, describeType, LATTICE, LATTICE_PLATFORMS } from '../../test/type-lattice.ts'
import { findDetours, findOneSided, type Levels } from '../../test/level-matrix.ts'
import { compareFieldTypes } from './field-type.ts'
import { KnownTypes } from './known-types.ts'
import { toLevel } from './model-changes.ts'

function compareAll(platform: (typeof LATTICE_PLATFORMS)[number]): Levels {
  const fields = buildFields(platform)
  const platforms = { before: platform, after: platform, known: new KnownTypes() }
  return fields.map((before) =>
    fields.map((after) => {
      const change = compareFieldTypes(before, after, platforms)
      return change === undefined ? 'none' : toLevel(change.verdict)
    }),
  )
}

for (const platform of LATTICE_PLATFORMS) {
  const name = platform ?? 'no platform'
  const levels = compareAll(platform)

  test(`${name} › harmless changes never add up to a breaking one`, () => {
    assert.deepEqual(findDetours(levels, LATTICE.map(describeType)).slice(0, 10), [])
  })

  test(`${name} › a change of wording is one in reverse`, () => {
    assert.deepEqual(findOneSided(levels, LATTICE.map(describeType)).slice(0, 10), [])
  })
}
