// The order of types through whole documents: a part of the lattice of types in each form in which contracts state them,
// on each platform of a server. The seed is fixed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareDocuments } from '../../test/compare-documents.ts'
import { findDetours, findOneSided } from '../../test/level-matrix.ts'
import { newRandom, sample } from '../../test/random.ts'
import { FORMS, SERVER_TYPES } from '../../test/type-documents.ts'
import { describeType, LATTICE } from '../../test/type-lattice.ts'

const TYPES = 18
const random = newRandom(90)

for (const form of Object.keys(FORMS) as (keyof typeof FORMS)[]) {
  for (const server of SERVER_TYPES) {
    test(`${form} on ${server ?? 'no server'} › harmless changes never add up to a breaking one`, () => {
      const types = sample(LATTICE, TYPES, random)
      const { levels, stated } = compareDocuments(types, form, server)
      const names = stated.map(describeType)
      assert.deepEqual(findDetours(levels, names), [])
      assert.deepEqual(findOneSided(levels, names), [])
    })
  }
}
