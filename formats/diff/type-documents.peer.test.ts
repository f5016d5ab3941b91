/**
 * The order of all types through whole documents, in each form in which contracts state them, on each platform of a server.
 * The pure function is checked with all types in type-lattice.test.ts, and a part of the documents in
 * type-documents.test.ts.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareDocuments } from '../../test/compare-documents.ts'
import { findDetours, findOneSided } from '../../test/level-matrix.ts'
import { FORMS, SERVER_TYPES } from '../../test/type-documents.ts'
import { describeType, LATTICE } from '../../test/type-lattice.ts'

for (const form of Object.keys(FORMS) as (keyof typeof FORMS)[]) {
  for (const server of SERVER_TYPES) {
    test(`${form} on ${server ?? 'no server'} › harmless changes never add up to a breaking one`, () => {
      const { levels, stated } = compareDocuments(LATTICE, form, server)
      const names = stated.map(describeType)
      assert.deepEqual(findDetours(levels, names).slice(0, 10), [])
      assert.deepEqual(findOneSided(levels, names).slice(0, 10), [])
    })
  }
}
